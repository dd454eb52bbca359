import type { Actor, Context } from '#platform/context.ts'
import { byKey } from '#platform/database/keyed.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { nameOf } from '#domains/leads/model.ts'
import { isMember } from '#domains/identity/members.ts'
import type { LatestEmail } from '#domains/messages/service.ts'
import { createTask } from '#domains/projects/tasks.ts'
import type { Sequence, Step } from '#domains/sequences/contract.ts'
import { StepEffects } from './effects.ts'
import { icebreakerKey, learn, stepsKey, type Known } from './known.ts'
import { decide, type Facts, type Previous } from './model.ts'
import { emailOf, smsOf, taskTextOf } from './content.ts'
import * as store from './store.ts'
import type { EnrolmentRow } from './store.ts'
import { capDay, nextCapDay, slotAt, zoneOf } from './timing.ts'

export const PERSONALIZE_JOB = 'enrolments.personalize'
const TASK_TITLE_LENGTH_MAX = 200
/** A task of a sequence is work for today. */
const TASK_DUE_MS = 86_400_000
/**
 * A changed template or setting wakes it immediately; this covers changes without an event, like a booking
 * page.
 */
const INCOMPLETE_LOOK_MS = 15 * 60_000

/**
 * Steps whose time has come, of one team, many at once. What is decided, what is written and the end of the jobs are one
 * transaction; messages that come of it are sent by a job of their own.
 */
export async function takeSteps(ctx: Context, jobs: readonly Job[]): Promise<void> {
  byKey(ctx)
  const waits = new Set(jobs.map(({ id }) => id))
  const ids = new Set(jobs.map(job => (job.data as { enrolment_id: string }).enrolment_id))
  const locked = await store.lockEnrolments(ctx, [...ids])
  // A job that is not the enrolment's present wait is left over from an earlier one. Both may come at once.
  const rows = locked.filter(row => row.wait_id !== null && waits.has(row.wait_id) && row.ended_at === null)
  if (rows.length === 0) return
  const known = await learn(ctx, rows)
  const doings = new StepEffects(ctx)
  const sending: Sending[] = []
  for (const row of rows) await act(ctx, doings, row, known, sending)
  await send(ctx, doings, sending, known)
  doings.write()
}

/** The job was given up: the lead waits for a person, who sees why. */
export async function loseStep(ctx: Context, job: Job): Promise<void> {
  const { enrolment_id } = job.data as { enrolment_id: string }
  const [row] = await store.lockEnrolments(ctx, [enrolment_id])
  if (!row || row.wait_id !== job.id || row.ended_at) return
  const doings = new StepEffects(ctx)
  doings.note(row, 'failed', 'This step failed too many times.')
  doings.change(row, { held: 'failed', wait_id: null, next_step_at: null })
  doings.write()
}

export type Sending = { row: EnrolmentRow; facts: Facts; step: Step }

async function act(
  ctx: Context,
  doings: StepEffects,
  row: EnrolmentRow,
  known: Known,
  sending: Sending[],
): Promise<void> {
  const facts = factsOf(ctx, row, known)
  if (!facts) return
  const { sequence, steps, zone } = facts
  const verdict = decide(facts)
  switch (verdict.kind) {
    case 'hold':
      doings.hold(row, verdict.hold, verdict.until, verdict.reason)
      break
    case 'skip':
      doings.note(row, 'skipped', verdict.reason)
      doings.advance(row, sequence, steps, zone)
      break
    case 'pass':
      doings.advance(row, sequence, steps, zone)
      break
    case 'finish':
      doings.end(row, sequence, 'finished', 'There are no more steps.')
      break
    case 'stop':
      doings.end(row, sequence, verdict.stop, verdict.reason)
      break
    case 'personalize':
      enqueue(ctx, { kind: PERSONALIZE_JOB, data: { enrolment_id: row.id } })
      doings.hold(row, 'personalizing', null, 'The icebreaker is being written.')
      break
    case 'task':
      await addTask(ctx.as(actorOf(sequence)), row, facts, known)
      doings.note(row, 'task', `Task created: ${firstLine(verdict.step.description!)}`)
      doings.advance(doings.change(row, { started_at: row.started_at ?? ctx.now() }), sequence, steps, zone)
      break
    case 'email':
    case 'sms':
      sending.push({ row, facts, step: verdict.step })
  }
}

export function actorOf({ id, name }: Sequence): Actor {
  return { kind: 'sequence', id, name }
}

