import { CLOCK_SKEW_MAX_MS } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { byKey } from '#platform/database/keyed.ts'
import { record } from '#platform/events.ts'
import { clearOfSuspicion, enqueue, fence, holdsLease, type Job } from '#platform/jobs/queue.ts'
import { HeldBack, MailRefused, MailUncertain } from '#platform/ports/mail.ts'
import { SmsRefused, SmsUncertain } from '#platform/ports/sms.ts'
import {
  WhatsAppRefused,
  WhatsAppUncertain,
  type WhatsAppFile,
  type WhatsAppTemplateUse,
} from '#platform/ports/whatsapp.ts'
import { findSuppressed } from '#domains/suppressions/service.ts'
import { messageEvents } from './contract.ts'
import { whatsappReference } from './compose.ts'
import { noteBounce } from './outcomes.ts'
import { senderWithoutPages, type Sender } from './settings.ts'
import { Slots } from './slots.ts'
import * as store from './store.ts'
import type { Content, Ending, MessageRow } from './store.ts'
import { together, type Errand } from './together.ts'
import { aboutMessage, actorOf, sentEvents, toldOf, wasHeardOf } from './message-events.ts'
import { WHATSAPP_CONFIRMED_WITHIN_MS } from './values.ts'
import { mailOf, type Letter } from './mail-of.ts'

/** While some are taken in hand, others are under way: the lanes to the server are never idle. */
const UNDER_WAY_PER_LANE = 3
/** With those that are handed over and not noted yet. A crash leaves no more than these unknown. */
const IN_HAND_PER_LANE = 6
/** So many are worth a transaction of their own; fewer wait a moment for each other. */
const NOTED_PER_LANE = 2
const NOTE_PATIENCE_MS = 5
const ERROR_LENGTH_MAX = 500
const MINUTE_MS = 60_000
/** A server that is down or asks for patience: after these waits in turn, then it has failed. */
const RETRY_MS = [1, 5, 15, 60, 120, 240].map(minutes => minutes * MINUTE_MS)

/** What came of a message: it is sent, WhatsApp has accepted it, it is put off, or it is settled without having been sent for certain. */
export type Settled = {
  message: MessageRow
  as: 'sent' | 'accepted' | 'failed' | 'unknown' | 'cancelled' | 'put_off'
  reason: string | null
  until: string | null
}

/**
 * What the author of the messages does around sending. Both run in the transaction that moves the messages.
 */
export type Author = {
  /** Asked when they are taken in hand: why these may not go any more. Reasons by id. */
  refuse(ctx: Context, messages: readonly MessageRow[]): Promise<Map<string, string>>
  /** Reads what it needs to know while they are moved; what it answers is called with what came of them. */
  settling(
    ctx: Context,
    messages: readonly MessageRow[],
  ): Promise<(settled: readonly Settled[]) => Promise<void>>
  /** What an email has beside its row; asked right before it is handed over, outside any transaction. */
  letter?(ctx: Context, message: MessageRow): Promise<Letter | undefined>
  /** The same for a WhatsApp message. */
  parcel?(ctx: Context, message: MessageRow): Promise<Parcel>
}

export type Parcel = { template?: WhatsAppTemplateUse; file?: WhatsAppFile }

/**
 * Sends due messages. A row is marked SENDING before its email is handed over, and only the process that
 * marked it hands it over, while the job is still its own. A row found SENDING at a later attempt was left by
 * a worker that died: it is unknown whether it was sent, so it becomes UNKNOWN and is not resent
 * automatically. Rows are claimed and recorded in batches, whichever job they belong to, but no more are
 * claimed than are really being sent.
 */
export async function sendMessages(
  ctx: Context,
  job: Job,
  ids: readonly string[],
  author: Author,
): Promise<void> {
  const sender = await senderWithoutPages(ctx)
  const { inHand, underWay, take, note } = officeOf(ctx)
  const runs = ids.map(id =>
    inHand.during(async () => {
      const outcome = await underWay.during(async () => {
        const message = await take({ ctx, job, author, id })
        return message && handOver({ ctx, job, sender, author }, message)
      })
      if (outcome) await note({ ctx, job, author, outcome })
    }),
  )
  const failed = (await Promise.allSettled(runs)).find(run => run.status === 'rejected')
  if (failed) throw failed.reason
}

