import { Answer } from '#platform/answer.ts'
import { systemContext, type Actor, type Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import { isSignedByTwilio } from '#platform/twilio-signature.ts'
import { onlyTeam } from '#domains/identity/service.ts'
import { findByProviderIds, findLatestTo, findTeamOfRecipient, nameByProvider } from './engagement-store.ts'
import { noteBounce, noteDelivered, noteReplied } from './outcomes.ts'
import { takeWord } from './stop-words.ts'

const PATH = '/api/sms/twilio'
const provider: Actor = { kind: 'provider', id: null, name: 'SMS provider' }

/** Twilio's reasons of which the number itself is one: nobody has it, or it is no mobile phone. */
const DEAD_NUMBERS = ['30005', '30006']

type Params = Record<string, string>
type Asked = { body: Params | undefined; headers: Record<string, string | undefined> }

/** What the provider of text messages tells. Nothing of it is believed, or written, unless it is signed. */
export async function takeSms(ctx: Context, { body = {}, headers }: Asked): Promise<Answer> {
  const { twilioAuthToken, baseUrl } = ctx.runtime.settings
  const signature = headers['x-twilio-signature']
  if (!twilioAuthToken || !isSignedByTwilio(twilioAuthToken, baseUrl + PATH, body, signature))
    throw new Problem('forbidden', 'The signature is missing or invalid.', {
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
  if (!phone) return
  if (await takeWord(ctx, { phone, text: OptOutType ?? text, provider })) return
  const own = await teamOf(ctx, phone)
  const message = own && (await findLatestTo(own, { channel: 'sms', address: phone }))
  if (message) await noteReplied(own, message, { text, answer_id })
  else await takeUnasked(ctx, { phone, text, answer_id: answer_id ?? null })
}

/** From a number that nobody has texted: it can be for one team only where there is one. */
async function takeUnasked(
  ctx: Context,
  { phone, text, answer_id }: { phone: string; text: string; answer_id: string | null },
): Promise<void> {
  const team = await onlyTeam(ctx)
  if (team === undefined) return
  await ctx.runtime.registry.offers.takeMessage?.(contextOf(ctx, team), {
    channel: 'sms',
    address: phone,
    name: null,
    subject: null,
    text,
    answer_id,
    automatic: false,
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
      const reason = code ? `The provider returned error ${code}.` : 'The provider could not deliver it.'
      await noteBounce(ctx, message, { permanent: DEAD_NUMBERS.includes(code), reason })
    }
  })
}

/** A reply belongs to the team that wrote to this number last. */
async function teamOf(ctx: Context, phone: string): Promise<Context | undefined> {
  const team_id = await findTeamOfRecipient(ctx, phone)
  return team_id === undefined ? undefined : contextOf(ctx, team_id)
}

function contextOf(ctx: Context, team_id: string): Context {
  return systemContext(ctx.runtime, team_id).as(provider)
}
