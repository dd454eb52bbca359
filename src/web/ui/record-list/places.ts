/** Scroll and cursor positions of lists, restored on return. */
export type Place = { row: number; col: number; offset: number }

const START: Place = { row: 0, col: 0, offset: 0 }
const PLACES_MAX = 50
const places = new Map<string, Place>()

export function recall(list: string): Place {
  return places.get(list) ?? START
}

export function remember(list: string, place: Place): void {
  places.delete(list)
  places.set(list, place)
  for (const oldest of places.keys()) {
    if (places.size <= PLACES_MAX) break
    places.delete(oldest)
  }
}
