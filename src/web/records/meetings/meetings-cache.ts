import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Availability, Calendar, ListMeetings, Meeting } from '#domains/meetings/contract.ts'
import type { MeetingStatus } from '#domains/meetings/values.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { searchText } from '../../search-text.ts'
import { filterQuery } from '../../ui/record-list/search.ts'
import { filtersIn, meetingsShape, type MeetingsSearch } from './search.ts'
import { meetings } from './store.ts'
import { ownZone } from '../../ui/zones.ts'

const PAGE_SIZE = 50
const WEEK_PAGE_SIZE = 200
const PAGES_MAX = 10
/** The statuses shown in the calendar: all but cancelled. */
const SHOWN: MeetingStatus[] = ['BOOKED', 'HELD', 'NO_SHOW']

type Page = { data: Meeting[]; next_cursor: string | null }
type Span = { from: string; until: string }

/** All meetings within these days. */
export function spanQuery({ from, until }: Span, host_id: string[] = []) {
  return queryOptions({
    queryKey: [...cacheKeys.meetings, 'span', from, until, host_id],
    queryFn: async ({ signal }) => {
      const query: ListMeetings = {
        from,
        until,
        sort: 'starts_at',
        status: SHOWN,
        limit: WEEK_PAGE_SIZE,
        ...(host_id.length > 0 && { host_id }),
      }
      const found: Meeting[] = []
      let cursor: string | null = null
      for (let page = 0; page === 0 || (cursor && page < PAGES_MAX); page++) {
        const next: Page = await api('GET /api/crm/meetings', {
          query: { ...query, ...(cursor && { cursor }) },
          signal,
        })
        found.push(...next.data)
        cursor = next.next_cursor
      }
      return found
    },
  })
}

/** Upcoming, next first; or past, latest first. `today` is the start of the day. */
export function agendaQuery(search: MeetingsSearch, today: string) {
  const filter: ListMeetings = {
    ...(search.past ? { until: today, sort: '-starts_at' } : { from: today, sort: 'starts_at' }),
    ...filterQuery<ListMeetings>(meetingsShape, filtersIn(search)),
  }
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.meetings, 'agenda', searchText(filter)],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      api('GET /api/crm/meetings', {
        query: { ...filter, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: (last: Page) => last.next_cursor ?? undefined,
  })
}

/** A lead's next meetings, from this day on. */
export function nextOfLeadQuery(lead_id: string, today: string, limit: number) {
  return queryOptions({
    queryKey: [...cacheKeys.meetings, 'of-lead', lead_id, today],
    queryFn: ({ signal }) =>
      api('GET /api/crm/meetings', {
        query: { lead_id, from: today, status: SHOWN, sort: 'starts_at', limit },
        signal,
      }),
  })
}

/**
 * Available times of a host within these days; duration undefined: the host's default. `without` is the meeting to
 * reschedule, which does not block itself.
 */
export function slotsQuery(host_id: string, { from, until }: Span, duration_min?: number, without?: string) {
  return queryOptions({
    queryKey: [...cacheKeys.meetings, 'slots', host_id, from, until, duration_min ?? null, without ?? null],
    queryFn: ({ signal }) =>
      api('GET /api/meetings/slots', {
        query: { host_id, from, until, ...(duration_min && { duration_min }), ...(without && { without }) },
        signal,
      }),
  })
}

/** Busy times of the user's external calendar. */
export function busyQuery({ from, until }: Span) {
  return queryOptions({
    queryKey: [...cacheKeys.meetings, 'busy', from, until],
    queryFn: async ({ signal }) =>
      (await api('GET /api/meetings/busy', { query: { from, until }, signal })).busy,
  })
}

export const availabilityQuery = queryOptions({
  queryKey: cacheKeys.availability,
  queryFn: async ({ signal }) => inOwnZone(await api('GET /api/meetings/availability', { signal })),
})

const NEVER = new Date(0).toISOString()

/** Until availability is set, office hours are in the time zone of the user. */
async function inOwnZone(availability: Availability): Promise<Availability> {
  const { active, updated_at, timezone } = availability
  if (!active || updated_at !== NEVER || timezone === ownZone) return availability
  const change = { body: { timezone: ownZone }, ifMatch: updated_at }
  return api('PATCH /api/meetings/availability', change).catch(() => availability)
}

export const calendarQuery = queryOptions({
  queryKey: cacheKeys.calendar,
  queryFn: ({ signal }) => api('GET /api/meetings/calendar', { signal }),
})

export function putAvailability(availability: Availability): void {
  queryClient.setQueryData<Availability>(cacheKeys.availability, availability)
  void meetings.refresh()
}

export function putCalendar(calendar: Calendar): void {
  queryClient.setQueryData<Calendar>(cacheKeys.calendar, calendar)
  void meetings.refresh()
}
