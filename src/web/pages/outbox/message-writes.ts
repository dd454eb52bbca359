import type { Message } from '#domains/messages/contract.ts'
import { api } from '../../api.ts'
import { toast, toastFault } from '../../ui/toast.ts'
import { putMessage } from './outbox-cache.ts'

export async function cancelMessage({ id }: Message): Promise<void> {
  putMessage(await api('POST /api/outreach/messages/:id/cancel', { params: { id } }))
  toast('Cancelled: it is not sent')
}

/** Also of one that may have been sent: whoever calls this has asked. */
export async function sendAgain({ id }: Message): Promise<void> {
  putMessage(await api('POST /api/outreach/messages/:id/retry', { params: { id } }))
  toast('It is sent again')
}

export async function tryAgain(message: Message): Promise<void> {
  try {
    await sendAgain(message)
  } catch (error) {
    toastFault(error, 'Not sent again')
  }
}
