import { isoAt } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { Problem } from '#platform/problem.ts'
import { findLeads } from '#domains/leads/service.ts'
import { cancelOf } from '#domains/messages/service.ts'
import type { Sequence } from '#domains/sequences/contract.ts'
import { findSequences, getSequence, stepsOf } from '#domains/sequences/service.ts'
import { enrolmentEvents, type Enrolment } from './contract.ts'
import { aboutEnrolment, StepEffects } from './effects.ts'
import { asEnrolment } from './enrol.ts'
import * as store from './store.ts'
import type { EnrolmentRow } from './store.ts'
import { dueAfter, zoneOf } from './timing.ts'
import { lookedAtAgain, type Hold, type StopReason } from './values.ts'

export const WAKE_JOB = 'enrolments.wake'
export const MOVE_JOB = 'enrolments.move'
const BLOCK = 500

/** Holds the sequence for this lead. What is in a worker's hand already may still go out. */
export async function pauseEnrolment(ctx: Context, id: string): Promise<Enrolment> {
  return withOne(ctx, id, (ctx, doings, row, sequence) => {
    if (row.paused_at) return row
    doings.note(row, 'paused', `Paused by ${ctx.actor.name ?? 'a team member'}.`)
    tell(ctx, enrolmentEvents.paused, row, sequence)
    return doings.change(row, { paused_at: ctx.now(), held: 'paused' })
  })
}

/**
 * Resumes where it was; anything overdue is done now. A failed message is written again. One with an unknown
 * outcome counts as sent: only a deliberate resend risks a duplicate.
 */
export async function resumeEnrolment(ctx: Context, id: string): Promise<Enrolment> {
  return withOne(ctx, id, async (ctx, doings, row, sequence) => {
    const isFree = !row.paused_at && row.held !== 'failed' && row.held !== 'unknown'
    if (isFree) return row
    doings.note(row, 'resumed', `Resumed by ${ctx.actor.name ?? 'a team member'}.`)
    tell(ctx, enrolmentEvents.resumed, row, sequence)
    const resumed = doings.change(row, { paused_at: null, held: null })
    if (row.held === 'unknown') return onward(ctx, doings, resumed, sequence)
    // Its message is on its way, and takes it along.
    if (row.message_id !== null && row.held !== 'failed') return resumed
    return goOn(ctx, doings, resumed)
  })
}

export async function rescheduleEnrolment(ctx: Context, id: string, at: string): Promise<Enrolment> {
  return withOne(ctx, id, (ctx, doings, row) => {
    refuseOnItsWay(row)
    const until = isoAt(Math.max(Date.parse(at), ctx.runtime.clock.now()))
    doings.note(row, 'scheduled', `Rescheduled by ${ctx.actor.name ?? 'a team member'}.`, { until })
    return doings.waitUntil(row, until, { slot_on: null })
  })
}

export async function skipStep(ctx: Context, id: string): Promise<Enrolment> {
  return withOne(ctx, id, async (ctx, doings, row, sequence) => {
    refuseOnItsWay(row)
    doings.note(row, 'skipped', `Skipped by ${ctx.actor.name ?? 'a team member'}.`)
    return onward(ctx, doings, row, sequence)
  })
}

export async function stopEnrolment(ctx: Context, id: string): Promise<Enrolment> {
  return withOne(ctx, id, async (ctx, doings, row, sequence) => {
    await cancelOf(ctx, [id], 'The enrolment was stopped.')
    return doings.end(row, sequence, 'stopped', `Stopped by ${ctx.actor.name ?? 'a team member'}.`)
  })
}

/** Ends these enrolments on all channels: what is written and not yet handed over is given up. */
export async function stopAll(
  ctx: Context,
  rows: readonly EnrolmentRow[],
  stop: StopReason,
  reason: string,
  fields: (row: EnrolmentRow) => Partial<EnrolmentRow> = () => ({}),
): Promise<void> {
  if (rows.length === 0) return
  const sequences = await sequencesOf(ctx, rows)
  const running = rows.filter(({ ended_at }) => ended_at === null)
  if (running.length > 0) {
    await cancelOf(
      ctx,
      running.map(({ id }) => id),
      reason,
    )
  }
  const doings = new StepEffects(ctx)
  for (const row of rows) {
    const sequence = sequences.get(row.sequence_id) ?? { id: row.sequence_id, name: '' }
    doings.end(doings.change(row, fields(row)), sequence, stop, reason)
  }
  doings.write()
}

/** Past the present step, however it came to that. */
export async function onward(
  ctx: Context,
  doings: StepEffects,
  row: EnrolmentRow,
  sequence: Sequence,
): Promise<EnrolmentRow> {
  const [lead] = await findLeads(ctx, [row.lead_id])
  const zone = zoneOf(lead, sequence.settings)
  return doings.advance(row, sequence, await stepsOf(ctx, sequence, row.version), zone)
}

/** Everybody on an older version, to the newest one, in blocks. */
export async function moveEnrolments(ctx: Context, name: string): Promise<{ moved: number }> {
  return ctx.transaction(async ctx => {
    const sequence = await getSequence(ctx, name)
    const moved = await moveBlock(ctx, sequence, '')
    return { moved }
  })
}

