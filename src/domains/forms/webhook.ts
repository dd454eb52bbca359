import type { Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import { checkWebhookUrl, deliver, sendTest } from '#domains/deliveries/service.ts'
import type { TestAnswer } from '#domains/deliveries/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { findLead, getSettings } from '#domains/leads/service.ts'
import { newLead } from '#domains/leads/model.ts'
import type { Form, Submission } from './contract.ts'
import { mapAnswers } from './mapping.ts'
import { contentOf } from './model.ts'
import { madeUpAnswers } from './samples.ts'
import { getForm, ownerOf } from './service.ts'
import type { Sent } from './sent.ts'

const TYPE = 'form.submitted'

/** Tells the form's webhook_url, if it has one. */
export async function deliverSubmission(
  ctx: Context,
  event_id: string,
  { form, submission }: Sent,
): Promise<void> {
  if (!form.webhook_url) return
  const lead = submission.lead_id ? await findLead(ctx, submission.lead_id) : undefined
  const data = told(form, submission, lead ?? null)
  await deliver(ctx, ownerOf(form), { event_id, type: TYPE, data })
}

/** A made-up submission to the address of the form, or to one that is only being tried. */
export async function testWebhook(ctx: Context, id: string, webhook_url?: string): Promise<TestAnswer> {
  const form = await getForm(ctx, id)
  const url = webhook_url ?? form.webhook_url
  if (!url) {
    throw new Problem('conflict', 'This form has no webhook_url to test.', { code: 'no_webhook_url' })
  }
  checkWebhookUrl(url)
  const submission = madeUp(ctx, form)
  const data = told(form, submission, await madeUpLead(ctx, form, submission))
  return sendTest(ctx, ownerOf(form), url, { event_id: ctx.newId(), type: TYPE, data })
}

function told(form: Form, submission: Submission, lead: Lead | null): Record<string, unknown> {
  const { id, created_at, values, form_version, first_touch, last_touch } = submission
  return {
    form: { id: form.id, name: form.name, slug: form.slug, version: form_version },
    submission: { id, created_at, values },
    lead,
    utm: last_touch.utm,
    first_touch,
    last_touch,
  }
}

function madeUp(ctx: Context, form: Form): Submission {
  const at = ctx.now()
  const page_url = `${ctx.runtime.settings.baseUrl}/f/${form.slug}`
  const touch = { utm: { source: 'test', medium: 'webhook' }, referrer: null, page_url, at }
  return {
    id: ctx.newId(),
    form_id: form.id,
    form_version: form.version,
    lead_id: null,
    status: 'RECEIVED',
    reasons: [],
    notes: [],
    values: madeUpAnswers(form),
    first_touch: touch,
    last_touch: touch,
    ip: null,
    user_agent: null,
    created_at: at,
    released_at: null,
  }
}

/** As the mapping would make it; it is kept nowhere. */
async function madeUpLead(
  ctx: Context,
  form: Form,
  { values, last_touch }: Submission,
): Promise<Lead | null> {
  const settings = await getSettings(ctx)
  const { input } = mapAnswers(contentOf(form), values, settings)
  const { custom: _, ...named } = input
  if (Object.keys(named).length === 0) return null
  const made = { id: ctx.newId(), at: ctx.now() }
  return newLead(
    { source: `Form: ${form.name}`, utm: last_touch.utm, first_name: 'Ada', ...input },
    settings,
    made,
  )
}
