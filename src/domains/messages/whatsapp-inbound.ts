import { Answer } from '#platform/answer.ts'
import { systemContext, type Actor, type Context } from '#platform/context.ts'
import type { SignedBody } from '#platform/contract.ts'
import { isConnectionLoss } from '#platform/database/pool.ts'
import { Problem } from '#platform/problem.ts'
import { WHATSAPP_ADDRESS } from '#platform/values.ts'
import { meaningOf } from '#platform/whatsapp-errors.ts'
import { isSameText, isSignedByWhatsApp } from '#platform/whatsapp-signature.ts'
import { isTeam, onlyTeam } from '#domains/identity/service.ts'
import { readWhatsAppReference } from './compose.ts'
import {
  findByProviderIds,
  findLatestTo,
  findTeamOfProviderId,
  findTeamOfRecipient,
  type Heard,
} from './engagement-store.ts'
import { noteReplied } from './outcomes.ts'
import { takeWord } from './stop-words.ts'
import { fieldsOf, listOf, shownOf, textOf, type Given } from './whatsapp-content.ts'
import { noteStatus, whatsappStatuses, type WhatsAppStatus } from './whatsapp-outcomes.ts'

const provider: Actor = { kind: 'provider', id: null, name: 'WhatsApp' }
const ENTRIES_MAX = 1_000
const plain = { 'content-type': 'text/plain; charset=utf-8' }

type Verification = { 'hub.mode'?: string; 'hub.challenge'?: string; 'hub.verify_token'?: string }

/** WhatsApp asks whether this address is ours. */
export function verifyWhatsApp(ctx: Context, query: Verification): Answer {
  const { whatsapp } = ctx.runtime.settings
  const challenge = query['hub.challenge']
  const isOurs =
    whatsapp &&
    query['hub.mode'] === 'subscribe' &&
    isSameText(whatsapp.verifyToken, query['hub.verify_token'] ?? '')
  if (!isOurs || challenge === undefined || !/^[\w.-]{1,200}$/.test(challenge))
    throw new Problem('forbidden', 'The verify token is not that of this installation.', {
      code: 'invalid_verify_token',
    })
  return new Answer(200, plain, challenge)
}

type Asked = { body: SignedBody; headers: Record<string, string | undefined> }

/**
 * What WhatsApp tells. Nothing of it is believed, or written, unless it is signed. It is answered when all of it is written; what
 * WhatsApp then tells again changes nothing.
 */
export async function takeWhatsApp(ctx: Context, { body, headers }: Asked): Promise<Answer> {
  const { whatsapp } = ctx.runtime.settings
  if (!whatsapp || !isSignedByWhatsApp(whatsapp.appSecret, body.text, headers['x-hub-signature-256']))
    throw new Problem('forbidden', 'The signature is missing or invalid.', { code: 'invalid_signature' })
  for (const value of valuesIn(body.json, whatsapp.phoneNumberId)) {
    const names = namesIn(value)
    for (const status of listOf(value.statuses, ENTRIES_MAX))
      await alone(ctx, status, () => takeStatus(ctx, status))
    for (const message of listOf(value.messages, ENTRIES_MAX))
      await alone(ctx, message, () => takeText(ctx, message, names))
  }
  return new Answer(200, plain, 'ok')
}

/** Only what is told of our number: one app may have several. */
function valuesIn(json: unknown, phoneNumberId: string): Given[] {
  return listOf(fieldsOf(json).entry, ENTRIES_MAX)
    .flatMap(({ changes }) => listOf(changes, ENTRIES_MAX))
    .filter(({ field }) => field === 'messages')
    .map(({ value }) => fieldsOf(value))
    .filter(({ metadata }) => String(fieldsOf(metadata).phone_number_id) === phoneNumberId)
}

function namesIn({ contacts }: Given): Map<string, string> {
  return new Map(
    listOf(contacts, ENTRIES_MAX).flatMap(({ wa_id, user_id, profile }) => {
      const name = textOf(fieldsOf(profile).name)
      const ids = [textOf(wa_id), textOf(user_id)].filter(id => id !== undefined)
      return name === undefined ? [] : ids.map(id => [id, name] as const)
    }),
  )
}

/** One that cannot be understood holds up no other: WhatsApp would bring all of them again, and again. */
async function alone(ctx: Context, { id }: Given, take: () => Promise<void>): Promise<void> {
  try {
    await take()
  } catch (error) {
    if (isConnectionLoss(error) || (error instanceof Problem && error.kind === 'unavailable')) throw error
    if (PASSING_CODE.test((error as { code?: string }).code ?? '')) throw error
    ctx.log.warn({ err: error, wamid: textOf(id) }, 'a WhatsApp event could not be processed')
  }
}

