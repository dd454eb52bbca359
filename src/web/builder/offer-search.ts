import type { Offer } from './canvas-contract.ts'

/**
 * The matching steps, best first: by the start of the name, the start of its words, anywhere in the name, then by the
 * description. IDs count as names, so `send_email` matches too.
 */
export function searchOffers(offers: readonly Offer[], text: string): Offer[] {
  const typed = text.trim().toLowerCase()
  if (typed === '') return [...offers]
  const ranked = offers.map(offer => ({ offer, rank: rankOf(offer, typed) }))
  return ranked
    .filter(({ rank }) => rank < NOWHERE)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ offer }) => offer)
}

const NOWHERE = 6

function rankOf({ key, title, description }: Offer, typed: string): number {
  const names = [title.toLowerCase(), key.replace(/^action /, '').toLowerCase()]
  const all = wordsOf(typed)
  const inNames = names.flatMap(wordsOf)
  const about = description.toLowerCase()
  const within = `${names.join(' ')} ${about}`
  if (names.some(name => name.startsWith(typed))) return 0
  if (all.length > 0 && all.every(word => inNames.some(own => own.startsWith(word)))) return 1
  if (names.some(name => name.includes(typed))) return 2
  if (wordsOf(about).some(own => own.startsWith(typed))) return 3
  if (about.includes(typed)) return 4
  return typed.split(/\s+/).every(word => within.includes(word)) ? 5 : NOWHERE
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
}
