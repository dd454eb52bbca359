import type { Touch } from './contract.ts'

const VALUE_LENGTH_MAX = 500
const ADDRESS_LENGTH_MAX = 2_000
const UTM_MAX = 20
const FIRST_TOUCH_LENGTH_MAX = 10_000

type Sent = Readonly<Record<string, unknown>>

/** Where the visitor comes from this time: `utm_…` beside the answers, or else in the address of the page. */
export function lastTouch(body: Sent, at: string): Touch {
  const page_url = addressOf(body._page)
  const given = utmOf(body)
  const utm = Object.keys(given).length > 0 || !page_url ? given : utmOf(queryOf(page_url))
  return { utm, referrer: addressOf(body._referrer), page_url, at }
}

/** Where the visitor came from the first time, as its browser remembers; not later than now. */
export function firstTouch(body: Sent, now: string): Touch | null {
  const told = parsed(body._first_touch)
  if (!told) return null
  const { utm, referrer, page_url, at } = told
  return {
    utm: isRecord(utm) ? tidyUtm(Object.entries(utm)) : {},
    referrer: addressOf(referrer),
    page_url: addressOf(page_url),
    at: pastInstant(at, now),
  }
}

/** The parameters of a campaign, under their names without `utm_`, as leads have them. */
export function utmOf(from: Sent): Record<string, string> {
  const named = Object.entries(from).flatMap(([name, value]): [string, unknown][] =>
    name.startsWith('utm_') ? [[name.slice(4), value]] : [],
  )
  return tidyUtm(named)
}

/** What a page without a script carries along in hidden fields. */
export function carriedBy(query: Sent, page: string, referrer: string | undefined): Record<string, string> {
  const utm = Object.entries(utmOf(query)).map(([name, value]) => [`utm_${name}`, value])
  const from = addressOf(query._referrer) ?? addressOf(referrer)
  const first = typeof query._first_touch === 'string' ? query._first_touch : undefined
  return {
    ...Object.fromEntries(utm),
    _page: addressOf(query._page) ?? page,
    ...(from && { _referrer: from }),
    ...(first && first.length <= FIRST_TOUCH_LENGTH_MAX && { _first_touch: first }),
  }
}

export function tidyUtm(entries: readonly [string, unknown][]): Record<string, string> {
  const kept = entries.flatMap(([name, value]): [string, string][] => {
    const text = line(Array.isArray(value) ? value[0] : value)?.slice(0, VALUE_LENGTH_MAX)
    return text && /^[a-z_]{1,40}$/.test(name) && name !== '__proto__' ? [[name, text.toWellFormed()]] : []
  })
  return Object.fromEntries(kept.slice(0, UTM_MAX))
}

/** Only what can be opened: it becomes a link where people look at it. */
export function addressOf(value: unknown): string | null {
  const text = line(value)
  if (!text || text.length > ADDRESS_LENGTH_MAX || !/^https?:\/\/[^\s<>"]+$/i.test(text)) return null
  return URL.canParse(text) ? text : null
}

function queryOf(address: string): Sent {
  return Object.fromEntries(new URL(address).searchParams)
}

function line(value: unknown): string | undefined {
  return typeof value === 'string'
    ? value
        .toWellFormed()
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
    : undefined
}

function parsed(value: unknown): Sent | undefined {
  if (isRecord(value)) return value
  if (typeof value !== 'string' || value.length > FIRST_TOUCH_LENGTH_MAX) return undefined
  try {
    const told: unknown = JSON.parse(value)
    return isRecord(told) ? told : undefined
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function pastInstant(value: unknown, now: string): string {
  const ms = typeof value === 'string' && value.length <= 40 ? Date.parse(value) : Number.NaN
  return ms >= 0 && ms <= Date.parse(now) ? new Date(ms).toISOString() : now
}
