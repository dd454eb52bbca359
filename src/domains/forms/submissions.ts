import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { readAnswers } from './answers.ts'
import {
  formSubmitted,
  submissionDeleted,
  submissionQuarantined,
  submissionReleased,
  type Form,
  type FormContent,
  type ListSubmissions,
  type Submission,
} from './contract.ts'
import { takeInLead } from './lead-intake.ts'
import { ABLE, isProof, proofRequired } from './proof.ts'
import { getForm } from './service.ts'
import { judge, type Judgement } from './spam.ts'
import { lockWords, records } from './store.ts'
import * as store from './submission-store.ts'
import { firstTouch, lastTouch } from './touch.ts'
import { getVersion } from './versions.ts'

const USER_AGENT_LENGTH_MAX = 500

export type Body = Readonly<Record<string, unknown>>
/** A published form as visitors see it. */
export type Shown = { form: Form; content: FormContent }
export type Thanks = { id: string; message: string | null; redirect_url: string | null }

/** Takes in what a visitor sent. Answers every fault at once, and to who is suspected the same as to anybody. */
export async function submit(
  ctx: Context,
  { form, content }: Shown,
  body: Body,
  { tokenNeeded }: { tokenNeeded: boolean },
): Promise<Thanks> {
  const { values, faults } = readAnswers(content, body)
  if (faults.length > 0) throw invalid(faults)
  const judgement = cleared(
    ctx,
    form.id,
    body,
    await judge(ctx, { form_id: form.id, content, values, body, tokenNeeded }),
  )
  const now = ctx.now()
  const submission: Submission = {
    id: ctx.newId(),
    form_id: form.id,
    form_version: form.version,
    lead_id: null,
    status: judgement.reasons.length > 0 ? 'QUARANTINED' : 'RECEIVED',
    reasons: judgement.reasons,
    notes: [],
    values,
    first_touch: firstTouch(body, now),
    last_touch: lastTouch(body, now),
    ip: ctx.request?.ip ?? null,
    user_agent: ctx.request?.user_agent?.slice(0, USER_AGENT_LENGTH_MAX) ?? null,
    created_at: now,
    released_at: null,
  }
  const id = await keep(ctx, { form, content }, submission, judgement.page_key)
  return { id, message: content.redirect_url ? null : content.thank_you, redirect_url: content.redirect_url }
}

export async function listSubmissions(ctx: Context, form_id: string, query: ListSubmissions) {
  await getForm(ctx, form_id)
  return store.listSubmissions(ctx, form_id, query)
}

export async function getSubmission(ctx: Context, id: string): Promise<Submission> {
  return there(await store.findSubmission(ctx, id))
}

/** Out of quarantine: from here on it is like any other. One that is out already stays as it is. */
export async function releaseSubmission(ctx: Context, id: string): Promise<Submission> {
  return ctx.transaction(async ctx => {
    const submission = there(await store.lockSubmission(ctx, id))
    if (submission.status !== 'QUARANTINED') return submission
    const form = await getForm(ctx, submission.form_id)
    const { content } = await getVersion(ctx, form.id, submission.form_version)
    const { lead_id, notes } = await takeInLead(ctx.as(actorOf(form)), sentBy({ form, content }, submission))
    const change = { status: 'RECEIVED', lead_id, notes, released_at: ctx.now() } as const
    store.updateSubmission(ctx, id, change)
    const released = { ...submission, ...change }
    record(
      ctx,
      submissionReleased,
      { kind: 'submission', id, lead_id },
      { form_id: form.id, form_name: form.name },
    )
    tell(ctx, form, released)
    return released
  })
}

/** For good. The lead that came of it stays. */
export async function deleteSubmission(ctx: Context, id: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const { form_id } = there(await store.lockSubmission(ctx, id))
    // Also one whose form lies in the trash.
    const form = await records.find(ctx, form_id)
    store.deleteSubmission(ctx, id)
    record(ctx, submissionDeleted, { kind: 'submission', id }, { form_id, form_name: form!.name })
  })
}

/** The submission, its lead and its event are one transaction. A page that was sent before has its answer already. */
async function keep(
  ctx: Context,
  { form, content }: Shown,
  submission: Submission,
  page_key: string | null,
): Promise<string> {
  return ctx.as(actorOf(form)).transaction(async ctx => {
    if (page_key) {
      await lockWords(ctx, [`page ${page_key}`])
      const before = await store.findByPage(ctx, form.id, page_key)
      if (before) return before.id
    }
    if (submission.status === 'QUARANTINED') {
      store.insertSubmission(ctx, { ...submission, page_key })
      const { reasons } = submission
      const about = { kind: 'submission', id: submission.id }
      record(ctx, submissionQuarantined, about, { form_id: form.id, form_name: form.name, reasons })
      return submission.id
    }
    const taken = { ...submission, ...(await takeInLead(ctx, sentBy({ form, content }, submission))) }
    store.insertSubmission(ctx, { ...taken, page_key })
    tell(ctx, form, taken)
    return taken.id
  })
}

/** Who is suspected and able to work is asked to, and is not suspected any more afterwards; the trap is never forgiven. */
function cleared(ctx: Context, form_id: string, body: Body, judgement: Judgement): Judgement {
  const { reasons } = judgement
  if (reasons.length === 0 || reasons.includes('honeypot')) return judgement
  if (body._proof === ABLE) throw proofRequired(ctx.runtime, form_id)
  return isProof(ctx.runtime, form_id, body._proof) ? { ...judgement, reasons: [] } : judgement
}

function tell(ctx: Context, form: Form, submission: Submission): void {
  const { id, lead_id, values, first_touch, last_touch } = submission
  record(
    ctx.as(actorOf(form)),
    formSubmitted,
    { kind: 'submission', id, lead_id },
    {
      form_id: form.id,
      form_name: form.name,
      submission_id: id,
      values,
      utm: last_touch.utm,
      first_touch,
      last_touch,
    },
  )
}

function sentBy({ form, content }: Shown, { values, first_touch, last_touch }: Submission) {
  const { utm } = first_touch ?? last_touch
  return { content, values, on_existing: form.on_existing, source: `Form: ${form.name}`, utm }
}

function actorOf({ id, name }: Form) {
  return { kind: 'form' as const, id, name }
}

function there(submission: Submission | undefined): Submission {
  if (!submission) throw new Problem('not_found', 'No such submission.')
  return submission
}
