import { nextOutside } from '#platform/zone.ts'
import type { Sender } from '#domains/messages/settings.ts'
import { SMS_LENGTH_MAX } from '#domains/messages/values.ts'
import type { SmsDraft } from '#domains/messages/writing.ts'
import { renderBody } from '#domains/templates/render.ts'
import type { Done } from '../state.ts'
import { NO_LEAD, type Perform, type Request } from './action.ts'
import { done, failed, skipped } from './answers.ts'
import { ask, textOf, type Asked } from './asked.ts'
import { learn, noTemplate, originOf, PAUSED, post, type Known } from './outreach.ts'

export const perform: Perform<'send_sms'> = async (ctx, requests) => {
  const known = await learn(ctx, 'phone', requests)
  const sms: SmsDraft[] = []
  const answers = (await ask(ctx, requests)).map(request => send(request, known, sms))
  post(ctx, { sms })
  return answers
}

export function given(asked: Asked<'send_sms'>) {
  const { node, lead } = asked
  const said =
    node.template === undefined ? { message: textOf(node.message, asked) } : { template: node.template }
  return { ...said, to: lead?.phone ?? null }
}

export const NO_NUMBER = 'The lead has no phone number.'

function send(request: Request<'send_sms'> & Asked<'send_sms'>, known: Known, sms: SmsDraft[]): Done {
  const { ctx, node, lead, values, zone, nowMs } = request
  const input = given(request)
  if (!lead) return NO_LEAD
  if (!lead.phone) return failed(input, NO_NUMBER)
  if (known.suppressed.has(lead.phone)) return skipped(input, `${lead.phone} wants no text messages.`)
  if (known.paused) return { ...PAUSED, input }
  const quiet = quietMs(known.sender, nowMs, zone)
  if (quiet > 0) return { later: quiet, reason: `Quiet hours in ${zone}.`, input }
  const letter = node.template === undefined ? undefined : known.letters.get(node.template)
  if (node.template !== undefined && !letter) return failed(input, noTemplate(node.template))
  const text = letter ? renderBody(letter, values).text : textOf(node.message, request)
  const fault = faultIn(text)
  if (fault) return failed(input, fault)
  const id = ctx.newId()
  sms.push({ id, lead_id: lead.id, address: lead.phone, text, origin: originOf(request as Request) })
  const note = `A text message to ${lead.phone} is on its way.`
  return done({ ...input, message: text }, { message_id: id }, note)
}

/** For how long nobody is to be disturbed from now on. */
function quietMs(
  { sms_quiet_from: from, sms_quiet_until: until }: Sender,
  nowMs: number,
  zone: string,
): number {
  return from && until ? nextOutside(nowMs, from, until, zone) - nowMs : 0
}

export function faultIn(text: string): string | undefined {
  if (text === '') return 'Nothing is left of the message for this lead.'
  if (text.length > SMS_LENGTH_MAX)
    return `The message has ${text.length} characters; a text message has at most ${SMS_LENGTH_MAX}.`
  return undefined
}
