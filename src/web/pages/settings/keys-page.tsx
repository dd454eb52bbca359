import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import IconKey from 'icon:key'
import IconPlus from 'icon:plus'
import { useState } from 'react'
import type { ApiKey } from '#domains/identity/contract.ts'
import { api } from '../../api.ts'
import { API_DOCS_PATH } from '../../paths.ts'
import { cacheKeys, useIsAtLeast } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { toast } from '../../ui/toast.ts'
import { KeyTable } from './key-table.tsx'
import { NewKey } from './new-key.tsx'
import { OnlyAdmins } from '../../ui/only-admins.tsx'

export function KeysPage() {
  useTitle('API keys')
  return useIsAtLeast('ADMIN') ? <Keys /> : <OnlyAdmins title="API keys" />
}

function Keys() {
  const client = useQueryClient()
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const keys = useQuery({
    queryKey: cacheKeys.apiKeys,
    queryFn: async () => (await api('GET /api/keys', { query: { limit: 200 } })).data,
  })
  const reload = () => client.invalidateQueries({ queryKey: cacheKeys.apiKeys })
  useCommands([
    {
      id: 'new-key',
      group: 'This page',
      label: 'New API key',
      words: 'create token',
      run: () => setCreating(true),
    },
  ])

  async function revoke(key: ApiKey) {
    await api('DELETE /api/keys/:id', { params: { id: key.id } })
    toast(`Revoked ${key.name}`)
    await reload()
  }

  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      New key
    </Button>
  )
  return (
    <>
      <PageHead title="API keys" actions={keys.data?.length ? create : null} />
      <PageBody>
        <Section
          title="Team keys"
          about={
            <>
              Keys let programs use the API on behalf of the team, limited to the permissions you choose. See
              the <a href={API_DOCS_PATH}>API reference</a> for what each request needs.
            </>
          }
        >
          {keys.isError && <Fault error={keys.error} retry={() => void keys.refetch()} />}
          {keys.isPending && <Bar width="100%" height={90} />}
          {keys.data?.length === 0 && (
            <Empty icon={<IconKey size={30} stroke={1.4} />} title="No keys yet" action={create} compact>
              Create one to let a program read or write your leads.
            </Empty>
          )}
          {keys.data && keys.data.length > 0 && <KeyTable keys={keys.data} revoke={setRevoking} />}
        </Section>
      </PageBody>
      {creating && <NewKey close={() => setCreating(false)} created={() => void reload()} />}
      {revoking && (
        <Confirm
          title={`Revoke ${revoking.name}?`}
          verb={`Revoke ${revoking.name}`}
          act={() => revoke(revoking)}
          close={() => setRevoking(null)}
        >
          Programs that use this key lose access immediately. This cannot be undone.
        </Confirm>
      )}
    </>
  )
}