export async function moveNext(ctx: Context, job: Job): Promise<void> {
  const { sequence_id, after } = job.data as { sequence_id: string; after: string }
  const [sequence] = await findSequences(ctx, [sequence_id])
  if (sequence) await moveBlock(ctx, sequence, after)
}

/** Where the new version is shorter than what a lead has done, the lead is through. */
async function moveBlock(ctx: Context, sequence: Sequence, after: string): Promise<number> {
  const block = await store.lockSome(ctx, { after, limit: BLOCK, sequence_id: sequence.id })
  const rows = block.filter(({ version, message_id }) => version < sequence.version && message_id === null)
  const doings = new StepEffects(ctx)
  for (const row of rows) {
    const moved = doings.change(row, { version: sequence.version })
    doings.note(moved, 'moved', `Moved from version ${row.version} to ${sequence.version}.`)
    if (row.step_index >= sequence.steps.length)
      doings.end(moved, sequence, 'finished', 'The new version has no more steps.')
  }
  doings.write()
  if (block.length === BLOCK) {
    const data = { sequence_id: sequence.id, after: block.at(-1)!.id }
    enqueue(ctx, { kind: MOVE_JOB, data })
  }
  if (rows.length > 0) {
    const told = { moved: rows.length, version: sequence.version }
    record(ctx, enrolmentEvents.moved, { kind: 'sequence', id: sequence.id }, told)
  }
  return rows.length
}

export type Wake = { holds: readonly Hold[]; sequence_id?: string }

/** Whatever is held for one of these reasons looks at itself again. */
export function wake(ctx: Context, what: Wake): void {
  enqueue(ctx, { kind: WAKE_JOB, data: { ...what, after: '' } })
}

export async function wakeNext(ctx: Context, job: Job): Promise<void> {
  const { after, holds, sequence_id } = job.data as Wake & { after: string }
  const block = await store.lockSome(ctx, {
    after,
    limit: BLOCK,
    holds,
    ...(sequence_id !== undefined && { sequence_id }),
  })
  const held = block.filter(row => row.held !== null && holds.includes(row.held))
  const sequences = await sequencesOf(ctx, held)
  const leads = await findLeads(
    ctx,
    held.filter(({ status }) => status === 'IDLE').map(({ lead_id }) => lead_id),
  )
  const doings = new StepEffects(ctx)
  for (const row of held) {
    const sequence = sequences.get(row.sequence_id)
    if (!sequence) continue
    if (row.status !== 'IDLE' || sequence.status !== 'ACTIVE') goOn(ctx, doings, row)
    else {
      // It was enrolled before the sequence began: its first step is counted from now on.
      const lead = leads.find(({ id }) => id === row.lead_id)
      const due = dueAfter(
        ctx.runtime.clock.now(),
        sequence.steps[0],
        sequence.settings,
        zoneOf(lead, sequence.settings),
      )
      doings.waitUntil(row, isoAt(due), { status: 'PENDING', version: sequence.version })
    }
  }
  doings.write()
  if (block.length === BLOCK)
    enqueue(ctx, { kind: WAKE_JOB, data: { holds, sequence_id, after: block.at(-1)!.id } })
}

/** At once if its time has passed, else when it comes. */
function goOn(ctx: Context, doings: StepEffects, row: EnrolmentRow): EnrolmentRow {
  const now = ctx.now()
  const isLookedAtAgain = row.held !== null && lookedAtAgain.includes(row.held)
  const waits = row.next_step_at !== null && row.next_step_at > now && !isLookedAtAgain
  return doings.waitUntil(row, waits ? row.next_step_at! : now, { message_id: null })
}

async function withOne(
  ctx: Context,
  id: string,
  act: (
    ctx: Context,
    doings: StepEffects,
    row: EnrolmentRow,
    sequence: Sequence,
  ) => EnrolmentRow | Promise<EnrolmentRow>,
): Promise<Enrolment> {
  return ctx.transaction(async ctx => {
    const [row] = await store.lockEnrolments(ctx, [id])
    if (!row) throw new Problem('not_found', 'No such enrolment.')
    if (row.ended_at) {
      throw new Problem('conflict', 'This enrolment has ended.', { code: 'enrolment_ended' })
    }
    const [sequence] = await findSequences(ctx, [row.sequence_id])
    const doings = new StepEffects(ctx)
    const after = await act(ctx, doings, row, sequence!)
    doings.write()
    return asEnrolment(after)
  })
}

function refuseOnItsWay({ message_id, held }: EnrolmentRow): void {
  if (message_id === null || held === 'failed' || held === 'unknown') return
  throw new Problem('conflict', "This step's message is being sent right now.", { code: 'on_its_way' })
}

async function sequencesOf(ctx: Context, rows: readonly EnrolmentRow[]): Promise<Map<string, Sequence>> {
  const sequences = await findSequences(ctx, [...new Set(rows.map(({ sequence_id }) => sequence_id))])
  return new Map(sequences.map(sequence => [sequence.id, sequence]))
}

function tell(
  ctx: Context,
  event: typeof enrolmentEvents.paused | typeof enrolmentEvents.resumed,
  row: EnrolmentRow,
  { id, name }: Sequence,
): void {
  record(ctx, event, aboutEnrolment(row), { sequence_id: id, sequence_name: name })
}
