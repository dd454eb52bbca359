import type { Context } from '#platform/context.ts'
import type { EventOf } from '#platform/events.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import type { leadTrashed } from '#domains/leads/contract.ts'
import { findLeadIdsByAddress } from '#domains/leads/service.ts'
import type { messageEvents, outreachSettingsChanged } from '#domains/messages/contract.ts'
import { findSequences } from '#domains/sequences/service.ts'
import type { sequenceEvents } from '#domains/sequences/contract.ts'
import type { suppressionAdded } from '#domains/suppressions/contract.ts'
import type { SuppressionReason } from '#domains/suppressions/values.ts'
import { onward, stopAll, wake } from './control.ts'
import { StepEffects, SEND_JOB } from './effects.ts'
import { forward } from './model.ts'
import * as store from './store.ts'
import type { EnrolmentRow } from './store.ts'
import { lookedAtAgain, type StopReason } from './values.ts'

type MessageEvent = EventOf<(typeof messageEvents)['opened']>

/** A person opened a mail. What a machine opened says nothing. */
export async function opened(ctx: Context, event: MessageEvent): Promise<void> {
  if (event.data.machine) return
  await progress(ctx, event, row => ({
    status: forward(row.status, 'OPENED'),
    opened_at: row.opened_at ?? event.at,
  }))
}

export async function clicked(
  ctx: Context,
  event: EventOf<(typeof messageEvents)['clicked']>,
): Promise<void> {
  if (event.data.machine) return
  const to = event.data.meeting ? 'MEETING_LINK_CLICKED' : 'OPENED'
  await progress(ctx, event, row => ({
    status: forward(row.status, to),
    opened_at: row.opened_at ?? event.at,
    clicked_at: row.clicked_at ?? event.at,
  }))
}

export async function replied(ctx: Context, event: MessageEvent): Promise<void> {
  if (event.lead_id) await noteReply(ctx, event.lead_id, event.at, event.data.enrolment_id ?? null)
}

/** An answer to one mail is an answer to all of them: every sequence of the lead that stops on a reply does. */
export async function noteReply(
  ctx: Context,
  lead_id: string,
  replied_at: string,
  enrolment_id: string | null = null,
): Promise<void> {
  const rows = await store.lockOfLeads(ctx, [lead_id])
  const sequences = await findSequences(ctx, [...new Set(rows.map(({ sequence_id }) => sequence_id))])
  const stopping = new Set(sequences.filter(({ settings }) => settings.stop_rules.reply).map(({ id }) => id))
  const isAnswered = (row: EnrolmentRow) => row.ended_at === null || row.id === enrolment_id
  const at = (row: EnrolmentRow) => ({ replied_at: row.replied_at ?? replied_at })
  const [stopped, others] = partition(rows.filter(isAnswered), row => stopping.has(row.sequence_id))
  await stopAll(ctx, stopped, 'replied', 'The lead replied.', at)
  const doings = new StepEffects(ctx)
  for (const row of others) doings.change(row, at(row))
  doings.write()
}

export async function bounced(
  ctx: Context,
  event: EventOf<(typeof messageEvents)['bounced']>,
): Promise<void> {
  await endOne(ctx, event, 'bounced', `The email bounced: ${event.data.reason ?? 'no reason given'}`)
}

export async function complained(ctx: Context, event: MessageEvent): Promise<void> {
  await endLead(ctx, event, 'complained', 'The lead marked an email as spam.')
}

export async function unsubscribed(ctx: Context, event: MessageEvent): Promise<void> {
  await endLead(ctx, event, 'unsubscribed', 'The lead unsubscribed.')
}

/** A message was removed from the outbox manually: the step is skipped. */
export async function messageCancelled(ctx: Context, event: MessageEvent): Promise<void> {
  await withEnrolment(ctx, event, async (doings, row) => {
    if (row.ended_at || row.message_id !== event.data.message_id) return
    const [sequence] = await findSequences(ctx, [row.sequence_id])
    doings.note(row, 'skipped', `The message was cancelled by ${event.actor_name ?? 'a team member'}.`)
    if (sequence) await onward(ctx, doings, row, sequence)
  })
}

/** A message with an unknown outcome turned out to have been sent: the step is done. */
export async function messageFound(ctx: Context, event: MessageEvent): Promise<void> {
  const { message_id } = event.data
  await withEnrolment(ctx, event, async (doings, row) => {
    doings.note(row, 'sent', 'A delivery event confirmed that it was sent.', { message_id })
    const sent = doings.change(row, {
      status: forward(row.status, 'SENT'),
      sent_at: row.sent_at ?? event.at,
    })
    const [sequence] = await findSequences(ctx, [row.sequence_id])
    if (sequence && !row.ended_at && row.held === 'unknown' && row.message_id === message_id)
      await onward(ctx, doings, sent, sequence)
  })
}

/** A failed message is resent on request. */
export async function messageRetried(ctx: Context, event: MessageEvent): Promise<void> {
  const { message_id } = event.data
  await withEnrolment(ctx, event, async (doings, row) => {
    if (row.ended_at || row.message_id !== message_id) return
    doings.note(row, 'scheduled', `Resent by ${event.actor_name ?? 'a team member'}.`, { message_id })
    doings.change(row, { held: null, next_step_at: ctx.now() })
    enqueue(ctx, { kind: SEND_JOB, data: { ids: [message_id] } })
  })
}

