import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { pushSubscribed, pushUnsubscribed, type PushSubscription } from './contract.ts'
import { isReceiverKey } from './encryption.ts'
import * as store from './subscription-store.ts'
import { SUBSCRIPTIONS_MAX } from './values.ts'
import { vapidKeys } from './vapid.ts'

export async function readPush(ctx: Context) {
  const { user_id } = ctx.requirePerson()
  const { publicKey } = await vapidKeys(ctx)
  return { public_key: publicKey, subscriptions: await store.listSubscriptions(ctx, user_id) }
}

export async function getSubscription(ctx: Context, id: string): Promise<PushSubscription> {
  const { user_id } = ctx.requirePerson()
  const found = await store.findOwn(ctx, user_id, id)
  if (!found) throw new Problem('not_found', 'No such browser.')
  return found
}

type NewSubscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/**
 * The same browser again is no second one. One more than there may be takes the place of the one that was seen least
 * lately: people change browsers and never say goodbye.
 */
export async function subscribe(
  ctx: Context,
  { endpoint, keys }: NewSubscription,
): Promise<PushSubscription> {
  const { user_id, session_id } = ctx.requirePerson()
  check(endpoint, keys.p256dh)
  return ctx.transaction(async ctx => {
    await store.lockSubscriptions(ctx, user_id)
    store.deleteOfOthers(ctx, user_id, endpoint)
    const [id, at] = [ctx.newId(), ctx.now()]
    const seen = { session_id: session_id!, created_at: at, seen_at: at }
    const subscription = await store.putSubscription(ctx, { id, user_id, endpoint, ...keys, ...seen })
    store.deleteBeyond(ctx, user_id, SUBSCRIPTIONS_MAX)
    if (subscription.id === id) record(ctx, pushSubscribed, about(id), { host: hostOf(endpoint) })
    return subscription
  })
}

export async function unsubscribe(ctx: Context, id: string): Promise<void> {
  const { user_id } = ctx.requirePerson()
  await ctx.transaction(async ctx => {
    const endpoint = await store.deleteOwn(ctx, user_id, id)
    if (endpoint === undefined) throw new Problem('not_found', 'No such browser.')
    record(ctx, pushUnsubscribed, about(id), { host: hostOf(endpoint) })
  })
}

/** The push service knows it no longer, or it is an address that may not be called. */
export async function dropDead(ctx: Context, subscription: store.SubscriptionRow): Promise<void> {
  if (!(await store.deleteDead(ctx, subscription))) return
  record(ctx, pushUnsubscribed, about(subscription.id), { host: hostOf(subscription.endpoint) })
}

function about(id: string) {
  return { kind: 'push_subscription', id }
}

function hostOf(endpoint: string): string {
  return new URL(endpoint).host
}

function check(endpoint: string, p256dh: string): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (url?.protocol !== 'https:' || url.username || url.password)
    throw invalid([{ path: 'endpoint', message: 'must be an https URL' }])
  if (!isReceiverKey(p256dh)) throw invalid([{ path: 'keys.p256dh', message: 'must be a P-256 public key' }])
}
