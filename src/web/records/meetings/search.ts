import { meetingStatuses, type MeetingStatus } from '#domains/meetings/values.ts'
import { isDay } from '../../ui/day.ts'

/** Search parameters of the meetings page. */
export type MeetingsSearch = {
  /** Absent: the week. */
  view?: 'agenda'
  /** A day of the shown week; absent: this week. */
  day?: string
  /** Hosts; absent: all. */
  host_id?: string[]
  /** Filters of the agenda only. */
  status?: MeetingStatus
  past?: true
  lead_id?: string
  q?: string
  /** The open meeting. */
  meeting?: string
}

/** Changes search parameters; undefined removes one. */
export type Put = (change: { [K in keyof MeetingsSearch]: MeetingsSearch[K] | undefined }) => void

const ID = /^[0-9a-f]{24}$/
const HOSTS_MAX = 20
const WORDS_LENGTH_MAX = 200

/** Drops everything the API would reject. */
export function meetingsSearch(raw: Record<string, unknown>): MeetingsSearch {
  const day = one(raw.day)
  const status = meetingStatuses.find(each => each === one(raw.status))
  const hosts = [raw.host_id ?? []].flat().map(String)
  const host_id = [...new Set(hosts)].filter(id => ID.test(id)).slice(0, HOSTS_MAX)
  const q = one(raw.q).slice(0, WORDS_LENGTH_MAX)
  const [lead_id, meeting] = [one(raw.lead_id), one(raw.meeting)]
  return {
    ...(raw.view === 'agenda' && { view: 'agenda' as const }),
    ...(isDay(day) && { day }),
    ...(host_id.length > 0 && { host_id }),
    ...(status && { status }),
    ...(one(raw.past) === 'true' && { past: true as const }),
    ...(ID.test(lead_id) && { lead_id }),
    ...(q && { q }),
    ...(ID.test(meeting) && { meeting }),
  }
}

/** Whether the agenda is filtered. */
export function isFiltered({ host_id, status, lead_id, q }: MeetingsSearch): boolean {
  return Boolean(host_id ?? status ?? lead_id ?? q)
}

function one(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return first === undefined || first === null ? '' : String(first)
}
