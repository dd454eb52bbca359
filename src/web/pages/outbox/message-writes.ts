import type { Message } from '#domains/messages/contract.ts'
import { api } from '../../api.ts'
import { toast, toastFault } from '../../ui/toast.ts'
import { putMessage } from './outbox-cache.ts'

export async function cancelMessage({ id }: Message): Promise<void> {
  putMessage(await api('POST /api/outreach/messages/:id/cancel', { params: { id } }))
  toast('Message cancelled')
}

/** Also for a message that may have been sent: the caller has asked for confirmation. */
export async function sendAgain({ id }: Message): Promise<void> {
  putMessage(await api('POST /api/outreach/messages/:id/retry', { params: { id } }))
  toast('Resending message')
}

export async function tryAgain(message: Message): Promise<void> {
  try {
    await sendAgain(message)
  } catch (error) {
    toastFault(error, "Couldn't resend")
  }
}
