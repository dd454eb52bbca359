import { on, type Reaction } from '#platform/registry.ts'
import { notificationAdded } from './contract.ts'
import { queuePushes } from './push.ts'

export const reactions: Reaction[] = [on(notificationAdded, 'notifications.queue_pushes', queuePushes)]