/** The job that was to send them is given up: none of them waits for ever. */
export async function giveUpMessages(ctx: Context, ids: readonly string[], author: Author): Promise<void> {
  const rows = await store.lockMessages(ctx, ids)
  const lost = rows.filter(isLost)
  const due = rows.filter(({ status }) => status === 'DUE')
  // As if in hand: what is ended there is in hand.
  store.takeMessages(
    ctx,
    due.map(({ id }) => id),
  )
  const settled = [
    ...lost.map(message => unknown(message, 'The process stopped while sending.')),
    ...due.map(message => failed(message, 'Sending failed too many times.')),
  ]
  if (settled.length > 0) await settle(ctx, settled, author)
}

/** What WhatsApp has accepted, and has told nothing of for too long: nobody knows whether it was sent. */
export async function giveUpAccepted(ctx: Context, ids: readonly string[], author: Author): Promise<void> {
  await ctx.transaction(async ctx => {
    const rows = await store.lockMessages(ctx, ids)
    const silent = rows.filter(({ status, accepted_at }) => status === 'SENDING' && accepted_at !== null)
    const late = silent.filter(
      ({ accepted_at }) => Date.parse(accepted_at!) + WHATSAPP_CONFIRMED_WITHIN_MS <= Date.parse(ctx.now()),
    )
    const reason = 'WhatsApp accepted it, but has not confirmed for a day that it was sent.'
    if (late.length > 0)
      await settle(
        ctx,
        late.map(message => unknown(message, reason)),
        author,
      )
  })
}

/** Found in the hand of nobody; what WhatsApp has accepted was noted. */
function isLost({ status, accepted_at }: MessageRow): boolean {
  return status === 'SENDING' && accepted_at === null
}

type InHand = MessageRow & Content
type ToTake = Errand<Author> & { id: string }
type ToNote = Errand<Author> & { outcome: Outcome }
type Office = {
  inHand: Slots
  underWay: Slots
  take: (item: ToTake) => Promise<InHand | undefined>
  note: (item: ToNote) => Promise<void>
}

const offices = new WeakMap<object, Office>()

/** One for a process: mails and text messages share it, so that what is in hand is bounded by what is really sent. */
function officeOf({ runtime: { ports } }: Context): Office {
  const known = offices.get(ports.mail)
  if (known) return known
  const { lanes } = ports.mail
  const office = {
    inHand: new Slots(lanes * IN_HAND_PER_LANE),
    underWay: new Slots(lanes * UNDER_WAY_PER_LANE),
    take: together(takeAll),
    note: together(noteAll, { batchMin: lanes * NOTED_PER_LANE, patienceMs: NOTE_PATIENCE_MS }),
  }
  offices.set(ports.mail, office)
  return office
}

/** Takes in hand what may still go; what may not is settled at once. */
async function takeAll(
  ctx: Context,
  author: Author,
  items: readonly ToTake[],
): Promise<(InHand | undefined)[]> {
  const taken = await ctx.transaction(async ctx => {
    byKey(ctx)
    for (const job of new Set(items.map(({ job }) => job))) fence(ctx, job)
    const rows = await store.lockWithContents(
      ctx,
      items.map(({ id }) => id),
    )
    const [due, early] = byTime(ctx, rows)
    comeBack(ctx, items, early)
    const lost = rows.filter(isLost)
    for (const job of jobsOf(items, lost)) clearOfSuspicion(ctx, job)
    const refused = await refusals(ctx, due, author)
    const good = due.filter(({ id }) => !refused.has(id))
    store.takeMessages(
      ctx,
      good.map(({ id }) => id),
    )
    const settled = [
      ...due.filter(({ id }) => refused.has(id)).map(message => cancelled(message, refused.get(message.id)!)),
      ...lost.map(message =>
        wasHeardOf(message) ? sent(message) : unknown(message, 'The process stopped while sending.'),
      ),
    ]
    if (settled.length > 0) await settle(ctx, settled, author)
    return new Map(good.map(message => [message.id, { ...message, tries: message.tries + 1 }]))
  })
  return items.map(({ id }) => {
    const message = taken.get(id)
    // Two jobs may name one message, as when the first lost its lease and left a second behind: only one gets it.
    taken.delete(id)
    return message
  })
}

