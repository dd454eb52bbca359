import type { Context } from '#platform/context.ts'
import { html, letter } from '#platform/html.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { sendMail } from '#domains/mail/service.ts'
import type { Form, Submission } from './contract.ts'
import * as store from './notice-store.ts'
import { findForm } from './service.ts'
import { lines, shownAnswers } from './shown-answers.ts'
import { findSubmissions } from './submission-store.ts'
import type { Sent } from './sent.ts'
import { getShownVersion } from './versions.ts'

export const GATHERED_JOB = 'forms.gathered_notice'
/** What comes so soon after a notice is told together with what else comes: a flood is one mail a minute. */
export const GATHERING_MS = 60_000
/** So many of them are shown; the rest is a number. */
export const GATHERED_SHOWN_MAX = 20

const KIND = 'form-notice'

/** Tells each address that the form names: of the first submission at once, of those that follow it closely together. */
export async function noticeAll(ctx: Context, sent: Sent): Promise<void> {
  for (const to of sent.form.notify) {
    if (await store.beginGathering(ctx, sent.form.id, to)) {
      mailNotice(ctx, sent, to)
      gatherOn(ctx, sent.form.id, to)
    } else store.addWaiting(ctx, sent.form.id, to, sent.submission.id, GATHERED_SHOWN_MAX)
  }
}

/** A minute has passed: what has come meanwhile is told, and if nothing has, the next is told at once again. */
export async function mailGathered(ctx: Context, job: Job): Promise<void> {
  const { form_id, to } = job.data as { form_id: string; to: string }
  const row = await store.lockNotice(ctx, form_id, to)
  if (!row?.gathering) return
  const form = await findForm(ctx, form_id)
  const goesOn = Boolean(form?.notify.includes(to) && row.waiting > 0)
  store.emptyNotice(ctx, form_id, to, goesOn)
  if (!form || !goesOn) return
  await mailSeveral(ctx, form, to, row)
  gatherOn(ctx, form_id, to)
}

function gatherOn(ctx: Context, form_id: string, to: string): void {
  enqueue(ctx, { kind: GATHERED_JOB, data: { form_id, to }, run_at: ctx.in(GATHERING_MS) })
}

function mailNotice(ctx: Context, { form, content, submission }: Sent, to: string): void {
  const { baseUrl } = ctx.runtime.settings
  const answers = shownAnswers(content, submission.values)
  const links = [
    ...(submission.lead_id ? [{ name: 'View lead', to: `${baseUrl}/leads/${submission.lead_id}` }] : []),
    { name: 'View form', to: `${baseUrl}/forms/${form.id}` },
  ]
  const subject = `New submission: ${form.name}`
  const text = [
    ...answers.map(({ label, answer }) => `${label}: ${answer}`),
    '',
    ...links.map(({ name, to }) => `${name}: ${to}`),
    '',
  ].join('\n')
  const page = letter(
    subject,
    html`<p>New submission for ${form.name}:</p>
      <dl>
        ${answers.map(
          ({ label, answer }) =>
            html`<dt><strong>${label}</strong></dt>
              <dd>${lines(answer)}</dd>`,
        )}
      </dl>
      ${links.map(({ name, to }) => html`<p><a href="${to}">${name}</a></p>`)}`,
  )
  sendMail(ctx, {
    kind: KIND,
    about: { kind: 'submission', id: submission.id },
    to,
    subject,
    text,
    html: page,
  })
}

type Gathered = { waiting: number; first_ids: string[] }

async function mailSeveral(
  ctx: Context,
  form: Form,
  to: string,
  { waiting, first_ids }: Gathered,
): Promise<void> {
  const shown = await Promise.all(
    (await findSubmissions(ctx, first_ids)).map(each => inALine(ctx, form, each)),
  )
  const more = waiting - shown.length
  const rest = more > 0 ? `And ${more} more.` : ''
  const link = `${ctx.runtime.settings.baseUrl}/forms/${form.id}?tab=submissions`
  const subject = `${waiting} new submissions: ${form.name}`
  const text = [...shown.map(({ words, to }) => `${words}\n${to}`), rest, `View all: ${link}`, '']
  const page = letter(
    subject,
    html`<p>${form.name} received ${waiting} submissions since the last email:</p>
      <ul>
        ${shown.map(({ words, to }) => html`<li><a href="${to}">${words}</a></li>`)}
      </ul>
      <p>${rest} <a href="${link}">View all</a></p>`,
  )
  const about = { kind: 'form', id: form.id }
  sendMail(ctx, { kind: KIND, about, to, subject, text: text.join('\n\n'), html: page })
}

const LINE_LENGTH_MAX = 200

async function inALine(ctx: Context, form: Form, { id, form_version, values }: Submission) {
  const { content } = await getShownVersion(ctx, form.id, form_version)
  const answers = shownAnswers(content, values).map(({ answer }) => answer.replace(/\s+/g, ' '))
  return {
    words: answers.join(', ').slice(0, LINE_LENGTH_MAX) || 'No answers',
    to: `${ctx.runtime.settings.baseUrl}/forms/${form.id}?tab=submissions&submission=${id}`,
  }
}
