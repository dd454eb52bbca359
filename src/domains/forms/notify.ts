import type { Context } from '#platform/context.ts'
import type { EventOf } from '#platform/events.ts'
import type { formSubmitted } from './contract.ts'
import { noticeAll } from './notice-mail.ts'
import { mailReply } from './reply-mail.ts'
import { findSent } from './sent.ts'
import { deliverSubmission } from './webhook.ts'

/** Webhook, reply and notices are only written down here; each goes out by a job of its own, and fails on its own. */
export async function notifyTeam(ctx: Context, event: EventOf<typeof formSubmitted>): Promise<void> {
  const sent = await findSent(ctx, event)
  if (!sent) return
  await deliverSubmission(ctx, event.id, sent)
  await mailReply(ctx, sent)
  await noticeAll(ctx, sent)
}
