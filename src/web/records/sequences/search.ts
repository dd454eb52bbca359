import { sequenceStatuses, STEPS_MAX, type SequenceStatus } from '#domains/sequences/values.ts'
import {
  decisions,
  holds,
  outreachStatuses,
  stopReasons,
  type Decision,
  type Hold,
  type OutreachStatus,
  type StopReason,
} from '#domains/enrolments/values.ts'
import { reachedWords } from './words.ts'

export const sequenceSorts = ['-updated_at', '-created_at', 'name'] as const
export type SequenceSort = (typeof sequenceSorts)[number]

/** What the URL of the list holds. */
export type SequencesSearch = {
  q?: string
  status?: SequenceStatus
  sort?: Exclude<SequenceSort, '-updated_at'>
  trashed?: true
}

const Q_LENGTH_MAX = 200
const ID = /^[0-9a-f]{24}$/

/** Keeps only what the API understands. */
export function sequencesSearch(raw: Record<string, unknown>): SequencesSearch {
  const q = one(raw.q).slice(0, Q_LENGTH_MAX)
  const status = sequenceStatuses.find(each => each === one(raw.status))
  const sort = sequenceSorts.find(each => each === one(raw.sort))
  return {
    ...(q && { q }),
    ...(status && { status }),
    ...(sort && sort !== '-updated_at' && { sort }),
    ...(one(raw.trashed) === 'true' && { trashed: true as const }),
  }
}

export function sequencesQuery({ q, status, sort, trashed }: SequencesSearch) {
  return {
    sort: sort ?? ('-updated_at' as const),
    ...(q && { q }),
    ...(status && { status: [status] }),
    ...(trashed && { trashed }),
  }
}

export const tabs = ['steps', 'leads', 'activity', 'settings'] as const
export type Tab = (typeof tabs)[number]
export type Reached = keyof typeof reachedWords
export const reachedValues = Object.keys(reachedWords) as Reached[]

/** What the URL of one sequence holds: the tab, its filters, and what is open in it. */
export type SequenceSearch = {
  tab?: Exclude<Tab, 'steps'>
  /** The preview beside the steps, and the lead it is for. */
  preview?: true
  lead?: string
  status?: OutreachStatus
  /** Why a lead is held; `any` for any reason. */
  held?: Hold | 'any'
  stop_reason?: StopReason
  reached?: Reached
  /** Their next step. */
  step_index?: number
  active?: boolean
  /** The enrolment whose drawer is open. */
  enrolment?: string
  decision?: Decision
}

export function sequenceSearch(raw: Record<string, unknown>): SequenceSearch {
  const tab = tabs.find(each => each === one(raw.tab))
  if (tab === 'leads') return { tab, ...enrolmentSearch(raw) }
  if (tab === 'activity') {
    const decision = decisions.find(each => each === one(raw.decision))
    return { tab, ...(decision && { decision }), ...opened(raw) }
  }
  if (tab === 'settings') return { tab }
  const lead = one(raw.lead)
  if (one(raw.preview) !== 'true') return {}
  return { preview: true, ...(ID.test(lead) && { lead }) }
}

/** The filters of the leads as the API takes them. */
export function enrolmentFilters(search: SequenceSearch) {
  const { status, held, stop_reason, reached, step_index, active } = search
  return {
    ...(status && { status: [status] }),
    ...(held && { held: held === 'any' ? [...holds] : [held] }),
    ...(stop_reason && { stop_reason: [stop_reason] }),
    ...(reached && { reached: [reached] }),
    ...(step_index !== undefined && { step_index }),
    ...(active !== undefined && { active }),
  }
}

function enrolmentSearch(raw: Record<string, unknown>): SequenceSearch {
  const status = outreachStatuses.find(each => each === one(raw.status))
  const held = ([...holds, 'any'] as const).find(each => each === one(raw.held))
  const stopReason = stopReasons.find(each => each === one(raw.stop_reason))
  const reached = reachedValues.find(each => each === one(raw.reached))
  const step = one(raw.step_index)
  const active = one(raw.active)
  return {
    ...(status && { status }),
    ...(held && { held }),
    ...(stopReason && { stop_reason: stopReason }),
    ...(reached && { reached }),
    ...(/^\d{1,2}$/.test(step) && Number(step) < STEPS_MAX && { step_index: Number(step) }),
    ...(/^(?:true|false)$/.test(active) && { active: active === 'true' }),
    ...opened(raw),
  }
}

function opened(raw: Record<string, unknown>): Pick<SequenceSearch, 'enrolment'> {
  const enrolment = one(raw.enrolment)
  return ID.test(enrolment) ? { enrolment } : {}
}

function one(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return first === undefined || first === null ? '' : String(first)
}
