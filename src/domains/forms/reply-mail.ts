import type { Context } from '#platform/context.ts'
import { html, letter, type Html } from '#platform/html.ts'
import { mailsTo, sendMail } from '#domains/mail/service.ts'
import { isSuppressed } from '#domains/suppressions/service.ts'
import type { Answers, FormContent } from './contract.ts'
import { mappedFields, own } from './model.ts'
import { filledIn } from './reply-text.ts'
import { lines } from './shown-answers.ts'
import { lockWords } from './store.ts'
import type { Sent } from './sent.ts'

/** Limits how much email we can be made to send to one address. */
export const REPLIES_PER_DAY_MAX = 1
const DAY_MS = 86_400_000

/** Sends the auto-reply to the submitted address. */
export async function mailReply(ctx: Context, { form, content, submission }: Sent): Promise<void> {
  if (!form.auto_reply?.enabled) return
  const to = addressIn(content, submission.values)?.toLowerCase()
  if (!to || (await isSuppressed(ctx, 'email', to))) return
  const kind = `form-reply-${form.id}`
  await lockWords(ctx, [`${kind} ${to}`])
  if ((await mailsTo(ctx, kind, to, DAY_MS)) >= REPLIES_PER_DAY_MAX) return
  const subject = filledIn(form.auto_reply.subject, submission.values)
  const text = filledIn(form.auto_reply.body.replace(/\r\n?/g, '\n'), submission.values)
  sendMail(ctx, {
    kind,
    about: { kind: 'submission', id: submission.id },
    to,
    subject,
    text,
    html: letter(subject, html`${paragraphs(text)}`),
  })
}

/** The answer that becomes the lead's address, or else the first address that was given. */
function addressIn(content: FormContent, values: Answers): string | undefined {
  const emails = content.fields.filter(({ type }) => type === 'email').map(({ key }) => key)
  const mapped = mappedFields(content)
    .filter(({ key, target }) => target === 'email' && emails.includes(key))
    .map(({ key }) => key)
  return [...mapped, ...emails].map(key => own(values, key)).find(value => typeof value === 'string')
}

function paragraphs(text: string): Html[] {
  return text.split(/\n{2,}/).map(part => html`<p>${lines(part)}</p>`)
}
