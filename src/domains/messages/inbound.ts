import type { Context } from '#platform/context.ts'
import type { InboundRoute } from '#platform/registry.ts'
import { isTeam } from '#domains/identity/service.ts'
import type { Outcome } from '#domains/webhooks/effects.ts'
import { findNamed } from './match-reply.ts'
import {
  findByProviderIds,
  findLatestTo,
  findTeamOfProviderId,
  findTeamOfRecipient,
  nameByProvider,
  type Heard,
} from './engagement-store.ts'
import { isMachineAgent } from './machine.ts'
import * as outcomes from './outcomes.ts'
import { readMessageId } from './compose.ts'

type Data = Record<string, unknown>

/** Whose event it is: an id of ours says it, else the provider's, else whose message went to that address last. */
export const routeByMessage: InboundRoute = async (ctx, { type, data }) => {
  if (!type.startsWith('email.')) return undefined
  const ids = type === 'email.received' ? answeredIds(data) : ownIds(data)
  for (const id of ids) {
    const named = readMessageId(id)
    if (named && (await isTeam(ctx, named.team_id))) return named.team_id
  }
  if (type === 'email.received') return undefined
  const provider_id = providerIdOf(data)
  const known = provider_id && (await findTeamOfProviderId(ctx, provider_id))
  if (known) return known
  const [to] = recipientsOf(data)
  return to === undefined ? undefined : findTeamOfRecipient(ctx, to)
}

export async function takeDelivered(ctx: Context, data: Data): Promise<Outcome> {
  return about(ctx, data, message => outcomes.noteDelivered(ctx, message))
}

/** A provider tells late and in any order: only what the reader's program calls itself says what it is. */
export async function takeOpened(ctx: Context, data: Data): Promise<Outcome> {
  const agent = firstText(data.userAgent, data.user_agent, fields(data.open).userAgent)
  const machine = agent !== undefined && isMachineAgent(agent)
  return about(ctx, data, message => outcomes.noteOpened(ctx, message, { machine }))
}

export async function takeBounced(ctx: Context, data: Data): Promise<Outcome> {
  return about(ctx, data, message => outcomes.noteBounce(ctx, message, readBounce(data)))
}

export async function takeComplained(ctx: Context, data: Data): Promise<Outcome> {
  return about(ctx, data, message => outcomes.noteComplained(ctx, message))
}

/** A mail that somebody sent us: a reply, if it says which of our mails it answers. */
export async function takeReceived(ctx: Context, data: Data): Promise<Outcome> {
  const answer = {
    text: firstText(data.text, data.subject) ?? '',
    answer_id: firstText(data.message_id, data.messageId, data.email_id),
  }
  const found = await findNamed(ctx, answeredIds(data))
  const isPassedOn =
    found && (await found.ctx.runtime.registry.offers.isForwarded?.(found.ctx, found.message.id))
  if (!found || isPassedOn) return takeUnasked(ctx, data, answer)
  if (isAutomatic(data)) await outcomes.noteAutoReplied(ctx, found.message, answer)
  else await outcomes.noteReplied(ctx, found.message, answer)
  return { matched: true, lead_id: found.message.lead_id }
}

/** It answers nothing of ours: somebody writes to us. */
async function takeUnasked(
  ctx: Context,
  data: Data,
  { text, answer_id = null }: { text: string; answer_id?: string | null | undefined },
): Promise<Outcome> {
  const [sender] = mailboxesIn(data.from)
  const isTaken = await (sender &&
    ctx.runtime.registry.offers.takeMessage?.(ctx, {
      channel: 'email',
      ...sender,
      subject: firstText(data.subject) ?? null,
      text,
      answer_id,
      automatic: isAutomatic(data),
    }))
  return isTaken ? { matched: true } : { matched: false, note: 'Not a reply to one of our emails.' }
}

async function about(ctx: Context, data: Data, note: (message: Heard) => Promise<boolean>): Promise<Outcome> {
  const message = await findMeant(ctx, data)
  if (!message) return { matched: false, note: 'No matching message.' }
  const isNews = await note(message)
  const { lead_id } = message
  return { matched: true, lead_id, ...(!isNews && { note: 'Already processed.' }) }
}

/**
 * By our own id, by the provider's, or by the address: with a subject the latest mail of that subject, since a provider
 * carries mails of other kinds too; alone, the latest of all. An id of the provider and an address that contradict each
 * other mean none.
 */
