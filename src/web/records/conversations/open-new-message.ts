import { createStore } from '../../ui/store.ts'

/** The dialog for a new message: closed, or open with a lead that was chosen already. */
export const newMessage = createStore<{ lead_id?: string } | null>(null)

export function openNewMessage(from: { lead_id?: string } = {}): void {
  newMessage.set(from)
}

export function closeNewMessage(): void {
  newMessage.set(null)
}
