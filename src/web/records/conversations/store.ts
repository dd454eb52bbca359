import type { Conversation, ConversationChange } from '#domains/conversations/contract.ts'
import { cacheKeys } from '../../queries.ts'
import { recordStore } from '../store.ts'
import { conversationName } from './words.ts'
import { refreshLists } from './refresh.ts'

export const conversations = recordStore<Conversation, ConversationChange>({
  path: '/api/conversations',
  keys: [cacheKeys.conversations],
  one: 'conversation',
  nameOf: conversationName,
  // Whether it is unread is about the person, and no part of its version.
  versioned: ({ unread: _unread, ...conversation }) => conversation,
  refresh: refreshLists,
})
