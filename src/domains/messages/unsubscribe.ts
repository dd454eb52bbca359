import { page, type Answer } from '#platform/answer.ts'
import type { Context } from '#platform/context.ts'
import { findSuppression, liftSuppression } from '#domains/suppressions/service.ts'
import { findHeard, type Heard } from './engagement-store.ts'
import { noteResubscribed, noteUnsubscribed } from './outcomes.ts'
import { absentSubscriptionPage, resubscribedPage, unsubscribedPage, unsubscribePage } from './pages.ts'
import { senderWithoutPages } from './settings.ts'
import { lockMessage } from './store.ts'
import { readToken, UNSUBSCRIBE_LINK } from './tokens.ts'

type Asked = { params: { token: string } }

/** Looking does nothing: programs look at every link. */
export async function showUnsubscribe(ctx: Context, asked: Asked): Promise<Answer> {
  const found = await findReader(ctx, asked)
  if (!found) return page(absentSubscriptionPage(), 404)
  const { own, message, recipient } = found
  const suppression = await findSuppression(own, 'email', message.address)
  if (!suppression) return page(unsubscribePage(recipient))
  return page(unsubscribedPage(recipient, { mayUndo: suppression.source === linkIn(message) }))
}

/** From the page, or with one click in a mail program, whatever that sends along (RFC 8058). */
export async function unsubscribe(
  ctx: Context,
  asked: Asked & { body: Record<string, string> | undefined },
): Promise<Answer> {
  const found = await findReader(ctx, asked)
  if (!found) return page(absentSubscriptionPage(), 404)
  const { own, message, recipient } = found
  if (asked.body?.undo === '1') return page(await subscribeAgain(found))
  await noteUnsubscribed(own, message, { source: linkIn(message) })
  const suppression = await findSuppression(own, 'email', message.address)
  return page(unsubscribedPage(recipient, { mayUndo: suppression?.source === linkIn(message) }))
}

type Reader = { own: Context; message: Heard; recipient: { address: string; sender: string | null } }

async function findReader(ctx: Context, { params }: Asked): Promise<Reader | undefined> {
  const tracked = readToken(ctx.runtime.settings, params.token)
  if (tracked?.link !== UNSUBSCRIBE_LINK) return undefined
  const own = ctx.forTeam(tracked.team_id)
  const message = await findHeard(own, tracked.message_id)
  if (message?.channel !== 'email') return undefined
  const { from_name } = await senderWithoutPages(own)
  return { own, message, recipient: { address: message.address, sender: from_name } }
}

/** Takes back what this very link has done. What somebody else put on the list, or another mail's link, stays. */
async function subscribeAgain({ own, message, recipient }: Reader): Promise<string> {
  const isFree = await own.transaction(async ctx => {
    await lockMessage(ctx, message.id)
    const suppression = await findSuppression(ctx, 'email', message.address)
    if (!suppression) return true
    if (suppression.source !== linkIn(message) || suppression.reason !== 'unsubscribed') return false
    await liftSuppression(ctx, suppression.id)
    await noteResubscribed(ctx, message)
    return true
  })
  return isFree ? resubscribedPage(recipient) : unsubscribedPage(recipient, { mayUndo: false })
}

function linkIn({ id }: Heard): string {
  return `link in mail ${id}`
}
