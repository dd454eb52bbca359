import { Answer } from '#platform/answer.ts'
import { systemContext, type Actor, type Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import { isSignedByTwilio } from '#platform/twilio-signature.ts'
import { lift } from '#domains/suppressions/service.ts'
import {
  findByProviderIds,
  findLatestTo,
  findTeamOfRecipient,
  nameByProvider,
  type Heard,
} from './heard-store.ts'
import { noteBounce, noteDelivered, noteReplied, noteResubscribed, noteUnsubscribed } from './outcomes.ts'

const PATH = '/api/sms/twilio'
const source = 'SMS provider'
const provider: Actor = { kind: 'provider', id: null, name: source }

/** Twilio's own words for it, and those that carriers have to take since 2025. */
const STOP_WORDS = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT']
const START_WORDS = ['START', 'UNSTOP', 'YES']

/** Twilio's reasons of which the number itself is one: nobody has it, or it is no mobile phone. */
const DEAD_NUMBERS = ['30005', '30006']

type Params = Record<string, string>
type Asked = { body: Params | undefined; headers: Record<string, string | undefined> }

/** What the provider of text messages tells. Nothing of it is believed, or written, unless it is signed. */
export async function takeSms(ctx: Context, { body = {}, headers }: Asked): Promise<Answer> {
  const { twilioAuthToken, baseUrl } = ctx.runtime.settings
  const signature = headers['x-twilio-signature']
  if (!twilioAuthToken || !isSignedByTwilio(twilioAuthToken, baseUrl + PATH, body, signature))
    throw new Problem('forbidden', 'The signature is missing or not made with our token.', {
      code: 'invalid_signature',
    })
  if (body.MessageStatus !== undefined && body.Body === undefined) await takeStatus(ctx, body)
  else await takeText(ctx, body)
  return new Answer(200, { 'content-type': 'text/xml; charset=utf-8' }, '<Response/>')
}

/** What somebody wrote to our number. */
async function takeText(
  ctx: Context,
  { From: phone, Body: text = '', MessageSid: answer_id, OptOutType }: Params,
): Promise<void> {
  const own = phone ? await teamOf(ctx, phone) : undefined
  const message = own && (await findLatestTo(own, { channel: 'sms', address: phone! }))
  if (!message) return
  const word =
    OptOutType ??
    text
      .trim()
      .replace(/[.!]+$/, '')
      .toUpperCase()
  if (STOP_WORDS.includes(word)) return void (await noteUnsubscribed(own, message, { source }))
  if (START_WORDS.includes(word) && (await startAgain(own, message))) return
  await noteReplied(own, message, { text, answer_id })
}

/** Whether there was a STOP to take back: without one, "yes" is an answer like any other. */
async function startAgain(ctx: Context, message: Heard): Promise<boolean> {
  return ctx.transaction(async ctx => {
    await noteResubscribed(ctx, message)
    return lift(ctx, { channel: 'phone', address: message.address, source, reasons: ['stop'] })
  })
}

/** What became of one that we sent. It may be told before we have noted what it is called there. */
async function takeStatus(ctx: Context, params: Params): Promise<void> {
  const { MessageSid: sid, MessageStatus: status, To: phone, ErrorCode: code = '' } = params
  const own = phone && sid ? await teamOf(ctx, phone) : undefined
  if (!own || !sid || !phone) return
  await own.transaction(async ctx => {
    const [known] = await findByProviderIds(ctx, [sid])
    const message = known ?? (await findLatestTo(ctx, { channel: 'sms', address: phone, unnamed: true }))
    if (!message) return
    if (!known) nameByProvider(ctx, message, sid)
    if (status === 'delivered') await noteDelivered(ctx, message)
    if (status === 'undelivered' || status === 'failed') {
      const reason = code ? `The provider gave the reason ${code}.` : 'The provider could not deliver it.'
      await noteBounce(ctx, message, { permanent: DEAD_NUMBERS.includes(code), reason })
    }
  })
}

/** Whoever wrote to this number last is whom it answers. */
async function teamOf(ctx: Context, phone: string): Promise<Context | undefined> {
  const team_id = await findTeamOfRecipient(ctx, phone)
  return team_id === undefined ? undefined : systemContext(ctx.runtime, team_id).as(provider)
}
