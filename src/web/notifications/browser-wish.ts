import type { User } from '../queries.ts'

const STORAGE_KEY = 'rapport.push'

/** Who turned it on in this browser, and for which teams: several people may share a browser. */
type Wish = { user: string; teams: string[] }

export function wishesFor(user: User): boolean {
  return wishedBy(user) && read()!.teams.includes(user.teamId)
}

export function wishedBy({ id }: User): boolean {
  return read()?.user === id
}

export function anybodyWishes(): boolean {
  return read() !== undefined
}

export function setWish(user: User, on: boolean): void {
  const others = (wishedBy(user) ? read()!.teams : []).filter(team => team !== user.teamId)
  write({ user: user.id, teams: on ? [...others, user.teamId] : others })
}

export function forgetWish(): void {
  write(undefined)
}

function read(): Wish | undefined {
  try {
    return (JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as Wish | null) ?? undefined
  } catch {
    // Storage may be blocked, or hold something else.
    return undefined
  }
}

function write(wish: Wish | undefined): void {
  try {
    if (wish) localStorage.setItem(STORAGE_KEY, JSON.stringify(wish))
    else localStorage.removeItem(STORAGE_KEY)
  } catch {
    // The user is asked again next time.
  }
}
