import { systemContext, type Actor, type Context } from '#platform/context.ts'
import { isConnectionLoss } from '#platform/database/pool.ts'
import type { IncomingMessage } from '#platform/offers.ts'
import type { IncomingMail } from '#platform/ports/mailbox.ts'
import { Problem } from '#platform/problem.ts'
import { onlyTeam } from '#domains/identity/service.ts'
import { answeredSubjects, findAnswered, findNamed, type Found } from './match-reply.ts'
import { noteAutoReplied, noteBounce, noteReplied } from './outcomes.ts'

const mailbox: Actor = { kind: 'provider', id: null, name: 'mailbox' }

export type MailCounts = {
  replies: number
  automatic: number
  bounces: number
  received: number
  unmatched: number
  skipped: number
}

/** A mailbox of a team; the installation's own serves all teams. */
export type TeamMailbox = NonNullable<IncomingMessage['mailbox']> & {
  address: string
  /** It was there before the mailbox was connected. */
  is_history: boolean
}

/**
 * Takes an email that came into a mailbox, in transactions of the team that it is for. Taken again, it changes nothing. One that
 * cannot be understood holds up no other.
 */
export async function takeMail(
  ctx: Context,
  mail: IncomingMail,
  box?: TeamMailbox,
): Promise<keyof MailCounts> {
  const own = box ? ctx.as(mailbox) : systemContext(ctx.runtime).as(mailbox)
  try {
    if (box?.is_history) return await takeHistory(own, mail, box)
    const found = await findMeant(own, mail)
    if (found && !(await isPassedOn(found, mail))) return await note(found, mail, box)
    return (await isTaken(own, mail, box)) ? 'received' : 'unmatched'
  } catch (error) {
    if (isPassing(error)) throw error
    ctx.log.warn(
      { err: error, message_id: mail.message_id },
      'an email in the mailbox could not be processed',
    )
    return 'skipped'
  }
}

/** It has nothing to do with this email, which is read again later. */
function isPassing(error: unknown): boolean {
  if (isConnectionLoss(error)) return true
  if (error instanceof Problem) return error.kind === 'unavailable'
  return PASSING_CODE.test((error as { code?: string }).code ?? '')
}

/** Classes of PostgreSQL: a transaction that lost a conflict, no room or memory, a lock, a fault of the system. */
const PASSING_CODE = /^(?:40|53|55|58)[0-9A-Z]{3}$/

/** An answer to what we have passed on is from somebody else. */
async function isPassedOn({ ctx, message }: Found, { kind }: IncomingMail): Promise<boolean> {
  if (kind === 'bounce') return false
  return (await ctx.runtime.registry.offers.isForwarded?.(ctx, message.id)) ?? false
}

/** What was written with leads before is shown; nothing is done about it. */
async function takeHistory(ctx: Context, mail: IncomingMail, box: TeamMailbox): Promise<keyof MailCounts> {
  const { takeMessage } = ctx.runtime.registry.offers
  if (!takeMessage || mail.kind !== 'reply' || !mail.from) return 'unmatched'
  return (await takeMessage(ctx, { ...messageOf(mail, box), is_history: true })) ? 'received' : 'unmatched'
}

/** One that answers nothing of ours starts a conversation, where it can only be meant for one team. */
async function isTaken(ctx: Context, mail: IncomingMail, box: TeamMailbox | undefined): Promise<boolean> {
  const { takeMessage } = ctx.runtime.registry.offers
  if (!takeMessage || mail.kind === 'bounce' || !mail.from) return false
  if (box) return takeMessage(ctx, messageOf(mail, box))
  const team = await onlyTeam(ctx)
  if (team === undefined) return false
  return takeMessage(systemContext(ctx.runtime, team).as(mailbox), messageOf(mail, box))
}

/** The whole of it goes into the conversation first: what is told of it afterwards is a beginning. */
async function note(
  { ctx, message }: Found,
  mail: IncomingMail,
  box: TeamMailbox | undefined,
): Promise<keyof MailCounts> {
  const { kind, bounce } = mail
  if (kind === 'bounce') {
    const { permanent = false, reason = '' } = bounce ?? {}
    return (await noteBounce(ctx, message, { permanent, reason })) ? 'bounces' : 'unmatched'
  }
  const whole = messageOf(mail, box)
  await ctx.runtime.registry.offers.takeMessage?.(ctx, { ...whole, answered: message.id })
  const answer = { text: box?.private_to ? '' : mail.text, answer_id: whole.answer_id }
  if (kind === 'automatic') return (await noteAutoReplied(ctx, message, answer)) ? 'automatic' : 'unmatched'
  return (await noteReplied(ctx, message, answer)) ? 'replies' : 'unmatched'
}

function messageOf(mail: IncomingMail, box: TeamMailbox | undefined): IncomingMessage {
  const { from, from_name, subject, text, message_id, at, fingerprint, kind } = mail
  return {
    channel: 'email',
    address: from ?? '',
    name: from_name,
    subject: subject || null,
    text,
    answer_id: message_id ?? `sha256:${fingerprint}`,
    automatic: kind === 'automatic',
    mail: { ...mail, at },
    ...(box && { mailbox: box }),
  }
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
