import type { Context } from '#platform/context.ts'
import type { Job } from '#platform/jobs/queue.ts'
import { findTimezones } from '#domains/leads/service.ts'
import { giveUpMessages, sendMessages, type Author, type Settled } from '#domains/messages/sending.ts'
import type { MessageRow } from '#domains/messages/service.ts'
import { isPaused } from '#domains/messages/settings.ts'
import type { Sequence } from '#domains/sequences/contract.ts'
import { findSequences, stepsOf } from '#domains/sequences/service.ts'
import { StepEffects } from './effects.ts'
import { forward } from './model.ts'
import * as store from './store.ts'
import type { EnrolmentRow } from './store.ts'
import { zoneOf } from './timing.ts'

/** Sends the messages of steps, and advances each enrolment in the transaction that records its message. */
export async function sendWritten(ctx: Context, job: Job): Promise<void> {
  const { ids } = job.data as { ids: string[] }
  await sendMessages(ctx, job, ids, author)
}

/** Callers that wait for them must not wait forever. */
export async function loseWritten(ctx: Context, job: Job): Promise<void> {
  const { ids } = job.data as { ids: string[] }
  await giveUpMessages(ctx, ids, author)
}

const author: Author = { refuse, settling }

/** The last word before it leaves the house: what was stopped or paused meanwhile does not go. */
async function refuse(ctx: Context, messages: readonly MessageRow[]): Promise<Map<string, string>> {
  const [rows, sequences, paused] = await Promise.all([
    store.findStanding(ctx, enrolmentsOf(messages)),
    findSequences(ctx, sequencesOf(messages)),
    isPaused(ctx),
  ])
  const active = new Set(
    sequences.filter(({ status, deleted_at }) => status === 'ACTIVE' && !deleted_at).map(({ id }) => id),
  )
  const byId = new Map(rows.map(row => [row.id, row]))
  const reasons = new Map<string, string>()
  for (const { id, enrolment_id } of messages) {
    const row = byId.get(enrolment_id!)
    if (!row || row.message_id !== id || row.ended_at) reasons.set(id, 'The enrolment has ended.')
    else if (row.paused_at) reasons.set(id, 'The enrolment is paused.')
    else if (!active.has(row.sequence_id)) reasons.set(id, 'The sequence is not active.')
    else if (paused) reasons.set(id, 'Outreach is paused for the whole team.')
  }
  return reasons
}

type Known = {
  rows: Map<string, EnrolmentRow>
  sequences: Map<string, Sequence>
  zones: Map<string, string | null>
}

async function settling(ctx: Context, messages: readonly MessageRow[]) {
  const [rows, sequences, zones] = await Promise.all([
    store.lockEnrolments(ctx, enrolmentsOf(messages)),
    findSequences(ctx, sequencesOf(messages)),
    findTimezones(
      ctx,
      messages.map(({ lead_id }) => lead_id),
    ),
  ])
  const known: Known = {
    rows: new Map(rows.map(row => [row.id, row])),
    sequences: new Map(sequences.map(sequence => [sequence.id, sequence])),
    zones: new Map(zones.map(({ id, timezone }) => [id, timezone])),
  }
  return async (settled: readonly Settled[]): Promise<void> => {
    const doings = new StepEffects(ctx)
    for (const one of settled) {
      const row = known.rows.get(one.message.enrolment_id!)
      if (row) await settleOne(ctx, doings, row, one, known)
    }
    doings.write()
  }
}

async function settleOne(
  ctx: Context,
  doings: StepEffects,
  row: EnrolmentRow,
  { message, as, reason, until }: Settled,
  known: Known,
): Promise<void> {
  const { id } = message
  // The step has continued without it: only the fact that it was sent still matters.
  const isPresent = row.message_id === id
  const told = { message_id: id }
  switch (as) {
    case 'sent': {
      const words = message.channel === 'email' ? 'mail' : 'text message'
      doings.note(row, 'sent', `The ${words} to ${message.address} was sent.`, told)
      const sent = doings.change(row, {
        status: forward(row.status, 'SENT'),
        sent_at: row.sent_at ?? ctx.now(),
      })
      const sequence = known.sequences.get(row.sequence_id)
      if (!isPresent || row.ended_at || !sequence) return
      const zone = zoneOf({ timezone: known.zones.get(row.lead_id) ?? null }, sequence.settings)
      doings.advance(sent, sequence, await stepsOf(ctx, sequence, row.version), zone)
      return
    }
    case 'put_off':
      if (isPresent && !row.ended_at) doings.note(row, 'held', `Not sent yet: ${reason}`, { ...told, until })
      return
    case 'unknown':
      doings.note(row, 'unknown', `It is unknown whether it was sent: ${reason}`, told)
      if (isPresent && !row.ended_at)
        doings.change(row, { held: 'unknown', wait_id: null, next_step_at: null })
      return
    case 'failed':
      doings.note(row, 'failed', reason ?? 'It could not be sent.', told)
      if (isPresent && !row.ended_at)
        doings.change(row, { held: 'failed', wait_id: null, next_step_at: null })
      return
    case 'cancelled':
      // What kept it back is looked at again by the step itself, which says so and waits, or ends.
      if (isPresent && !row.ended_at) doings.waitUntil(row, ctx.now(), { message_id: null })
  }
}

function sequencesOf(messages: readonly MessageRow[]): string[] {
  return [...new Set(messages.flatMap(({ source_id }) => source_id ?? []))]
}

function enrolmentsOf(messages: readonly MessageRow[]): string[] {
  return [...new Set(messages.flatMap(({ enrolment_id }) => enrolment_id ?? []))]
}
