import type { Conversation, ConversationEntry } from '#domains/conversations/contract.ts'
import { changeDraft, replyDraft } from '../records/conversations/drafts.ts'
import { othersOf, withRecipients, type Recipient } from '../records/conversations/recipients.ts'
import { addressOf } from '../records/conversations/words.ts'

/** Whom an email went to besides us and the other side. */
export function othersIn(
  conversation: Conversation,
  { to, cc, address, hidden }: ConversationEntry,
  ours: readonly string[],
): Recipient[] {
  if (hidden) return []
  return othersOf({ to, cc }, [...ours, addressOf(conversation), ...(address ? [address] : [])])
}

export function startReply({ id }: Conversation): void {
  changeDraft(id, { tab: 'email' })
  focusComposer()
}

export function replyAll(
  conversation: Conversation,
  entry: ConversationEntry,
  ours: readonly string[],
): void {
  const { id } = conversation
  const cc = withRecipients(replyDraft(id).cc, othersIn(conversation, entry, ours))
  changeDraft(id, { tab: 'email', cc })
  focusComposer()
}

/** At once: people type on, and their letters must not become shortcuts. */
function focusComposer(): void {
  document.querySelector<HTMLElement>('[data-composer] textarea')?.focus()
}
