import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import IconApps from 'icon:apps'
import IconPlus from 'icon:plus'
import { useState } from 'react'
import type { Client, NewClient } from '#domains/oauth/contract.ts'
import { api } from '../../api.ts'
import { API_DOCS_PATH } from '../../paths.ts'
import { cacheKeys, useIsAtLeast } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { OnlyAdmins } from '../../ui/only-admins.tsx'
import { Addresses } from './addresses.tsx'
import { AppList } from './app-list.tsx'
import { AppShown } from './app-shown.tsx'
import { DeleteApp, RotateSecret } from './confirmations.tsx'
import { EditApp } from './edit-app.tsx'
import { NewApp } from './new-app.tsx'

const LIST_LIMIT = 200

export function AppsPage() {
  useTitle('OAuth apps')
  return useIsAtLeast('ADMIN') ? <Apps /> : <OnlyAdmins title="OAuth apps" />
}

type Doing =
  | { what: 'create' }
  | { what: 'edit' | 'rotate' | 'delete'; app: Client }
  | { what: 'show'; app: NewClient }

function Apps() {
  const client = useQueryClient()
  const [doing, setDoing] = useState<Doing>()
  const apps = useQuery({
    queryKey: cacheKeys.apps,
    queryFn: async () => (await api('GET /api/oauth/clients', { query: { limit: LIST_LIMIT } })).data,
  })
  const reload = () => client.invalidateQueries({ queryKey: cacheKeys.apps })
  const create = () => setDoing({ what: 'create' })
  const close = () => setDoing(undefined)
  const show = (app: NewClient) => {
    setDoing({ what: 'show', app })
    void reload()
  }
  useCommands([
    {
      id: 'new-app',
      group: 'This page',
      label: 'New OAuth app',
      words: 'create client register',
      run: create,
    },
  ])

  const createButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={create}>
      New app
    </Button>
  )
  return (
    <>
      <PageHead title="OAuth apps" actions={apps.data?.length ? createButton : null} />
      <PageBody>
        <Section
          title="Team apps"
          about={
            <>
              OAuth apps ask people for consent and then act on their behalf, limited to the permissions each
              person granted. See the <a href={API_DOCS_PATH}>API reference</a> for what each request needs.
            </>
          }
        >
          {apps.isError && !apps.data && <Fault error={apps.error} retry={() => void apps.refetch()} />}
          {apps.isPending && <Bar width="100%" height={190} />}
          {apps.data?.length === 0 && (
            <Empty
              icon={<IconApps size={30} stroke={1.4} />}
              title="No apps yet"
              action={createButton}
              compact
            >
              Create one to let your program sign people in and act on their behalf.
            </Empty>
          )}
          {apps.data && apps.data.length > 0 && (
            <AppList apps={apps.data} act={(what, app) => setDoing({ what, app })} />
          )}
        </Section>
        <Section title="OAuth endpoints" about="URLs to configure in an OAuth library.">
          <Addresses />
        </Section>
      </PageBody>
      {doing?.what === 'create' && <NewApp close={close} created={show} />}
      {doing?.what === 'edit' && <EditApp app={doing.app} close={close} saved={() => void reload()} />}
      {doing?.what === 'rotate' && <RotateSecret app={doing.app} close={close} rotated={show} />}
      {doing?.what === 'delete' && <DeleteApp app={doing.app} close={close} deleted={reload} />}
      {doing?.what === 'show' && <AppShown app={doing.app} close={close} />}
    </>
  )
}
