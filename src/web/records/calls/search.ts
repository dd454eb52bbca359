import { callDirections, callKinds, callStates } from '#domains/calls/values.ts'
import { filtersOf, isId, isOneOf, type FilterShape, type ListSearch } from '../../ui/record-list/search.ts'

export const tabs = ['calls', 'numbers'] as const
export type Tab = (typeof tabs)[number]
/** Periods of the performance tab; the first is the default. */
export const periods = ['7d', '1d', '30d', '90d'] as const
export type Period = (typeof periods)[number]

/** The search parameters of the calls page: the tab and its filters. */
export type CallsSearch = ListSearch & { tab?: Exclude<Tab, 'calls'> }

export const callsShape: FilterShape = {
  lists: {
    status: isOneOf(callStates),
    kind: isOneOf(callKinds),
    direction: isOneOf(callDirections),
    agent_id: isId,
    lead_id: isId,
  },
  singles: ['lead_id'],
  /** Only live or scheduled calls. */
  flags: ['live'],
}

export const numbersShape: FilterShape = {
  lists: { period: isOneOf(periods.slice(1)), agent_id: isId },
  singles: ['period', 'agent_id'],
}

/** Whatever the URL contains, only what the API understands gets through. */
export function callsSearch(raw: Record<string, unknown>): CallsSearch {
  if (raw.tab === 'numbers') return { tab: 'numbers', ...filtersOf(numbersShape, raw) }
  return filtersOf(callsShape, raw)
}
