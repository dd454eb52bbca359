import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Mailbox } from '#domains/mailboxes/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys, useCan, useUser } from '../../queries.ts'
import { mailboxesQuery } from '../mailboxes/mailboxes-cache.ts'

/** A mailbox to send from; without an ID that of the installation. */
export type Sender = { id: string | null; label: string; works: boolean }

const none: readonly Mailbox[] = []
const ADDRESS = /<([^<>]+)>\s*$/

export function useMailboxes(): readonly Mailbox[] {
  return useQuery(mailboxesQuery).data ?? none
}

/** What this person may send from: mailboxes of the team, their own, and that of the installation. */
export function useSenders(): readonly Sender[] {
  const me = useUser().id
  const mailboxes = useMailboxes()
  const installation = useInstallationAddress(mailboxes.length > 0)
  return useMemo(() => {
    const own = mailboxes.filter(({ owner_id }) => owner_id === null || owner_id === me)
    return [
      ...own.map(({ id, address, health }) => ({ id, label: address, works: health.state !== 'FAILING' })),
      { id: null, label: installation ?? 'Operator’s mailbox', works: true },
    ]
  }, [mailboxes, installation, me])
}

/** From which a conversation is begun: one's own, or else that of the team. */
export function useUsualSender(): string | null {
  const me = useUser().id
  const mailboxes = useMailboxes()
  const usual = mailboxes.find(({ owner_id }) => owner_id === me) ?? mailboxes.find(each => each.is_default)
  return usual?.id ?? null
}

/** Addresses that are ours: an answer to all leaves them out. Undefined until they are known. */
export function useOurAddresses(): readonly string[] | undefined {
  const canRead = useCan('outreach:write')
  const mailboxes = useQuery(mailboxesQuery)
  const settings = useQuery({ ...settingsQuery, enabled: canRead })
  const isKnown = !mailboxes.isLoading && !settings.isLoading
  const { data } = mailboxes
  const installation = addressIn(settings.data?.from)
  return useMemo(() => {
    if (!isKnown) return undefined
    const addresses = data?.map(({ address }) => address) ?? []
    return installation ? [...addresses, installation] : addresses
  }, [isKnown, data, installation])
}

/** The same as sequences ask for: what they have beside it would be loaded as well. */
const settingsQuery = queryOptions({
  queryKey: cacheKeys.outreachSettings,
  queryFn: ({ signal }) => api('GET /api/outreach/settings', { signal }),
})

/** What the operator has set up: it serves where no mailbox is connected. */
function useInstallationAddress(asked: boolean): string | undefined {
  const canRead = useCan('outreach:write')
  return addressIn(useQuery({ ...settingsQuery, enabled: asked && canRead }).data?.from)
}

function addressIn(from: string | undefined): string | undefined {
  return from === undefined ? undefined : (ADDRESS.exec(from)?.[1] ?? from).trim()
}
