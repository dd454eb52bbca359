import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import type { NotificationRow } from './store.ts'

export type SubscriptionRow = {
  team_id: string
  id: string
  user_id: string
  session_id: string
  endpoint: string
  p256dh: string
  auth: string
  created_at: string
  seen_at: string
  wait_until: string | null
}

const columns = ['id', 'endpoint', 'created_at', 'seen_at'] as const

export async function listSubscriptions(ctx: Context, user_id: string) {
  return ctx.all(
    db
      .selectFrom('push_subscriptions')
      .select(columns)
      .where('team_id', '=', ctx.team_id)
      .where('user_id', '=', user_id)
      .orderBy('seen_at', 'desc')
      .orderBy('id', 'desc'),
  )
}

export async function findOwn(ctx: Context, user_id: string, id: string) {
  return ctx.first(
    db
      .selectFrom('push_subscriptions')
      .select(columns)
      .where('team_id', '=', ctx.team_id)
      .where('user_id', '=', user_id)
      .where('id', '=', id),
  )
}

/** Holds the list of a person until the transaction ends, also against one more. */
export async function lockSubscriptions(ctx: Context, user_id: string): Promise<void> {
  const name = `push subscriptions ${ctx.team_id} ${user_id}`
  await ctx.run(raw(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`))
}

/** The browser's previous user, before someone else signed in there. */
export function deleteOfOthers(ctx: Context, user_id: string, endpoint: string): void {
  ctx.later(
    db
      .deleteFrom('push_subscriptions')
      .where('team_id', '=', ctx.team_id)
      .where('endpoint', '=', endpoint)
      .where('user_id', '<>', user_id),
  )
}

type NewSubscription = Omit<SubscriptionRow, 'team_id' | 'wait_until'>

export async function putSubscription(ctx: Context, row: NewSubscription) {
  const { session_id, p256dh, auth, seen_at } = row
  return (await ctx.first(
    db
      .insertInto('push_subscriptions')
      .values({ team_id: ctx.team_id, ...row })
      .onConflict(conflict =>
        conflict.columns(['team_id', 'endpoint']).doUpdateSet({ session_id, p256dh, auth, seen_at }),
      )
      .returning(columns),
  ))!
}

/** All but those that were seen last. */
export function deleteBeyond(ctx: Context, user_id: string, kept: number): void {
  ctx.later(
    raw(sql`delete from push_subscriptions where team_id = ${ctx.team_id} and id in (
      select id from push_subscriptions where team_id = ${ctx.team_id} and user_id = ${user_id}
      order by seen_at desc, id desc offset ${kept})`),
  )
}

/** Answers where it led; undefined when the person has no such one. */
export async function deleteOwn(ctx: Context, user_id: string, id: string): Promise<string | undefined> {
  const row = await ctx.first(
    db
      .deleteFrom('push_subscriptions')
      .where('team_id', '=', ctx.team_id)
      .where('user_id', '=', user_id)
      .where('id', '=', id)
      .returning('endpoint'),
  )
  return row?.endpoint
}

/**
 * Deletes a dead subscription as it was found: a browser that has subscribed again in the meantime keeps its
 * new one.
 */
export async function deleteDead(ctx: Context, { id, endpoint, p256dh }: SubscriptionRow): Promise<boolean> {
  const deleted = await ctx.run(
    db
      .deleteFrom('push_subscriptions')
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id)
      .where('endpoint', '=', endpoint)
      .where('p256dh', '=', p256dh),
  )
  return deleted > 0
}

export async function leaveInPeace(ctx: Context, id: string, wait_until: string): Promise<void> {
  await ctx.run(
    db
      .updateTable('push_subscriptions')
      .set({ wait_until })
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id),
  )
}

/** Of these notifications, each that is still unread with each browser of its person. */
export async function listPairs(ctx: Context, ids: readonly string[]) {
  return ctx.all(
    unreadPairs(ctx)
      .select(['notifications.id as notification_id', 'push_subscriptions.id as subscription_id'])
      .where('notifications.id', '=', sql<string>`any(${ids}::text[])`),
  )
}

type Pair = { notification_id: string; subscription_id: string }

/** What is to be told, and to which browser; undefined once it was read, or the browser has gone. */
export async function findPair(ctx: Context, { notification_id, subscription_id }: Pair) {
  return ctx.first(
    unreadPairs(ctx)
      .selectAll('push_subscriptions')
      .select([
        'notifications.id as notification_id',
        'notifications.title',
        'notifications.text',
        'notifications.link',
        'notifications.created_at as told_at',
      ])
      .where('notifications.id', '=', notification_id)
      .where('push_subscriptions.id', '=', subscription_id),
  )
}

function unreadPairs(ctx: Context) {
  return db
    .selectFrom('notifications')
    .innerJoin('push_subscriptions', join =>
      join
        .onRef('push_subscriptions.team_id', '=', 'notifications.team_id')
        .onRef('push_subscriptions.user_id', '=', 'notifications.user_id'),
    )
    .where('notifications.team_id', '=', ctx.team_id)
    .where('notifications.read_at', 'is', null)
}

const db = tables<{ notifications: NotificationRow; push_subscriptions: SubscriptionRow }>()
