import { queryOptions } from '@tanstack/react-query'
import type { Mailbox, MailServers } from '#domains/mailboxes/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'

const PAGE_SIZE = 200

export const mailboxesQuery = queryOptions({
  queryKey: cacheKeys.mailboxes,
  queryFn: async ({ signal }): Promise<Mailbox[]> => {
    const mailboxes: Mailbox[] = []
    let cursor: string | null = null
    do {
      const query = { limit: PAGE_SIZE, ...(cursor && { cursor }) }
      const page: { data: Mailbox[]; next_cursor: string | null } = await api('GET /api/mailboxes', {
        query,
        signal,
      })
      mailboxes.push(...page.data)
      cursor = page.next_cursor
    } while (cursor)
    return mailboxes
  },
})

/** What was sent from a mailbox today and lately. */
export function mailboxSendingQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.mailboxes, 'sending', id],
    queryFn: ({ signal }) => api('GET /api/mailboxes/:id/sending', { params: { id }, signal }),
  })
}

/** What the domain of a mailbox publishes for those who receive its email. */
export function mailboxDomainQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.mailboxes, 'domain', id],
    queryFn: ({ signal }) => api('GET /api/mailboxes/:id/domain', { params: { id }, signal }),
  })
}

/** A signature as the recipients of an email see it. */
export function signatureQuery(id: string, signature: string | null) {
  return queryOptions({
    queryKey: [...cacheKeys.mailboxes, 'signature', id, signature],
    queryFn: ({ signal }) =>
      api('POST /api/mailboxes/:id/signature', { params: { id }, body: { signature }, signal }),
    staleTime: Infinity,
  })
}

/** As the sending settings have it, without all that comes with them. */
export const outreachSettingsQuery = queryOptions({
  queryKey: cacheKeys.outreachSettings,
  queryFn: ({ signal }) => api('GET /api/outreach/settings', { signal }),
})

/** How to reach the servers of an address, as far as the server knows. */
export function findMailServers(address: string): Promise<MailServers> {
  return api('GET /api/mailboxes/servers', { query: { address } })
}

/** Shows a mailbox from a response before the list is loaded again. */
export function putMailbox(mailbox: Mailbox): Mailbox {
  void queryClient.cancelQueries({ queryKey: cacheKeys.mailboxes })
  queryClient.setQueryData<Mailbox[]>(cacheKeys.mailboxes, known => {
    if (!known?.some(({ id }) => id === mailbox.id)) return known && [...known, mailbox]
    return known.map(each => (each.id === mailbox.id ? mailbox : each))
  })
  return mailbox
}
