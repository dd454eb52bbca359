import { systemContext, type Actor, type Context } from '#platform/context.ts'
import { isConnectionLoss } from '#platform/database/pool.ts'
import type { IncomingMail } from '#platform/ports/mailbox.ts'
import { onlyTeam } from '#domains/identity/service.ts'
import { answeredSubjects, findAnswered, findNamed, type Found } from './match-reply.ts'
import { noteAutoReplied, noteBounce, noteReplied } from './outcomes.ts'
import { beginPlace, findPlace, movePlace, takePlace } from './place-store.ts'

const MAILS_AT_ONCE = 100
/** A mailbox that was left alone for long is read over several runs. */
const READS_MAX = 20

const mailbox: Actor = { kind: 'provider', id: null, name: 'mailbox' }

export type ReplyCounts = {
  replies: number
  automatic: number
  bounces: number
  received: number
  unmatched: number
  skipped: number
}

/**
 * Reads new emails in the mailbox. The position moves once everything before it is recorded; an email read
 * again after a crash is recognized by its ID and reported once.
 */
export async function readReplies(ctx: Context): Promise<ReplyCounts> {
  const counts = { replies: 0, automatic: 0, bounces: 0, received: 0, unmatched: 0, skipped: 0 }
  for (let reads = 0; reads < READS_MAX; reads++) if (!(await readSome(ctx, counts))) break
  return counts
}

/** Whether there may be more. */
async function readSome(ctx: Context, counts: ReplyCounts): Promise<boolean> {
  const port = ctx.runtime.ports.mailbox
  if (!port) return false
  const from = await findPlace(ctx)
  const { mails, place } = await port.read(from, MAILS_AT_ONCE)
  if (!from) {
    await beginPlace(ctx, place)
    return false
  }
  return ctx.transaction(async ctx => {
    // Another process was faster: what it has read is its to note.
    if (!(await takePlace(ctx, from))) return false
    for (const mail of mails) counts[await takeIn(ctx, mail)]++
    movePlace(ctx, place)
    return mails.length === MAILS_AT_ONCE
  })
}

/** Each in a transaction of its own team. One that cannot be understood holds up no other. */
async function takeIn(ctx: Context, mail: IncomingMail): Promise<keyof ReplyCounts> {
  try {
    const found = await findMeant(outside(ctx), mail)
    if (found) return await note(found, mail)
    return (await isTaken(ctx, mail)) ? 'received' : 'unmatched'
  } catch (error) {
    if (isConnectionLoss(error)) throw error
    ctx.log.warn(
      { err: error, message_id: mail.message_id },
      'an email in the mailbox could not be processed',
    )
    return 'skipped'
  }
}

/** One that answers nothing of ours starts a conversation, where it can only be meant for one team. */
async function isTaken(ctx: Context, { kind, from, ...mail }: IncomingMail): Promise<boolean> {
  const { takeMessage } = ctx.runtime.registry.offers
  if (!takeMessage || kind === 'bounce' || !from) return false
  const team = await onlyTeam(ctx)
  if (team === undefined) return false
  return takeMessage(systemContext(ctx.runtime, team).as(mailbox), {
    channel: 'email',
    address: from,
    name: mail.from_name ?? null,
    subject: mail.subject || null,
    text: mail.text,
    answer_id: mail.message_id ?? `${mail.at} ${from}`,
    automatic: kind === 'automatic',
  })
}

async function note({ ctx, message }: Found, mail: IncomingMail): Promise<keyof ReplyCounts> {
  const { kind, bounce, text, from, at } = mail
  if (kind === 'bounce') {
    const { permanent = false, reason = '' } = bounce ?? {}
    return (await noteBounce(ctx, message, { permanent, reason })) ? 'bounces' : 'unmatched'
  }
  const answer = { text, answer_id: mail.message_id ?? `${at} ${from}` }
  if (kind === 'automatic') return (await noteAutoReplied(ctx, message, answer)) ? 'automatic' : 'unmatched'
  return (await noteReplied(ctx, message, answer)) ? 'replies' : 'unmatched'
}

/**
 * By the ids it answers. One that answers nothing is to the latest mail its sender got; one that answers ids which are
 * not ours may answer what a provider made of ours on the way, and then its subject says so.
 */
async function findMeant(ctx: Context, mail: IncomingMail): Promise<Found | undefined> {
  const { kind, bounce, answers, from, subject } = mail
  const returned = kind === 'bounce' && bounce?.message_id ? [bounce.message_id] : []
  const named = await findNamed(ctx, [...returned, ...answers])
  if (named) return named
  const address = kind === 'bounce' ? bounce?.recipient : from
  if (!address) return undefined
  const isAnswer = kind !== 'bounce' && answers.length > 0
  return findAnswered(ctx, { address, ...(isAnswer && { subjects: answeredSubjects(subject) }) })
}

/** The mailbox is the installation's: whose a mail is shows only when its message is found. */
function outside(ctx: Context): Context {
  return systemContext(ctx.runtime).as(mailbox)
}
