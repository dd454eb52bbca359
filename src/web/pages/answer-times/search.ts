import {
  filtersOf,
  isOneOf,
  valuesOf,
  type FilterShape,
  type ListSearch,
} from '../../ui/record-list/search.ts'

export const groupings = ['person', 'mailbox', 'channel'] as const
export type Grouping = (typeof groupings)[number]
/** The first is the default. */
export const periods = ['28d', '7d', '90d', '365d'] as const
export type Period = (typeof periods)[number]

export type AnswerTimesSearch = ListSearch & { by?: Exclude<Grouping, 'person'> }

const shape: FilterShape = { lists: { period: isOneOf(periods.slice(1)) }, singles: ['period'] }

export function answerTimesSearch(raw: Record<string, unknown>): AnswerTimesSearch {
  const by = groupings.find(each => each === raw.by)
  return { ...(by && by !== 'person' && { by }), ...filtersOf(shape, raw) }
}

export function periodOf(search: ListSearch): Period {
  return periods.find(each => each === valuesOf(search, 'period')[0]) ?? periods[0]
}
