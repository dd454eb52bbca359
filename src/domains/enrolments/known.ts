import type { Context } from '#platform/context.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { findLeads } from '#domains/leads/service.ts'
import type { Letters } from '#domains/messages/letters.ts'
import { findLatestEmails, type LatestEmail } from '#domains/messages/service.ts'
import { isPaused, senderOf, type Sender } from '#domains/messages/settings.ts'
import type { Sequence, Step } from '#domains/sequences/contract.ts'
import { findSequencesToRun, stepsOf } from '#domains/sequences/service.ts'
import { findSuppressed } from '#domains/suppressions/service.ts'
import { findLetters } from './letters.ts'
import * as store from './store.ts'
import type { EnrolmentRow } from './store.ts'

/** Everything that the steps of some enrolments need to know, asked for together. */
export type Known = {
  /** Whether all outreach of the team is paused. */
  paused: boolean
  sender: Sender
  sequences: Map<string, Sequence>
  steps: Map<string, Step[]>
  leads: Map<string, Lead>
  letters: Letters
  suppressed: { email: Set<string>; phone: Set<string> }
  previous: Map<string, LatestEmail>
  icebreakers: Map<string, { text: string; reviewed_at: string | null }>
}

export async function learn(ctx: Context, rows: readonly EnrolmentRow[]): Promise<Known> {
  const ids = (pick: (row: EnrolmentRow) => string) => [...new Set(rows.map(pick))]
  const [found, paused, leads, sender, icebreakers, previous] = await Promise.all([
    findSequencesToRun(
      ctx,
      ids(row => row.sequence_id),
    ),
    isPaused(ctx),
    findLeads(
      ctx,
      ids(row => row.lead_id),
    ),
    senderOf(ctx),
    store.findIcebreakers(
      ctx,
      rows.map(({ id }) => id),
    ),
    findLatestEmails(
      ctx,
      rows.filter(({ round }) => round > 0).map(({ id }) => id),
    ),
  ])
  const sequences = new Map(found.map(sequence => [sequence.id, sequence]))
  const steps = new Map<string, Step[]>()
  for (const { sequence_id, version } of rows) {
    const key = stepsKey(sequence_id, version)
    const sequence = sequences.get(sequence_id)
    if (sequence && !steps.has(key)) steps.set(key, await stepsOf(ctx, sequence, version))
  }
  const addresses = (field: 'email' | 'phone') => leads.flatMap(lead => lead[field] ?? [])
  const [letters, email, phone] = await Promise.all([
    findLetters(ctx, [...steps.values()].flat()),
    findSuppressed(ctx, 'email', addresses('email')),
    findSuppressed(ctx, 'phone', addresses('phone')),
  ])
  return {
    paused,
    sender,
    sequences,
    steps,
    leads: new Map(leads.map(lead => [lead.id, lead])),
    letters,
    suppressed: { email, phone },
    previous: new Map(previous.map(email => [email.enrolment_id, email])),
    icebreakers: new Map(icebreakers.map(row => [icebreakerKey(row), row])),
  }
}

export function stepsKey(sequence_id: string, version: number): string {
  return `${sequence_id} ${version}`
}

export function icebreakerKey({ enrolment_id, step_index }: { enrolment_id: string; step_index: number }) {
  return `${enrolment_id} ${step_index}`
}
