import { randomBytes, randomFillSync, randomInt } from 'node:crypto'

const COUNTER_LIMIT = 0x1000000
const TEAM_DIGITS = 4
const processPart = randomBytes(5).toString('hex')

/**
 * An object id: seconds, the end of its team, this process, a counter. Ids of a team made later sort later, which keeps the indexes
 * dense; the end of the team leads from an id to its team without asking every team (migration 0037).
 */
export const newId = idsFrom(randomInt(COUNTER_LIMIT))

export function idsFrom(start: number): (now?: number, team?: string) => string {
  let counter = start
  /** The second in which the counter wrapped: ids made in the rest of it count as made in the next one. */
  let endedIn = -1
  return (now = Date.now(), team) => {
    let seconds = Math.floor(now / 1000)
    if (++counter >= COUNTER_LIMIT) {
      counter = 0
      endedIn = seconds
    }
    if (seconds === endedIn) seconds++
    const origin = team ? team.slice(-TEAM_DIGITS) + processPart.slice(TEAM_DIGITS) : processPart
    return seconds.toString(16).padStart(8, '0') + origin + counter.toString(16).padStart(6, '0')
  }
}

/** The id so many places after one: for what is named within something that has an id of its own. */
export function idAfter(id: string, places: number): string {
  const counter = (Number.parseInt(id.slice(-6), 16) + places) % COUNTER_LIMIT
  return id.slice(0, -6) + counter.toString(16).padStart(6, '0')
}

export function isId(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{24}$/.test(text)
}

/** The first id that could have been made in a second, or so many seconds after that of a time. */
export function idFrom(at: string | number, later = 0): string {
  const second = (typeof at === 'number' ? at : Math.floor(Date.parse(at) / 1000)) + later
  const within = Math.min(Math.max(0, second), 0xffffffff)
  return within.toString(16).padStart(8, '0').padEnd(24, '0')
}

/** The second an id was made in. */
export function secondOf(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16)
}

/** 256 random bits for tokens, keys and links: never stored, only their hash is. */
export function newSecret(): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  const secret = random.toString('base64url', used, used + SECRET_BYTES)
  // What was given out is not kept.
  random.fill(0, used, (used += SECRET_BYTES))
  return secret
}

const SECRET_BYTES = 32
/** Random bytes are fetched for many secrets at once: asking the system for each costs more than all the rest of it. */
const random = Buffer.alloc(128 * SECRET_BYTES)
let used = random.length

/** By how much the clocks of an installation may ever have been wrong. */
const CLOCK_ERROR_SECONDS = 31 * 86_400

/** The first ID that anything about a record can have: a query that names it skips the months before the record. */
export function notBefore(id: string): string {
  return idFrom(secondOf(id) - CLOCK_ERROR_SECONDS)
}
