import { sequenceStatuses, STEPS_MAX } from '#domains/sequences/values.ts'
import { decisions, holds, outreachStatuses, stopReasons, type Decision } from '#domains/enrolments/values.ts'
import type { ListEnrolments } from '#domains/enrolments/contract.ts'
import {
  filterQuery,
  filtersOf,
  isId,
  isOneOf,
  searchOf,
  valuesOf,
  type FilterShape,
  type ListSearch,
  type SearchShape,
} from '../../ui/record-list/search.ts'
import { reachedWords } from './words.ts'

export const sequencesShape: SearchShape = {
  sorts: ['name', 'created_at', 'updated_at'],
  defaultSort: '-updated_at',
  lists: { status: isOneOf(sequenceStatuses) },
}

/** Keeps only what the API understands. */
export function sequencesSearch(raw: Record<string, unknown>): ListSearch {
  return searchOf(sequencesShape, raw)
}

export const tabs = ['steps', 'leads', 'activity', 'settings'] as const
export type Tab = (typeof tabs)[number]
export type Reached = keyof typeof reachedWords
export const reachedValues = Object.keys(reachedWords) as Reached[]

/** What the URL of one sequence holds: the tab, its filters, and what is open in it. */
export type SequenceSearch = ListSearch & {
  tab?: Exclude<Tab, 'steps'>
  /** The preview beside the steps, and the lead it is for. */
  preview?: true
  lead?: string
  /** The enrolment whose drawer is open. */
  enrolment?: string
}

/** Any reason for being held. */
export const ANY_HOLD = 'any'

const enrolmentsShape: FilterShape = {
  lists: {
    active: isOneOf(['true', 'false']),
    status: isOneOf(outreachStatuses),
    reached: isOneOf(reachedValues),
    /** Their next step. */
    step_index: value => /^\d{1,2}$/.test(value) && Number(value) < STEPS_MAX,
    held: isOneOf([ANY_HOLD, ...holds]),
    stop_reason: isOneOf(stopReasons),
  },
  singles: ['active', 'step_index', 'held'],
}

const activityShape: FilterShape = { lists: { decision: isOneOf(decisions) } }

export function sequenceSearch(raw: Record<string, unknown>): SequenceSearch {
  const tab = tabs.find(each => each === raw.tab)
  if (tab === 'leads') return { tab, ...filtersOf(enrolmentsShape, raw), ...opened(raw) }
  if (tab === 'activity') return { tab, ...filtersOf(activityShape, raw), ...opened(raw) }
  if (tab === 'settings') return { tab }
  const lead = String(raw.lead)
  if (String(raw.preview) !== 'true') return {}
  return { preview: true, ...(isId(lead) && { lead }) }
}

/** The filters of the leads as the API takes them. */
export function enrolmentsQuery(search: ListSearch): ListEnrolments {
  const filters = filterQuery<ListEnrolments>(enrolmentsShape, search)
  return valuesOf(search, 'held').includes(ANY_HOLD) ? { ...filters, held: [...holds] } : filters
}

export function activityQuery(search: ListSearch): { decision?: Decision[] } {
  return filterQuery(activityShape, search)
}

function opened(raw: Record<string, unknown>): Pick<SequenceSearch, 'enrolment'> {
  const enrolment = String(raw.enrolment)
  return isId(enrolment) ? { enrolment } : {}
}
