import type { ConversationEntry } from '#domains/conversations/contract.ts'
import { createStore } from '../../ui/store.ts'
import { changeDraft, replyDraft, type ForwardDraft } from './drafts.ts'

/** The email whose dialog is open. */
export const forwarding = createStore<string | null>(null)

/** What has been sent from this page, by the message that was made of it: taken back, it is in the dialog again. */
const sent = new Map<string, ForwardDraft>()

export function openForward({ id }: Pick<ConversationEntry, 'id'>): void {
  forwarding.set(id)
}

export function closeForward(): void {
  forwarding.set(null)
}

/** What was typed for this email; that of another one has been given up. */
export function forwardDraft(id: string, message_id: string): ForwardDraft {
  const { forward } = replyDraft(id)
  return forward?.message_id === message_id ? forward : { message_id, to: [], cc: [], bcc: [], text: '' }
}

export function keepForward(id: string, forward: ForwardDraft): void {
  changeDraft(id, { forward })
}

export function forwardSent(id: string, entry: ConversationEntry, draft: ForwardDraft): void {
  sent.set(entry.id, draft)
  changeDraft(id, { forward: undefined })
}

/** Opens the dialog with what was sent from it, if that was on this page: the text is in the thread still. */
export function reopenForward(id: string, entry: Pick<ConversationEntry, 'id'>): void {
  const draft = sent.get(entry.id)
  if (!draft) return
  changeDraft(id, { forward: draft })
  forwarding.set(draft.message_id)
}