/** A suppression ends every sequence, on every channel. */
export async function suppressed(ctx: Context, event: EventOf<typeof suppressionAdded>): Promise<void> {
  const { channel, address, reason } = event.data
  const leads = await findLeadIdsByAddress(ctx, channel, address)
  const rows = (await store.lockOfLeads(ctx, leads)).filter(({ ended_at }) => ended_at === null)
  await stopAll(ctx, rows, stopOf[reason], `${address} is on the suppression list.`)
}

const stopOf: Record<SuppressionReason, StopReason> = {
  unsubscribed: 'unsubscribed',
  complained: 'complained',
  bounced: 'bounced',
  stop: 'unsubscribed',
  manual: 'suppressed',
  imported: 'suppressed',
}

export async function leadGone(ctx: Context, event: EventOf<typeof leadTrashed>): Promise<void> {
  const rows = (await store.lockOfLeads(ctx, [event.subject_id])).filter(({ ended_at }) => ended_at === null)
  await stopAll(ctx, rows, 'lead_trashed', 'The lead was moved to the trash.')
}

/** Reactivating a sequence wakes the enrolments that waited for it. */
export async function sequenceChanged(
  ctx: Context,
  event: EventOf<(typeof sequenceEvents)['changed']>,
): Promise<void> {
  if (event.data.after.status !== 'ACTIVE') return
  wake(ctx, { holds: ['sequence_paused'], sequence_id: event.subject_id })
}

export async function settingsChanged(
  ctx: Context,
  event: EventOf<typeof outreachSettingsChanged>,
): Promise<void> {
  const { before, after } = event.data
  if (before.paused_at && !after.paused_at) wake(ctx, { holds: ['team_paused'] })
  if (after.meeting_url) wake(ctx, { holds: ['incomplete'] })
}

export async function templateCame(ctx: Context): Promise<void> {
  wake(ctx, { holds: lookedAtAgain })
}

/** For the domains that book meetings: a good end for every sequence that stops on it. */
export async function meetingBooked(ctx: Context, lead_id: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const rows = await store.lockOfLeads(ctx, [lead_id])
    const sequences = await findSequences(ctx, [...new Set(rows.map(({ sequence_id }) => sequence_id))])
    const rules = new Map(sequences.map(({ id, settings }) => [id, settings.stop_rules.meeting_booked]))
    const booked = (row: EnrolmentRow) => ({
      status: forward(row.status, 'MEETING_BOOKED' as const),
      booked_at: row.booked_at ?? ctx.now(),
    })
    const [stopping, others] = partition(
      rows.filter(({ ended_at }) => ended_at === null),
      ({ sequence_id }) => rules.get(sequence_id) ?? true,
    )
    await stopAll(ctx, stopping, 'meeting_booked', 'A meeting was booked.', booked)
    const doings = new StepEffects(ctx)
    for (const row of others) doings.change(row, booked(row))
    doings.write()
  })
}

/** For the domains that are paid: the best end. */
export async function leadConverted(ctx: Context, lead_id: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const rows = await store.lockOfLeads(ctx, [lead_id])
    const at = (row: EnrolmentRow) => ({ converted_at: row.converted_at ?? ctx.now() })
    await stopAll(ctx, rows, 'converted', 'The lead paid.', at)
  })
}

/** What a message tells about the enrolment it belongs to. */
async function progress(
  ctx: Context,
  event: MessageEvent,
  change: (row: EnrolmentRow) => Partial<EnrolmentRow>,
): Promise<void> {
  await withEnrolment(ctx, event, (doings, row) => void doings.change(row, change(row)))
}

async function withEnrolment(
  ctx: Context,
  { data: { enrolment_id } }: MessageEvent,
  act: (doings: StepEffects, row: EnrolmentRow) => void | Promise<void>,
): Promise<void> {
  if (!enrolment_id) return
  const [row] = await store.lockEnrolments(ctx, [enrolment_id])
  if (!row) return
  const doings = new StepEffects(ctx)
  await act(doings, row)
  doings.write()
}

/** Also if it has ended: a bounce outweighs having reached the end. */
async function endOne(ctx: Context, event: MessageEvent, stop: StopReason, reason: string): Promise<void> {
  const { enrolment_id } = event.data
  if (!enrolment_id) return
  const rows = await store.lockEnrolments(ctx, [enrolment_id])
  await stopAll(ctx, rows, stop, reason)
}

async function endLead(ctx: Context, event: MessageEvent, stop: StopReason, reason: string): Promise<void> {
  if (!event.lead_id) return
  const rows = await store.lockOfLeads(ctx, [event.lead_id])
  const own = rows.filter(row => row.ended_at === null || row.id === event.data.enrolment_id)
  await stopAll(ctx, own, stop, reason)
}

function partition<Item>(items: readonly Item[], is: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(is), items.filter(item => !is(item))]
}