async function findMeant(ctx: Context, data: Data): Promise<Heard | undefined> {
  const provider_id = providerIdOf(data)
  const ids = ownIds(data)
  const named = (await findNamed(ctx, ids))?.message
  const isOurs = ids.some(id => readMessageId(id))
  const provided = provider_id && !isOurs ? (await findByProviderIds(ctx, [provider_id]))[0] : undefined
  const [address, ...others] = recipientsOf(data)
  if (provided && address !== undefined && !isAmong([address, ...others], provided)) return undefined
  const subject = firstText(data.subject)
  const towards =
    named || provided || isOurs || address === undefined
      ? undefined
      : await findLatestTo(ctx, {
          channel: 'email',
          address,
          ...(subject && { subjects: [subject] }),
          ...(provider_id && { provider_id }),
        })
  const message = named ?? provided ?? towards
  if (message && provider_id && (named || subject)) nameByProvider(ctx, message, provider_id)
  return message
}

function isAmong(addresses: readonly string[], { address }: Heard): boolean {
  return addresses.some(each => each.toLowerCase() === address.toLowerCase())
}

const PERMANENT = /^(?:permanent|hard)/i
const PASSING = /^(?:transient|soft|undetermined|temporary)/i
/** An enhanced status code of the fifth class (RFC 3463): it will be the same tomorrow. */
const PERMANENT_CODE = /(?:^|[^\d.])5\.\d{1,3}\.\d{1,3}(?![\d.])/

/** A bounce whose kind nobody tells is permanent only if its code says so. */
export function readBounce(data: Data): { permanent: boolean; reason: string } {
  const bounce = fields(data.bounce)
  const kind = firstText(bounce.type, bounce.bounceType, data.bounce_type, data.bounceType, data.bounce) ?? ''
  const words = [
    bounce.message,
    bounce.reason,
    bounce.diagnosticCode,
    bounce.status,
    bounce.code,
    bounce.subType,
    data.reason,
    data.bounce,
  ].filter(isText)
  const told = PERMANENT.test(kind) ? true : PASSING.test(kind) ? false : undefined
  return {
    permanent: told ?? words.some(word => PERMANENT_CODE.test(word)),
    reason: words[0] ?? (kind || 'The email bounced.'),
  }
}

/** The ids of ours that an event may name, wherever its provider puts them. */
function ownIds(data: Data): string[] {
  return [data.messageId, data.message_id, headerOf(data, 'message-id')].filter(isText)
}

function answeredIds(data: Data): string[] {
  const named = [
    data.in_reply_to,
    data.inReplyTo,
    headerOf(data, 'in-reply-to'),
    data.references,
    headerOf(data, 'references'),
  ]
  return named.flat().filter(isText).flatMap(idsIn)
}

/** The newest comes last and is tried first. */
function idsIn(text: string): string[] {
  return text
    .slice(-HEADER_LENGTH_MAX)
    .split(/[\s,]+/)
    .filter(Boolean)
    .toReversed()
}
const HEADER_LENGTH_MAX = 10_000

function isAutomatic(data: Data): boolean {
  const submitted = headerOf(data, 'auto-submitted')
  const precedence = headerOf(data, 'precedence')
  return (
    (submitted !== undefined && !/^no\b/i.test(submitted)) ||
    headerOf(data, 'x-autoreply') !== undefined ||
    /auto_reply|bulk|junk/i.test(precedence ?? '')
  )
}

/** `{name: value}`, or a list of `{name, value}`, as Resend has it. */
function headerOf({ headers }: Data, name: string): string | undefined {
  const pairs = Array.isArray(headers)
    ? headers.map(header => [fields(header).name, fields(header).value])
    : Object.entries(fields(headers))
  const found = pairs.find(([key]) => isText(key) && key.toLowerCase() === name)?.[1]
  return isText(found) ? found : undefined
}

function recipientsOf({ to }: Data): string[] {
  return mailboxesIn(to).map(({ address }) => address)
}

/** `a@b.c`, `Ada <a@b.c>`, or a list of them. */
function mailboxesIn(value: unknown): { address: string; name: string | null }[] {
  const all: unknown[] = Array.isArray(value) ? value : [value]
  return all.flatMap(each => {
    const text = isText(each) ? each : firstText(fields(each).email, fields(each).address)
    const [, before, within] = /^(.*?)<([^<>]+)>\s*$/s.exec(text ?? '') ?? []
    const address = (within ?? text)?.trim()
    const name = firstText(before?.trim().replace(/^"(.*)"$/s, '$1'), fields(each).name) ?? null
    return address ? [{ address, name }] : []
  })
}

function providerIdOf(data: Data): string | undefined {
  return firstText(data.email_id, data.emailId)
}

function firstText(...values: unknown[]): string | undefined {
  return values.find(isText)
}

function fields(value: unknown): Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : {}
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
