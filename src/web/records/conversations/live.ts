import type { LiveChange } from '#domains/live/contract.ts'
import { settled } from '../settled.ts'
import { refreshConversation, refreshLists, refreshOpenConversations } from './refresh.ts'
import { showWriter, stopWriter, VISITOR } from './writers.ts'

const WRITING = 'conversation.writing'
/** Moves no conversation in any list. */
const SEEN = 'conversation.seen'

const refreshListsSoon = settled(refreshLists)
const refreshOpenSoon = settled(refreshOpenConversations)

/** That somebody is writing changes nothing. */
export function isOnlyWriting({ type }: LiveChange): boolean {
  return type === WRITING
}

export function applyWriting(change: LiveChange, me: string): void {
  showWriter(change, me)
}

/** A conversation has changed, or a message or call that one shows. */
export function applyConversation({ type, subject: { kind, id }, actor_id }: LiveChange): void {
  if (type === SEEN) void refreshConversation(id)
  else if (kind === 'conversation') {
    if (type === 'conversation.sent' || type === 'conversation.noted') stopWriter(id, actor_id)
    if (type === 'conversation.received') stopWriter(id, VISITOR)
    void refreshConversation(id)
    refreshListsSoon()
  } else if (kind === 'message' || kind === 'call') refreshOpenSoon()
}
