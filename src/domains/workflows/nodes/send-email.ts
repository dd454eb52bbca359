import { renderEmail } from '#domains/messages/letters.ts'
import { unsubscribeUrl, type EmailDraft } from '#domains/messages/compose.ts'
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

type Sent = Pick<Request<'send_email'>, 'ctx' | 'node' | 'lead'>

/** The mail as it would go to this lead now, or what comes instead: a wait, or the reason why not. */
export function mailFor({ ctx, node, lead }: Sent, id: string, known: Known): Mail | Done {
  const input = given({ node, lead })
  if (!lead) return NO_LEAD
  if (!lead.email) return failed(input, 'The lead has no email address.')
  if (known.suppressed.has(lead.email.toLowerCase()))
    return skipped(input, `${lead.email} is on the suppression list.`)
  if (known.paused) return { ...PAUSED, input }
  const letter = known.letters.get(node.template!)
  if (!letter) return failed(input, noTemplate(node.template))
  const { subject, html, text, fault } = renderEmail(ctx, letter, lead, known.sender, unsubscribeUrl(ctx, id))
  if (fault !== null) return failed(input, fault)
  return { to: lead.email, lead_id: lead.id, input: { ...input, subject }, subject, html, text }
}

type Mail = {
  to: string
  lead_id: string
  input: Record<string, unknown>
  subject: string
  html: string
  text: string
}

function send(request: Request<'send_email'>, known: Known, emails: EmailDraft[]): Done {
  const id = request.ctx.newId()
  const mail = mailFor(request, id, known)
  if (!('to' in mail)) return mail
  const { to, lead_id, input, ...written } = mail
  emails.push({
    id,
    lead_id,
    address: to,
    ...written,
    thread: [],
    track: { opens: true, clicks: true },
    meeting_url: known.sender.meeting_url,
    origin: originOf(request as Request),
  })
  return done(input, { message_id: id }, `Email to ${to} queued.`)
}
