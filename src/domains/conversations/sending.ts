import type { Context } from '#platform/context.ts'
import type { EventOf } from '#platform/events.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { findLeads } from '#domains/leads/service.ts'
import type { messageEvents } from '#domains/messages/contract.ts'
import {
  giveUpAccepted,
  giveUpMessages,
  sendMessages,
  type Author,
  type Settled,
} from '#domains/messages/sending.ts'
import { findMessage, type MessageRow } from '#domains/messages/service.ts'
import { WHATSAPP_CONFIRMED_WITHIN_MS } from '#domains/messages/values.ts'
import { isPaused } from '#domains/messages/settings.ts'
import { SEND_JOB } from './answer.ts'
import { calledBy, tell } from './clock.ts'
import { FILE_SENT_JOB, letterOf, suppressedCopies } from './enclosed.ts'
import { findLetters } from './mail-store.ts'
import { countBounce } from './mailbox-limit.ts'
import { redo, undo } from './undo.ts'
import { lateByWindow, parcelOf } from './whatsapp.ts'

export const CONFIRM_JOB = 'conversations.confirm'

/** Sends what people have written, by the engine that sends everything. */
export async function sendWritten(ctx: Context, job: Job): Promise<void> {
  await sendMessages(ctx, job, idsOf(job), author)
}

export async function loseWritten(ctx: Context, job: Job): Promise<void> {
  await giveUpMessages(ctx, idsOf(job), author)
}

/** WhatsApp has had a day to say whether it was sent. */
export async function askAccepted(ctx: Context, { data }: Job): Promise<void> {
  await giveUpAccepted(ctx, idsOf({ data }), author)
}

const author: Author = {
  refuse,
  letter: letterOf,
  parcel: parcelOf,
  async settling(ctx, messages) {
    const letters = await findLetters(
      ctx,
      messages.map(({ id }) => id),
    )
    return async settled => {
      for (const one of settled) {
        await settle(ctx, one)
        if (one.as === 'accepted')
          enqueue(ctx, {
            kind: CONFIRM_JOB,
            data: { ids: [one.message.id] },
            run_at: ctx.in(WHATSAPP_CONFIRMED_WITHIN_MS),
          })
        if (one.as === 'sent' && letters.get(one.message.id)?.mailbox_id)
          enqueue(ctx, { kind: FILE_SENT_JOB, data: { message_id: one.message.id } })
      }
    }
  },
}

/** The last word before it leaves the house. */
async function refuse(ctx: Context, messages: readonly MessageRow[]): Promise<Map<string, string>> {
  const [leads, paused, suppressed, late] = await Promise.all([
    findLeads(ctx, [...new Set(messages.map(({ lead_id }) => lead_id))]),
    isPaused(ctx),
    suppressedCopies(
      ctx,
      messages.map(({ id }) => id),
    ),
    lateByWindow(ctx, messages),
  ])
  const trashed = new Set(leads.filter(({ deleted_at }) => deleted_at !== null).map(({ id }) => id))
  const reasons = new Map(late)
  for (const { id, lead_id, source_kind } of messages) {
    const copy = suppressed.get(id)
    if (copy) reasons.set(id, `${copy} is on the suppression list.`)
    else if (trashed.has(lead_id)) reasons.set(id, 'The lead is in the trash.')
    // What a person writes is no outreach; what nobody has read before it goes out stops with it.
    else if (source_kind !== 'person' && paused) reasons.set(id, 'Outreach is paused for the whole team.')
  }
  return reasons
}

async function settle(ctx: Context, { message, as, reason }: Settled): Promise<void> {
  if (as === 'put_off') return
  if (as === 'sent' || as === 'accepted') return redo(ctx, message.id)
  await takeBack(ctx, message, titles[as], reason)
}

const titles = {
  failed: 'Not sent',
  cancelled: 'Not sent',
  unknown: 'Unknown whether it was sent',
} as const

type Telling = Pick<MessageRow, 'id' | 'source_id'> & { source_kind?: string | undefined }

/** Notifies its author, and the message it was to answer waits again. */
async function takeBack(
  ctx: Context,
  { id, source_id, source_kind }: Telling,
  title: string,
  reason: string | null,
) {
  const row = await undo(ctx, id)
  const writer = source_kind === 'agent' ? row?.assignee_id : source_kind === 'person' ? source_id : null
  if (row && writer)
    await tell(ctx, row, [writer], `${title}: your message to ${calledBy(row)}`, reason ?? '')
}

type Of<Name extends keyof typeof messageEvents> = EventOf<(typeof messageEvents)[Name]>

/** Somebody wants it sent after all. */
export async function retried(ctx: Context, { data }: Of<'retried'>): Promise<void> {
  if (data.source_kind !== 'person' && data.source_kind !== 'agent') return
  enqueue(ctx, { kind: SEND_JOB, data: { ids: [data.message_id] } })
}

export async function cancelled(ctx: Context, { data }: Of<'cancelled'>): Promise<void> {
  await undo(ctx, data.message_id)
}

/** It got through after all: then its mailbox keeps a copy as well. */
export async function found(ctx: Context, { data }: Of<'found'>): Promise<void> {
  const { message_id } = data
  await redo(ctx, message_id)
  const letters = await findLetters(ctx, [message_id])
  if (letters.get(message_id)?.mailbox_id) enqueue(ctx, { kind: FILE_SENT_JOB, data: { message_id } })
}

export async function bounced(ctx: Context, { data }: Of<'bounced'>): Promise<void> {
  const { message_id: id, source_id = null, source_kind } = data
  const told = { id, source_id, source_kind }
  await countBounce(ctx, id)
  await takeBack(ctx, told, 'Not delivered', data.reason ?? null)
}

/** WhatsApp told later that it could not be delivered. Meanwhile it may have told that it was. */
export async function failed(ctx: Context, { data }: Of<'failed'>): Promise<void> {
  const { message_id: id, source_id = null, source_kind } = data
  if ((await findMessage(ctx, id))?.status !== 'FAILED') return
  await takeBack(ctx, { id, source_id, source_kind }, titles.failed, data.reason ?? null)
}

function idsOf({ data }: Pick<Job, 'data'>): string[] {
  return (data as { ids: string[] }).ids
}
