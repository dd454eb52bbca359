import type { Context } from '#platform/context.ts'
import { isoAt } from '#platform/clock.ts'
import { record } from '#platform/events.ts'
import { insertJobs, jobRow } from '#platform/jobs/queue.ts'
import type { Sequence, Step } from '#domains/sequences/contract.ts'
import { writeMessages, type EmailDraft, type SmsDraft } from '#domains/messages/compose.ts'
import { enrolmentEvents } from './contract.ts'
import { ended, forward } from './model.ts'
import * as store from './store.ts'
import type { EnrolmentRow, TraceRow } from './store.ts'
import { dueAfter } from './timing.ts'
import { lookedAtAgain, type Decision, type Hold, type StopReason } from './values.ts'

export const STEP_JOB = 'enrolments.step'
export const SEND_JOB = 'enrolments.send'
/** So many messages share a job that sends them. */
export const MESSAGES_PER_JOB = 64

/**
 * What is decided about many enrolments within one transaction, written together at its end: rows, trace, waits,
 * messages. Nothing of it is sent to the database before `write`.
 */
export class StepEffects {
  private readonly ctx: Context
  private readonly before = new Map<string, EnrolmentRow>()
  private readonly rows = new Map<string, EnrolmentRow>()
  private readonly trace: TraceRow[] = []
  private readonly jobs: ReturnType<typeof jobRow>[] = []
  private readonly emails: EmailDraft[] = []
  private readonly sms: SmsDraft[] = []

  constructor(ctx: Context) {
    this.ctx = ctx
  }

  /** `row` is as it was read, or as this answered before: what differs from that is written. */
  change(row: EnrolmentRow, fields: Partial<EnrolmentRow>): EnrolmentRow {
    const changed = { ...row, ...fields, updated_at: this.ctx.now() }
    if (!this.before.has(row.id)) this.before.set(row.id, row)
    this.rows.set(row.id, changed)
    return changed
  }

  note(
    row: EnrolmentRow,
    decision: Decision,
    reason: string,
    more: { message_id?: string; until?: string | null } = {},
  ): void {
    this.trace.push({
      team_id: row.team_id,
      enrolment_id: row.id,
      id: this.ctx.newId(),
      lead_id: row.lead_id,
      sequence_id: row.sequence_id,
      step_index: row.step_index,
      decision,
      reason,
      message_id: more.message_id ?? null,
      until: more.until ?? null,
      at: this.ctx.now(),
    })
  }

  /** Schedules the current step. Any earlier job no longer counts. */
  waitUntil(row: EnrolmentRow, run_at: string, fields: Partial<EnrolmentRow> = {}): EnrolmentRow {
    const job = jobRow(this.ctx, { kind: STEP_JOB, data: { enrolment_id: row.id }, run_at })
    this.jobs.push(job)
    return this.change(row, { next_step_at: run_at, wait_id: job.id, held: null, ...fields })
  }

  /** Holds the enrolment until a time or until an event wakes it. Traced once per reason. */
  hold(row: EnrolmentRow, hold: Hold, until: number | null, reason: string): EnrolmentRow {
    const at = until === null ? null : isoAt(until)
    const isNews =
      row.held !== hold || (at !== null && !lookedAtAgain.includes(hold) && row.next_step_at !== at)
    if (isNews) this.note(row, 'held', reason, { until: at })
    if (at !== null) return this.waitUntil(row, at, { held: hold })
    return this.change(row, { held: hold, wait_id: null })
  }

  /** Moves to the next step, or to the end if there is none. */
  advance(row: EnrolmentRow, sequence: Sequence, steps: readonly Step[], zone: string): EnrolmentRow {
    const step_index = row.step_index + 1
    const fresh = { step_index, message_id: null, slot_on: null }
    if (step_index >= steps.length)
      return this.end(this.change(row, fresh), sequence, 'finished', 'That was the last step.')
    const due = dueAfter(this.ctx.runtime.clock.now(), steps[step_index], sequence.settings, zone)
    return this.waitUntil(row, isoAt(due), fresh)
  }

  end(
    row: EnrolmentRow,
    sequence: Pick<Sequence, 'id' | 'name'>,
    stop: StopReason,
    reason: string,
  ): EnrolmentRow {
    const finished = stop === 'finished'
    const was = row.ended_at !== null
    const after = ended(row, stop, this.ctx.now())
    if (was && after.stop_reason === row.stop_reason && after.status === row.status) return row
    this.note(row, finished ? 'finished' : 'stopped', reason)
    const event = finished ? enrolmentEvents.finished : enrolmentEvents.stopped
    const told = { sequence_id: sequence.id, sequence_name: sequence.name, reason: stop }
    record(this.ctx, event, aboutEnrolment(row), told)
    return this.change(row, { ...after, wait_id: null })
  }

  /** A message of the current step; it is sent after the commit. */
  send(row: EnrolmentRow, message: { email: EmailDraft } | { sms: SmsDraft }): EnrolmentRow {
    const id = 'email' in message ? message.email.id : message.sms.id
    if ('email' in message) this.emails.push(message.email)
    else this.sms.push(message.sms)
    return this.change(row, {
      round: row.round + 1,
      message_id: id,
      wait_id: null,
      next_step_at: this.ctx.now(),
      held: null,
      status: forward(row.status, 'PENDING'),
      started_at: row.started_at ?? this.ctx.now(),
    })
  }

  write(): void {
    const { ctx } = this
    writeMessages(ctx, { emails: this.emails, sms: this.sms })
    const ids = [...this.emails, ...this.sms].map(({ id }) => id)
    for (let at = 0; at < ids.length; at += MESSAGES_PER_JOB)
      this.jobs.push(jobRow(ctx, { kind: SEND_JOB, data: { ids: ids.slice(at, at + MESSAGES_PER_JOB) } }))
    const rows = [...this.rows.values()]
    store.updateEnrolments(ctx, rows, this.changedIn(rows))
    store.insertTrace(ctx, this.trace)
    if (this.jobs.length === 0) return
    ctx.later(insertJobs(this.jobs))
    ctx.afterCommit(ctx.runtime.wakeWorker)
  }

  private changedIn(rows: readonly EnrolmentRow[]): store.Mutable[] {
    return store.mutableColumns.filter(column =>
      rows.some(row => row[column] !== this.before.get(row.id)![column]),
    )
  }
}

export function aboutEnrolment({ id, lead_id }: Pick<EnrolmentRow, 'id' | 'lead_id'>) {
  return { kind: 'enrolment', id, lead_id }
}
