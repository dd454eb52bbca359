import type { Context } from '#platform/context.ts'
import type { EventOf } from '#platform/events.ts'
import type { Form, FormContent, formSubmitted, Submission } from './contract.ts'
import { findForm } from './service.ts'
import { findSubmission } from './submission-store.ts'
import { getShownVersion } from './versions.ts'

/** What a visitor sent, with the form as it was then. */
export type Sent = { form: Form; content: FormContent; submission: Submission }

/** Undefined where one of them was deleted meanwhile: there is nothing left to tell of. */
export async function findSent(
  ctx: Context,
  event: EventOf<typeof formSubmitted>,
): Promise<Sent | undefined> {
  const [submission, form] = await Promise.all([
    findSubmission(ctx, event.subject_id),
    findForm(ctx, event.data.form_id),
  ])
  if (!submission || !form) return undefined
  const { content } = await getShownVersion(ctx, form.id, submission.form_version)
  return { form, content, submission }
}
