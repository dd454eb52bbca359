import { meetingStatuses } from '#domains/meetings/values.ts'
import { isDay } from '../../ui/day.ts'
import { filtersOf, isId, isOneOf, type FilterShape, type ListSearch } from '../../ui/record-list/search.ts'

/** Search parameters of the meetings page: its filters, and what is shown. */
export type MeetingsSearch = ListSearch & {
  /** Absent: the week. */
  view?: 'agenda'
  /** A day of the shown week; absent: this week. */
  day?: string
  /** In the agenda. */
  past?: true
  /** The open meeting. */
  meeting?: string
}

/** The week is filtered by host only. */
export const meetingsShape: FilterShape = {
  searchable: true,
  lists: { host_id: isId, status: isOneOf(meetingStatuses), lead_id: isId },
  singles: ['lead_id'],
}

/** Changes search parameters; undefined removes one. */
export type Put = (change: { [K in keyof MeetingsSearch]: MeetingsSearch[K] | undefined }) => void

/** Drops everything the API would reject. */
export function meetingsSearch(raw: Record<string, unknown>): MeetingsSearch {
  const [day, meeting] = [String(raw.day), String(raw.meeting)]
  const { view: _view, ...filters } = filtersOf(meetingsShape, raw)
  return {
    ...(raw.view === 'agenda' && { view: 'agenda' }),
    ...(isDay(day) && { day }),
    ...filters,
    ...(String(raw.past) === 'true' && { past: true }),
    ...(isId(meeting) && { meeting }),
  }
}

/** The filters alone. */
export function filtersIn({
  view: _v,
  day: _d,
  past: _p,
  meeting: _m,
  ...filters
}: MeetingsSearch): ListSearch {
  return filters
}