/** What is to go now, and what is to go later. What a clock that was ahead has written is late already. */
function byTime(ctx: Context, rows: readonly InHand[]): [InHand[], InHand[]] {
  const latest = ctx.in(CLOCK_SKEW_MAX_MS)
  const waiting = rows.filter(({ status }) => status === 'DUE')
  const isDue = ({ due_at, created_at }: InHand) => due_at <= ctx.now() || created_at > latest
  return [waiting.filter(isDue), waiting.filter(row => !isDue(row))]
}

/** The job came before its message was due, as after a clock was set right: another one comes in time. */
function comeBack(ctx: Context, items: readonly ToTake[], early: readonly InHand[]): void {
  for (const { id, due_at } of early) {
    const { kind } = items.find(item => item.id === id)!.job
    enqueue(ctx, { kind, data: { ids: [id] }, run_at: due_at })
  }
}

function jobsOf(items: readonly ToTake[], rows: readonly MessageRow[]): Set<Job> {
  const ids = new Set(rows.map(({ id }) => id))
  return new Set(items.filter(({ id }) => ids.has(id)).map(({ job }) => job))
}

async function refusals(
  ctx: Context,
  messages: readonly MessageRow[],
  author: Author,
): Promise<Map<string, string>> {
  if (messages.length === 0) return new Map()
  const of = (isEmail: boolean) =>
    messages.filter(({ channel }) => (channel === 'email') === isEmail).map(({ address }) => address)
  const [emails, phones, refused] = await Promise.all([
    findSuppressed(ctx, 'email', of(true)),
    findSuppressed(ctx, 'phone', of(false)),
    author.refuse(ctx, messages),
  ])
  const all = new Map(refused)
  for (const { id, channel, address } of messages) {
    const isSuppressed = channel === 'email' ? emails.has(address.toLowerCase()) : phones.has(address)
    if (isSuppressed) all.set(id, `${address} is on the suppression list.`)
  }
  return all
}

type Outcome = Settled & { provider_id: string | null; bounced: boolean }

type HandingOver = { ctx: Context; job: Job; sender: Sender; author: Author }

async function handOver({ ctx, job, sender, author }: HandingOver, message: InHand): Promise<Outcome> {
  const { ports } = ctx.runtime
  const handover = { mayGo: () => holdsLease(ctx, job) }
  const { id, address: to, text } = message
  const nothing = { provider_id: null, bounced: false, until: null }
  try {
    if (message.channel === 'sms') {
      const { provider_id } = await ports.sms.send({ to, text, reference: id }, handover)
      return { ...nothing, message, as: 'sent', reason: null, provider_id }
    }
    if (message.channel === 'whatsapp') {
      const parcel = await author.parcel?.(ctx, message)
      const reference = whatsappReference(ctx, message)
      const { provider_id, confirmed } = await ports.whatsapp.send(
        { to, text, ...parcel, reference },
        handover,
      )
      return { ...nothing, message, as: confirmed ? 'sent' : 'accepted', reason: null, provider_id }
    }
    const letter = await author.letter?.(ctx, message)
    const mail = mailOf(ctx, sender, message, letter)
    const { refused } = await (letter?.mailer ?? ports.mail).send(mail, handover)
    const reason = refused.length === 0 ? null : `The server did not take it for ${refused.join(', ')}.`
    return { ...nothing, message, as: 'sent', reason, bounced: refused.includes(to) }
  } catch (error) {
    return { ...nothing, message, ...judge(ctx, message, error) }
  }
}

