import { nextOutside } from '#platform/zone.ts'
import { linkFault } from '#domains/messages/letters.ts'
import type { Sender } from '#domains/messages/settings.ts'
import { SMS_LENGTH_MAX } from '#domains/messages/values.ts'
import type { SmsDraft } from '#domains/messages/compose.ts'
import { compileText, missingFrom, type Bound } from '#domains/templates/merge.ts'
import { missingIn, renderBody } from '#domains/templates/render.ts'
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

type Text = { to: string; lead_id: string; input: Record<string, unknown>; text: string }

/** The message as it would go to this lead now, or what comes instead: a wait, or the reason why not. */
export function textFor(asked: Asked<'send_sms'>, known: Known): Text | Done {
  const { node, lead, values, zone, nowMs } = asked
  const input = given(asked)
  if (!lead) return NO_LEAD
  if (!lead.phone) return failed(input, 'The lead has no phone number.')
  if (known.suppressed.has(lead.phone)) return skipped(input, `${lead.phone} has opted out of text messages.`)
  if (known.paused) return { ...PAUSED, input }
  const quiet = quietMs(known.sender, nowMs, zone)
  if (quiet > 0) return { later: quiet, reason: `Quiet hours in ${zone}.`, input }
  const letter = node.template === undefined ? undefined : known.letters.get(node.template)
  if (node.template !== undefined && !letter) return failed(input, noTemplate(node.template))
  const missing = letter ? missingIn(letter, values) : missingFrom(slotsIn(node.message ?? ''), values)
  const text = letter ? renderBody(letter, values).text : textOf(node.message, asked)
  const fault = linkFault(missing) ?? faultIn(text)
  if (fault) return failed(input, fault)
  return { to: lead.phone, lead_id: lead.id, input: { ...input, message: text }, text }
}

function send(request: Request<'send_sms'> & Asked<'send_sms'>, known: Known, sms: SmsDraft[]): Done {
  const message = textFor(request, known)
  if (!('to' in message)) return message
  const { to, lead_id, input, text } = message
  const id = request.ctx.newId()
  sms.push({ id, lead_id, address: to, text, origin: originOf(request as Request) })
  return done(input, { message_id: id }, `Text message to ${to} queued.`)
}

function slotsIn(message: string): Bound[] {
  return compileText(message, []).filter(piece => typeof piece !== 'string')
}

/** For how long nobody is to be disturbed from now on. */
function quietMs(
  { sms_quiet_from: from, sms_quiet_until: until }: Sender,
  nowMs: number,
  zone: string,
): number {
  return from && until ? nextOutside(nowMs, from, until, zone) - nowMs : 0
}

function faultIn(text: string): string | undefined {
  if (text === '') return 'The message is empty for this lead.'
  if (text.length > SMS_LENGTH_MAX)
    return `The message has ${text.length} characters; the limit is ${SMS_LENGTH_MAX}.`
  return undefined
}