/** Classes of PostgreSQL: a transaction that lost a conflict, no room or memory, a lock, a fault of the system. */
const PASSING_CODE = /^(?:40|53|55|58)[0-9A-Z]{3}$/

async function takeStatus(ctx: Context, told: Given): Promise<void> {
  const wamid = textOf(told.id)
  const status = whatsappStatuses.find(one => one === told.status)
  if (!wamid || !status) return
  const named = readWhatsAppReference(told.biz_opaque_callback_data)
  if (named && (await isTeam(ctx, named.team_id))) {
    const { team_id, id, attempt } = named
    await noteStatus(contextOf(ctx, team_id), id, { ...detailsOf(told, status), attempt, provider_id: wamid })
    return
  }
  const found = await findOurs(ctx, wamid)
  if (found)
    await noteStatus(found.own, found.message.id, {
      ...detailsOf(told, status),
      attempt: undefined,
      provider_id: wamid,
    })
}

function detailsOf({ errors }: Given, status: WhatsAppStatus) {
  const error = listOf(errors)[0]
  const code = typeof error?.code === 'number' ? error.code : undefined
  const words = [fieldsOf(error?.error_data).details, error?.message, error?.title].find(textOf)
  const reason = status === 'failed' ? meaningOf(code, textOf(words)) : null
  return { status, reason }
}

/** What somebody wrote to our number. */
async function takeText(ctx: Context, message: Given, names: Map<string, string>): Promise<void> {
  const wamid = textOf(message.id)
  const number = textOf(message.from)
  const user_id = textOf(message.from_user_id)
  const address = addressOf(number, user_id)
  if (!wamid || !address) return
  const shown = shownOf(message)
  const word = { phone: address, text: shown.text, answer_id: wamid, provider }
  if (!shown.media && (await takeWord(ctx, word))) return
  const named = await findOurs(ctx, textOf(fieldsOf(message.context).id))
  const own = named?.own ?? (await teamOf(ctx, address))
  if (!own) return ctx.log.warn({ wamid }, 'a WhatsApp message names no team')
  const answered = named?.message ?? (await findLatestTo(own, { channel: 'whatsapp', address }))
  await own.runtime.registry.offers.takeMessage?.(own, {
    channel: 'whatsapp',
    address,
    name: names.get(number ?? '') ?? names.get(user_id ?? '') ?? null,
    subject: null,
    text: shown.text,
    answer_id: wamid,
    automatic: false,
    ...atOf(message),
    ...(shown.media && { media: shown.media }),
    ...(answered && { answered: answered.id }),
  })
  if (answered) await noteReplied(own, answered, { text: shown.text, answer_id: wamid })
}

/** Somebody with a user name may hide their number. */
function addressOf(number: string | undefined, user_id: string | undefined): string | undefined {
  if (number && /^\+?[1-9]\d{6,14}$/.test(number)) return `+${number.replace(/^\+/, '')}`
  return user_id && /^[A-Z]{2}\.[\w.]{1,140}$/.test(user_id) ? WHATSAPP_ADDRESS + user_id : undefined
}

function atOf({ timestamp }: Given): { at?: string } {
  const seconds = Number(timestamp)
  return Number.isSafeInteger(seconds) && seconds > 0 && seconds < 1e11
    ? { at: new Date(seconds * 1_000).toISOString() }
    : {}
}

/** The message of ours that WhatsApp calls so. */
async function findOurs(
  ctx: Context,
  wamid: string | undefined,
): Promise<{ own: Context; message: Heard } | undefined> {
  const team_id = wamid && (await findTeamOfProviderId(ctx, wamid))
  if (!team_id) return undefined
  const own = contextOf(ctx, team_id)
  const [message] = await findByProviderIds(own, [wamid])
  return message?.channel === 'whatsapp' ? { own, message } : undefined
}

/** The team that wrote to this number last, or the only one. */
async function teamOf(ctx: Context, address: string): Promise<Context | undefined> {
  const team_id = (await findTeamOfRecipient(ctx, address)) ?? (await onlyTeam(ctx))
  return team_id === undefined ? undefined : contextOf(ctx, team_id)
}

function contextOf(ctx: Context, team_id: string): Context {
  return systemContext(ctx.runtime, team_id).as(provider)
}