function judge(ctx: Context, { tries }: MessageRow, error: unknown) {
  const reason = String(error instanceof Error ? error.message : error)
    .replaceAll('\0', '')
    .slice(0, ERROR_LENGTH_MAX)
  if (error instanceof HeldBack) return { as: 'put_off' as const, reason, until: ctx.now() }
  if (uncertain.some(kind => error instanceof kind)) return { as: 'unknown' as const, reason }
  if (error instanceof WhatsAppRefused) return { as: 'failed' as const, reason }
  const isRefused = error instanceof MailRefused || error instanceof SmsRefused
  const waitMs = isRefused ? undefined : RETRY_MS[tries - 1]
  if (waitMs !== undefined) return { as: 'put_off' as const, reason, until: ctx.in(waitMs) }
  return { as: 'failed' as const, reason, bounced: isRefused && error.address }
}

const uncertain = [MailUncertain, SmsUncertain, WhatsAppUncertain]

/** A sent message is recorded whoever owns the job by now: it is a fact. */
async function noteAll(ctx: Context, author: Author, items: readonly ToNote[]): Promise<undefined[]> {
  await ctx.transaction(async ctx => {
    byKey(ctx)
    await settle(
      ctx,
      items.map(({ outcome }) => outcome),
      author,
    )
    const later = items.filter(({ outcome }) => outcome.as === 'put_off')
    for (const list of Map.groupBy(later, ({ job, outcome }) => `${outcome.until} ${job.kind}`).values()) {
      const [{ job, outcome }] = list as [ToNote]
      const ids = list.map(({ outcome }) => outcome.message.id)
      enqueue(ctx, { kind: job.kind, data: { ids }, run_at: outcome.until! })
    }
  })
  return items.map(() => undefined)
}

async function settle(ctx: Context, all: readonly (Settled & Partial<Outcome>)[], author: Author) {
  const [moved, tellAuthor] = await Promise.all([
    store.endSending(
      ctx,
      all.map(settled => endingOf(ctx, settled)),
    ),
    author.settling(
      ctx,
      all.map(({ message }) => message),
    ),
  ])
  const settled = all.filter(({ message }) => moved.has(message.id))
  for (const { message, as, reason, bounced } of settled) {
    if (as === 'sent') {
      record(
        ctx.as(actorOf(message)),
        messageEvents[sentEvents[message.channel]],
        aboutMessage(message),
        toldOf(message),
      )
    }
    if (bounced) await noteBounce(ctx, message, { permanent: true, reason: reason ?? 'refused' })
    else if (as === 'failed')
      record(ctx, messageEvents.failed, aboutMessage(message), { ...toldOf(message), reason: reason ?? '' })
  }
  await tellAuthor(settled)
}

function endingOf(
  ctx: Context,
  { message, as, reason, until, provider_id }: Settled & Partial<Outcome>,
): Ending {
  return {
    id: message.id,
    status: statusOf[as],
    reason,
    provider_id: provider_id ?? null,
    accepted_at: as === 'accepted' ? ctx.now() : message.accepted_at,
    sent_at: as === 'sent' ? ctx.now() : null,
    due_at: until ?? message.due_at,
  }
}

const statusOf = {
  sent: 'SENT',
  accepted: 'SENDING',
  failed: 'FAILED',
  unknown: 'UNKNOWN',
  cancelled: 'CANCELLED',
  put_off: 'DUE',
} as const

function cancelled(message: MessageRow, reason: string): Settled {
  return { message, as: 'cancelled', reason, until: null }
}

/** An open or reply proves that it was sent. */
function sent(message: MessageRow): Settled {
  return { message, as: 'sent', reason: null, until: null }
}

function failed(message: MessageRow, reason: string): Settled {
  return { message, as: 'failed', reason, until: null }
}

function unknown(message: MessageRow, reason: string): Settled {
  return { message, as: 'unknown', reason, until: null }
}
