import { createObject, deleteObject, updateObject } from 'tsdav'
import {
  CalendarRefused,
  CalendarUnavailable,
  type BusyTime,
  type CalendarEvent,
  type CalendarLogin,
  type CalendarServer,
  type CalendarSpan,
} from '#platform/ports/calendar.ts'
import { ask } from './request.ts'
import { addressOf, discover } from './discovery.ts'
import { expand } from './expansion.ts'
import { isOfServer, openLine, serverOf, TooMuch, type Outside } from './line.ts'

const HOUR_MS = 3_600_000
const WRITES_MAX = 4
const CALENDAR_TYPE = 'text/calendar; charset=utf-8'

/** CalDAV (RFC 4791) by `tsdav`, on the guarded line: decision 0020. */
export function openCalDav(outside: Outside): CalendarServer {
  return {
    find: login => told(() => discover(openLine(outside, login), login)),
    put: (login, event) => told(() => put(openLine(outside, login), login, event)),
    remove: (login, event) => told(() => remove(openLine(outside, login), login, event)),
    busy: (login, span, { timeoutMs } = {}) =>
      told(() => busy(openLine(outside, login, timeoutMs), login, span)),
  }
}

/** Whatever is not in our words already is an answer that nobody who speaks CalDAV gives. */
async function told<Result>(use: () => Promise<Result>): Promise<Result> {
  try {
    return await use()
  } catch (error) {
    if (error instanceof CalendarRefused || error instanceof CalendarUnavailable) throw error
    throw new CalendarUnavailable('The server did not return a valid CalDAV response.', { cause: error })
  }
}

/** URL and ETag of an event; null while it does not exist. */
type Place = { href: string; etag: string | null }

/**
 * Never overwrites blindly: only what we wrote last, or nothing. A change made in between is detected and
 * then overwritten deliberately: Rapport's version wins.
 */
async function put(line: typeof fetch, login: CalendarLogin, event: CalendarEvent): Promise<Place> {
  const { uid, ics, href, etag } = event
  let place: Place | null = href !== null && etag !== null ? { href, etag } : null
  if (!place && href !== null) place = await locate(line, login, event)
  for (let writes = 0; writes < WRITES_MAX; writes++) {
    const url = place?.href ?? ownAddress(login, uid)
    const headers = { 'content-type': CALENDAR_TYPE, ...(!place?.etag && { 'if-none-match': '*' }) }
    const answer: Response = place?.etag
      ? await updateObject({ url, data: ics, etag: place.etag, headers, fetch: line })
      : await createObject({ url, data: ics, headers, fetch: line })
    if (answer.ok) return { href: url, etag: answer.headers.get('etag') }
    if (![404, 405, 409, 410, 412].includes(answer.status))
      throw new CalendarRefused(`The server did not accept the event (status ${answer.status}).`)
    place = await locate(line, login, { uid, href: url })
  }
  throw new CalendarUnavailable('The event keeps changing on the server.')
}

async function remove(
  line: typeof fetch,
  login: CalendarLogin,
  { uid, href }: Pick<CalendarEvent, 'uid' | 'href'>,
): Promise<void> {
  const isGone = async (url: string) => {
    const { ok, status } = await deleteObject({ url, fetch: line })
    if (ok || status === 404 || status === 410) return ok
    throw new CalendarRefused(`The server did not delete the event (status ${status}).`)
  }
  if (await isGone(href ?? ownAddress(login, uid))) return
  // Programs that move an event may give it another address.
  const place = await findByUid(line, login, uid)
  if (place) await isGone(place.href)
}

/** Where we left it; else wherever an event with its uid is, since a server has room for one alone. */
async function locate(
  line: typeof fetch,
  login: CalendarLogin,
  { uid, href }: Pick<CalendarEvent, 'uid' | 'href'>,
): Promise<Place | null> {
  const url = href ?? ownAddress(login, uid)
  const [here] = await ask(line, 'propfind', { url, depth: '0', props: { 'd:getetag': {} } })
  const etag: unknown = here?.ok ? here.props?.getetag : undefined
  return etag === undefined ? findByUid(line, login, uid) : { href: url, etag: String(etag) }
}

async function findByUid(line: typeof fetch, login: CalendarLogin, uid: string): Promise<Place | null> {
  const filter = {
    'prop-filter': {
      _attributes: { name: 'UID' },
      'text-match': { _attributes: { collation: 'i;octet' }, _text: uid },
    },
  }
  for (const { href, props } of await query(line, login, filter, {
    'd:getetag': {},
    'c:calendar-data': {},
  })) {
    const url = addressOf(href, calendarOf(login))
    const text = textIn(props?.calendarData)
    // Some servers do not know how to ask for a uid, and answer with everything.
    const isIt = text
      .replace(/\r?\n[ \t]/g, '')
      .split(/\r?\n/)
      .includes(`UID:${uid}`)
    if (isIt && url && isOfServer(url, serverOf(login)))
      return { href: url.href, etag: props?.getetag === undefined ? null : String(props.getetag) }
  }
  return null
}

async function busy(line: typeof fetch, login: CalendarLogin, span: CalendarSpan): Promise<BusyTime[]> {
  return expand(await textsWithin(line, login, span.from, span.until), span)
}

/** A time with too much in it is asked for by halves. What reaches over the middle comes twice, and counts once. */
async function textsWithin(
  line: typeof fetch,
  login: CalendarLogin,
  from: string,
  until: string,
): Promise<string[]> {
  const range = { 'time-range': { _attributes: { start: compact(from), end: compact(until) } } }
  try {
    const responses = await query(line, login, range, { 'c:calendar-data': {} })
    return responses.map(({ props }) => textIn(props?.calendarData)).filter(text => text !== '')
  } catch (error) {
    const middle = (Date.parse(from) + Date.parse(until)) / 2
    if (!(error instanceof TooMuch) || middle - Date.parse(from) < HOUR_MS) throw error
    const half = new Date(middle).toISOString()
    const halves = [await textsWithin(line, login, from, half), await textsWithin(line, login, half, until)]
    return [...new Set(halves.flat())]
  }
}

function query(line: typeof fetch, login: CalendarLogin, events: object, props: object) {
  const filters = [
    {
      'comp-filter': {
        _attributes: { name: 'VCALENDAR' },
        'comp-filter': { _attributes: { name: 'VEVENT' }, ...events },
      },
    },
  ]
  return ask(line, 'calendarQuery', { url: calendarOf(login).href, depth: '1', filters, props })
}

function calendarOf({ calendar_url }: CalendarLogin): URL {
  if (calendar_url === undefined || !URL.canParse(calendar_url))
    throw new CalendarRefused('No calendar is selected.')
  const url = new URL(calendar_url)
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

function ownAddress(login: CalendarLogin, uid: string): string {
  return new URL(`${encodeURIComponent(uid)}.ics`, calendarOf(login)).href
}

function textIn(data: unknown): string {
  return typeof data === 'string' ? data : ''
}

function compact(instant: string): string {
  return `${new Date(instant).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}
