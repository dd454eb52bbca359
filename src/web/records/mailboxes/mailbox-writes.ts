import type { Mailbox, MailboxChange, NewMailbox } from '#domains/mailboxes/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { putMailbox } from './mailboxes-cache.ts'

/** The server signs in to both servers first: this can take a while. */
export async function connectMailbox(body: NewMailbox): Promise<Mailbox> {
  return await shown(await api('POST /api/mailboxes', { body }))
}

/** `ifMatch`: the version the change is based on. */
export async function changeMailbox(id: string, body: MailboxChange, ifMatch: string): Promise<Mailbox> {
  return await shown(await api('PATCH /api/mailboxes/:id', { params: { id }, body, ifMatch }))
}

export async function readMailbox(id: string): Promise<Mailbox> {
  return putMailbox(await api('GET /api/mailboxes/:id', { params: { id } }))
}

export async function checkMailbox(id: string): Promise<Mailbox> {
  return putMailbox(await api('POST /api/mailboxes/:id/check', { params: { id } }))
}

/** To the person who asks; the signature need not be saved. */
export async function sendMailboxTest(id: string, signature: string | null): Promise<string> {
  return (await api('POST /api/mailboxes/:id/test', { params: { id }, body: { signature } })).to
}

export async function disconnectMailbox(id: string): Promise<void> {
  await api('DELETE /api/mailboxes/:id', { params: { id } })
  await refresh()
}

/** Another mailbox may have been the default: the rest of the list is loaded again. */
async function shown(mailbox: Mailbox): Promise<Mailbox> {
  putMailbox(mailbox)
  await refresh()
  return mailbox
}

function refresh(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: cacheKeys.mailboxes })
}
