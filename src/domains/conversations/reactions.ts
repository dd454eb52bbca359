import { on } from '#platform/registry.ts'
import { messageEvents } from '#domains/messages/contract.ts'
import { takeReply } from './receive.ts'
import * as sending from './sending.ts'

export const reactions = [
  on(messageEvents.replied, 'conversations.take_reply', (ctx, event) => takeReply(ctx, event)),
  on(messageEvents.smsReplied, 'conversations.take_reply', (ctx, event) => takeReply(ctx, event)),
  on(messageEvents.whatsappReplied, 'conversations.take_reply', (ctx, event) => takeReply(ctx, event)),
  on(messageEvents.failed, 'conversations.failed', sending.failed),
  on(messageEvents.autoReplied, 'conversations.take_reply', (ctx, event) => takeReply(ctx, event, true)),
  on(messageEvents.retried, 'conversations.retried', sending.retried),
  on(messageEvents.cancelled, 'conversations.cancelled', sending.cancelled),
  on(messageEvents.found, 'conversations.found', sending.found),
  on(messageEvents.bounced, 'conversations.bounced', sending.bounced),
  on(messageEvents.smsBounced, 'conversations.bounced', (ctx, event) => sending.bounced(ctx, event)),
]
