import { CalendarRefused, type CalendarLogin } from '#platform/ports/calendar.ts'
import type { Answer } from './answer.ts'
import { ask } from './request.ts'
import { isOfServer, serverOf } from './line.ts'

const NAME_LENGTH_MAX = 200

type Found = { calendar_url: string; name: string | null }

/**
 * The calendar itself where its address was given; else the way of RFC 6764 and RFC 4791: who is signed in, where that
 * person's calendars are, and the first of them that takes events and may be written to.
 */
export async function discover(line: typeof fetch, login: CalendarLogin): Promise<Found> {
  const server = serverOf(login)
  if (login.calendar_url !== undefined) return named(line, login.calendar_url, server)
  for (const place of placesOf(server)) {
    const [here] = await look(line, place.href, '0')
    if (!here?.ok) continue
    if (isCalendar(here)) return found(here, place)
    const principal = hrefIn(here.props?.currentUserPrincipal, here, place)
    const home = principal && (await homeOf(line, principal, server))
    if (home) return firstOf(await look(line, home.href, '1'), home, server)
  }
  throw new CalendarRefused('There is no calendar at this URL.')
}

/** Where it was given, the well-known place, and the root. */
function placesOf(server: URL): URL[] {
  const places = [server, new URL('/.well-known/caldav', server), new URL('/', server)]
  return places.filter(({ href }, at) => places.findIndex(place => place.href === href) === at)
}

async function named(line: typeof fetch, address: string, server: URL): Promise<Found> {
  const url = URL.canParse(address, server.href) ? new URL(address, server) : undefined
  if (!url || !isOfServer(url, server)) throw new CalendarRefused('The calendar is not on this server.')
  const [here] = await look(line, url.href, '0')
  if (!here?.ok || !isCalendar(here)) throw new CalendarRefused('There is no calendar at this URL.')
  return found(here, url)
}

async function homeOf(line: typeof fetch, principal: URL, server: URL): Promise<URL | undefined> {
  const [here] = await ask(line, 'propfind', {
    url: principal.href,
    depth: '0',
    props: { 'c:calendar-home-set': {} },
  })
  const home = here?.ok ? hrefIn(here.props?.calendarHomeSet, here, principal) : undefined
  return home && isOfServer(home, server) ? home : undefined
}

function firstOf(responses: Answer[], home: URL, server: URL): Found {
  const calendars = responses.filter(isCalendar).flatMap(calendar => {
    const url = addressOf(calendar.href, home)
    return url && isOfServer(url, server) ? [{ calendar, url }] : []
  })
  const first = calendars.find(({ calendar }) => isWritable(calendar))
  if (first) return found(first.calendar, first.url)
  throw new CalendarRefused(
    calendars.length > 0
      ? 'None of the calendars on this server are writable.'
      : 'No calendar on this server accepts events.',
  )
}

function look(line: typeof fetch, url: string, depth: '0' | '1'): Promise<Answer[]> {
  const props = {
    'd:resourcetype': {},
    'd:displayname': {},
    'd:current-user-principal': {},
    'd:current-user-privilege-set': {},
    'c:supported-calendar-component-set': {},
  }
  return ask(line, 'propfind', { url, depth, props })
}

/** One that says nothing of what it takes takes everything. */
function isCalendar({ props }: Answer): boolean {
  if (!hasKey(props?.resourcetype, 'calendar')) return false
  const taken = listOf(props?.supportedCalendarComponentSet?.comp).map(comp => comp?._attributes?.name)
  return taken.length === 0 || taken.includes('VEVENT')
}

const WRITING = ['all', 'write', 'writeContent', 'bind']

/** One that says nothing of what one may do lets one try. */
function isWritable({ props }: Answer): boolean {
  const privileges = listOf(props?.currentUserPrivilegeSet?.privilege)
  return privileges.length === 0 || privileges.some(each => WRITING.some(word => hasKey(each, word)))
}

function found({ props, href }: Answer, at: URL): Found {
  const name: unknown = props?.displayname?._cdata ?? props?.displayname
  const url = addressOf(href, at) ?? at
  return {
    calendar_url: (url.host === at.host ? url : at).href,
    // A name of digits comes as a number.
    name: ['string', 'number', 'boolean'].includes(typeof name)
      ? String(name).slice(0, NAME_LENGTH_MAX)
      : null,
  }
}

function hrefIn(prop: { href?: unknown } | undefined, { href }: Answer, asked: URL): URL | undefined {
  const [first] = listOf(prop?.href)
  const text = typeof first === 'string' ? first : (first as { _cdata?: string } | undefined)?._cdata
  return addressOf(text, addressOf(href, asked) ?? asked)
}

/** What a server calls its own things by: a path, most often. */
export function addressOf(href: unknown, from: URL): URL | undefined {
  return typeof href === 'string' && URL.canParse(href, from.href) ? new URL(href, from) : undefined
}

function hasKey(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
}

/** A single element is parsed as an object, not as a list. */
function listOf(value: unknown): any[] {
  return value === undefined || value === null ? [] : [value].flat()
}
