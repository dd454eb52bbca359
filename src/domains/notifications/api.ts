import type { Handlers } from '#platform/contract.ts'
import type { endpoints } from './contract.ts'
import * as notifications from './service.ts'
import * as subscriptions from './subscriptions.ts'

export const api: Handlers<typeof endpoints> = {
  listNotifications: (ctx, { query }) => notifications.listNotifications(ctx, query),
  countNotifications: ctx => notifications.countUnread(ctx),
  readNotifications: (ctx, { body }) => notifications.markRead(ctx, body),
  readPush: ctx => subscriptions.readPush(ctx),
  addPushSubscription: (ctx, { body }) => subscriptions.subscribe(ctx, body),
  readPushSubscription: (ctx, { params }) => subscriptions.getSubscription(ctx, params.id),
  deletePushSubscription: (ctx, { params }) => subscriptions.unsubscribe(ctx, params.id),
}
