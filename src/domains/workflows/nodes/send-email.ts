import { renderEmail } from '#domains/messages/letters.ts'
import { unsubscribeUrl, type EmailDraft } from '#domains/messages/writing.ts'
import type { Done } from '../state.ts'
import { NO_LEAD, type Perform, type Request } from './action.ts'
import { done, failed, skipped } from './answers.ts'
import type { Asked } from './asked.ts'
import { learn, noTemplate, originOf, PAUSED, post, type Known } from './outreach.ts'

export const perform: Perform<'send_email'> = async (ctx, requests) => {
  const known = await learn(ctx, 'email', requests)
  const emails: EmailDraft[] = []
  const answers = requests.map(request => send(request, known, emails))
  post(ctx, { emails })
  return answers
}

export function given({ node, lead }: Pick<Asked<'send_email'>, 'node' | 'lead'>) {
  return { template: node.template, to: lead?.email ?? null }
}

export const NO_ADDRESS = 'The lead has no mail address.'

function send(request: Request<'send_email'>, known: Known, emails: EmailDraft[]): Done {
  const { ctx, node, lead } = request
  const input = given(request)
  if (!lead) return NO_LEAD
  if (!lead.email) return failed(input, NO_ADDRESS)
  if (known.suppressed.has(lead.email.toLowerCase()))
    return skipped(input, `${lead.email} is on the list of those not to be written to.`)
  if (known.paused) return { ...PAUSED, input }
  const letter = known.letters.get(node.template!)
  if (!letter) return failed(input, noTemplate(node.template))
  const id = ctx.newId()
  const { subject, html, text } = renderEmail(ctx, letter, lead, known.sender, unsubscribeUrl(ctx, id))
  emails.push({
    id,
    lead_id: lead.id,
    address: lead.email,
    subject,
    html,
    text,
    thread: [],
    track: { opens: true, clicks: true },
    meeting_url: known.sender.meeting_url,
    origin: originOf(request as Request),
  })
  return done({ ...input, subject }, { message_id: id }, `A mail to ${lead.email} is on its way.`)
}
