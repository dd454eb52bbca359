import { on } from '#platform/registry.ts'
import { conversationEvents } from '#domains/conversations/contract.ts'
import { noteSaid } from './unseen.ts'

export const reactions = [on(conversationEvents.sent, 'chat.note_said', noteSaid)]
