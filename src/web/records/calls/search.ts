import {
  callDirections,
  callKinds,
  callStates,
  type CallDirection,
  type CallKind,
  type CallState,
} from '#domains/calls/values.ts'

export const tabs = ['calls', 'numbers'] as const
export type Tab = (typeof tabs)[number]
/** Periods of the performance tab; the first is the default. */
export const periods = ['7d', '1d', '30d', '90d'] as const
export type Period = (typeof periods)[number]

/** The search parameters of the calls page. */
export type CallsSearch = {
  tab?: Exclude<Tab, 'calls'>
  /** Only live or scheduled calls. */
  live?: true
  status?: CallState
  kind?: CallKind
  direction?: CallDirection
  agent_id?: string
  lead_id?: string
  period?: Period
}

const ID = /^[0-9a-f]{24}$/

/** Whatever the URL contains, only what the API understands gets through. */
export function callsSearch(raw: Record<string, unknown>): CallsSearch {
  const agent_id = id(raw.agent_id)
  if (one(raw.tab) === 'numbers') {
    const period = periods.find(each => each === one(raw.period) && each !== periods[0])
    return { tab: 'numbers', ...(agent_id && { agent_id }), ...(period && { period }) }
  }
  const status = callStates.find(each => each === one(raw.status))
  const kind = callKinds.find(each => each === one(raw.kind))
  const direction = callDirections.find(each => each === one(raw.direction))
  const lead_id = id(raw.lead_id)
  return {
    ...(one(raw.live) === 'true' && { live: true as const }),
    ...(status && { status }),
    ...(kind && { kind }),
    ...(direction && { direction }),
    ...(agent_id && { agent_id }),
    ...(lead_id && { lead_id }),
  }
}

/** The same filters as the API expects them. */
export function callsFilter({ live, status, kind, direction, agent_id, lead_id }: CallsSearch) {
  return {
    ...(live && { live }),
    ...(status && { status: [status] }),
    ...(kind && { kind: [kind] }),
    ...(direction && { direction: [direction] }),
    ...(agent_id && { agent_id: [agent_id] }),
    ...(lead_id && { lead_id }),
  }
}

export function isFiltered(search: CallsSearch): boolean {
  return Object.keys(callsFilter(search)).length > 0
}

function id(value: unknown): string | undefined {
  const text = one(value)
  return ID.test(text) ? text : undefined
}

function one(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return first === undefined || first === null ? '' : String(first)
}