export function factsOf(ctx: Context, row: EnrolmentRow, known: Known): Facts | undefined {
  const sequence = known.sequences.get(row.sequence_id)
  if (!sequence) return undefined
  const found = known.leads.get(row.lead_id)
  const lead = found?.deleted_at ? undefined : found
  const steps = known.steps.get(stepsKey(row.sequence_id, row.version)) ?? []
  const step = steps[row.step_index]
  const { sms_quiet_from, sms_quiet_until } = known.sender
  const latest = known.previous.get(row.id)
  return {
    nowMs: ctx.runtime.clock.now(),
    zone: zoneOf(lead, sequence.settings),
    enrolment: row,
    sequence,
    steps,
    lead,
    hasTemplate: step?.template !== undefined && known.letters.has(step.template),
    previous: latest ? heardOf(latest) : null,
    suppressed: isSuppressed(known, lead, step?.type),
    teamPaused: known.paused,
    icebreaker: known.icebreakers.get(icebreakerKey({ enrolment_id: row.id, step_index: row.step_index })),
    quiet: sms_quiet_from && sms_quiet_until ? { from: sms_quiet_from, until: sms_quiet_until } : null,
  }
}

function heardOf(email: LatestEmail): Previous {
  return {
    sent: email.sent_at !== null,
    opened: email.opened_at !== null,
    clicked: email.clicked_at !== null,
    replied: email.replied_at !== null,
    bounced: email.bounced_at !== null,
  }
}

function isSuppressed(
  { suppressed }: Known,
  lead: Lead | undefined,
  type: Step['type'] | undefined,
): boolean {
  if (type === 'sms') return lead?.phone != null && suppressed.phone.has(lead.phone)
  return lead?.email != null && suppressed.email.has(lead.email.toLowerCase())
}

/** Writes the messages of those that have a place within the daily cap; the others wait for theirs. */
async function send(ctx: Context, doings: StepEffects, all: readonly Sending[], known: Known): Promise<void> {
  for (const [, list] of Map.groupBy(all, ({ row }) => row.sequence_id)) {
    for (const { row, facts, step } of await withPlaces(ctx, doings, list)) {
      const id = ctx.newId()
      const message =
        step.type === 'email'
          ? emailOf(ctx, id, row, facts, step, known)
          : smsOf(ctx, id, row, facts, step, known)
      if ('fault' in message) doings.hold(row, 'incomplete', facts.nowMs + INCOMPLETE_LOOK_MS, message.fault)
      else doings.send(row, message)
    }
  }
}

async function withPlaces(ctx: Context, doings: StepEffects, list: readonly Sending[]): Promise<Sending[]> {
  const { sequence, nowMs } = list[0]!.facts
  const { settings } = sequence
  if (settings.daily_cap === null) return [...list]
  const day = capDay(nowMs, settings)
  const placed = list.filter(({ row }) => row.slot_on === day)
  const others = list.filter(({ row }) => row.slot_on !== day)
  if (others.length === 0) return placed
  const { first, count } = await store.takePlaces(ctx, sequence.id, day, others.length, settings.daily_cap)
  others.forEach(({ row, facts, step }, at) => {
    if (at >= count) {
      const reason = `The daily limit of ${settings.daily_cap} is reached.`
      return void doings.hold(row, 'cap', nextCapDay(nowMs, settings), reason)
    }
    const slot = slotAt(nowMs, first + at, settings)
    const own = { row: doings.change(row, { slot_on: day }), facts, step }
    if (slot <= nowMs || !isOpen(facts, slot)) return void placed.push(own)
    doings.hold(own.row, 'cap', slot, `Spread over the day: limit of ${settings.daily_cap} per day.`)
  })
  return placed
}

/** Whether the lead's own window is still open at that moment: if not, the place is used now. */
function isOpen(facts: Facts, atMs: number): boolean {
  const verdict = decide({ ...facts, nowMs: atMs })
  return verdict.kind === 'email' || verdict.kind === 'sms'
}

async function addTask(ctx: Context, row: EnrolmentRow, facts: Facts, known: Known): Promise<void> {
  const lead = facts.lead!
  const step = facts.steps[row.step_index]!
  const text = taskTextOf(ctx, facts, step, known)
  const assignee = await firstMember(ctx, [lead.owner_id, row.enrolled_by])
  await createTask(ctx, {
    title: firstLine(text).slice(0, TASK_TITLE_LENGTH_MAX),
    description: `${text}\n\n${nameOf(lead)}, from the sequence ${facts.sequence.name}.`,
    lead_id: lead.id,
    due_at: ctx.in(TASK_DUE_MS),
    ...(assignee && { assignee_id: assignee }),
  })
}

/** Somebody who has left the team does no more tasks. */
async function firstMember(ctx: Context, people: (string | null)[]): Promise<string | undefined> {
  for (const id of people) if (id && (await isMember(ctx, id))) return id
  return undefined
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]!.trim() || 'Task'
}
