import type { EnrolmentReview } from '#domains/enrolments/contract.ts'
import { ENROL_MAX } from '#domains/enrolments/values.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import type { ListSearch } from '../../ui/record-list/search.ts'
import { leadsQuery } from '../leads/search.ts'
import { enrolments } from '../enrolments/store.ts'

/** Individual leads, or every matching lead. */
export type Who = { ids: readonly string[] } | { search: ListSearch }

export type Step = { signal: AbortSignal; tell: (done: number) => void }

export type Outcome = {
  enrolled: number
  skipped: { lead_id: string; reason: string }[]
  /** How many were not processed: it was cancelled or failed. */
  left: number
  fault?: unknown
}

const PAGE_MAX = 200

/** Fixed as IDs, so that the leads reviewed are the leads enrolled, even if others match meanwhile. */
export async function idsOf(who: Who, { signal, tell }: Step): Promise<string[]> {
  if ('ids' in who) return [...who.ids]
  const ids = new Set<string>()
  let cursor: string | null = null
  do {
    const query = { ...leadsQuery(who.search), limit: PAGE_MAX, ...(cursor && { cursor }) }
    const page: { data: Lead[]; next_cursor: string | null } = await api('GET /api/crm/leads', {
      query,
      signal,
    })
    for (const { id } of page.data) ids.add(id)
    cursor = page.next_cursor
    tell(ids.size)
  } while (cursor)
  return [...ids]
}

export async function reviewAll(
  sequenceId: string,
  ids: readonly string[],
  again: boolean,
  { signal, tell }: Step,
): Promise<EnrolmentReview> {
  let whole: EnrolmentReview | undefined
  let done = 0
  for (const block of blocksOf(ids)) {
    const part = await api('POST /api/outreach/sequences/:id/review', {
      params: { id: sequenceId },
      body: { lead_ids: block, ...(again && { again }) },
      changesNothing: true,
      signal,
    })
    whole = whole ? joined(whole, part) : part
    tell((done += block.length))
  }
  return whole ?? nobody
}

/** In blocks: it can be cancelled between two of them, and what is done stays done. */
export async function enrolAll(
  sequenceId: string,
  ids: readonly string[],
  again: boolean,
  { signal, tell }: Step,
): Promise<Outcome> {
  const outcome: Outcome = { enrolled: 0, skipped: [], left: ids.length }
  try {
    for (const block of blocksOf(ids)) {
      if (signal.aborted) break
      const { data, skipped } = await api('POST /api/outreach/sequences/:id/enrolments', {
        params: { id: sequenceId },
        body: { lead_ids: block, ...(again && { again }) },
      })
      outcome.enrolled += data.length
      outcome.skipped.push(...skipped)
      outcome.left -= block.length
      tell(ids.length - outcome.left)
    }
  } catch (error) {
    outcome.fault = error
  }
  void enrolments.refresh()
  return outcome
}

export function* blocksOf(ids: readonly string[]): Generator<string[]> {
  for (let at = 0; at < ids.length; at += ENROL_MAX) yield ids.slice(at, at + ENROL_MAX)
}

const nobody: EnrolmentReview = {
  will_enrol: [],
  suppressed: [],
  already: [],
  no_address: [],
  unknown: 0,
  in_another: [],
  missing: [],
  warnings: [],
}

export function joined(one: EnrolmentReview, other: EnrolmentReview): EnrolmentReview {
  const missing = new Map(one.missing.map(({ placeholder, lead_ids }) => [placeholder, lead_ids]))
  for (const { placeholder, lead_ids } of other.missing)
    missing.set(placeholder, [...(missing.get(placeholder) ?? []), ...lead_ids])
  return {
    will_enrol: [...one.will_enrol, ...other.will_enrol],
    suppressed: [...one.suppressed, ...other.suppressed],
    already: [...one.already, ...other.already],
    no_address: [...one.no_address, ...other.no_address],
    unknown: one.unknown + other.unknown,
    in_another: [...one.in_another, ...other.in_another],
    missing: [...missing].map(([placeholder, lead_ids]) => ({ placeholder, lead_ids })),
    // They are about the sequence, so they are the same each time.
    warnings: one.warnings,
  }
}
