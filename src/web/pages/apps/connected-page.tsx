import { Button, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import IconPlugConnected from 'icon:plug-connected'
import { useState } from 'react'
import type { Grant } from '#domains/oauth/contract.ts'
import { api } from '../../api.ts'
import { API_DOCS_PATH, paths } from '../../paths.ts'
import { cacheKeys, useIsAtLeast, useUser } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { toast } from '../../ui/toast.ts'
import { briefly } from './shorten.ts'
import { GrantList } from './grant-list.tsx'

const PAGE_SIZE = 50

export function ConnectedPage() {
  useTitle('Connected apps')
  const user = useUser()
  const isAdmin = useIsAtLeast('ADMIN')
  const navigate = useNavigate()
  const client = useQueryClient()
  const search: { of?: unknown } = useSearch({ strict: false })
  const of = isAdmin && search.of === 'team' ? 'team' : 'me'
  const [leaving, setLeaving] = useState<Grant>()
  const query = useInfiniteQuery({
    queryKey: [...cacheKeys.connectedApps, of],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      api('GET /api/oauth/grants', {
        query: { of, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
    // App activity is not in the live stream, and the last use should be current.
    staleTime: 0,
  })
  const grants = query.data?.pages.flatMap(page => page.data) ?? []

  function show(next: string) {
    const search = next === 'team' ? { of: next } : {}
    void navigate({ to: paths.connectedApps, search, replace: true })
  }
  const other = of === 'me' ? 'team' : 'me'
  useCommands(
    isAdmin
      ? [
          {
            id: 'connected-of',
            group: 'This page',
            label: of === 'me' ? 'Connected apps of the team' : 'My connected apps',
            words: 'mine everybody',
            run: () => show(other),
          },
        ]
      : [],
  )

  async function disconnect(grant: Grant) {
    await api('DELETE /api/oauth/grants/:id', { params: { id: grant.id } })
    toast(`Disconnected ${briefly(grant.client.name)}`)
    await client.invalidateQueries({ queryKey: cacheKeys.connectedApps })
  }

  return (
    <>
      <PageHead title="Connected apps" actions={isAdmin && <Whose of={of} show={show} />} />
      <PageBody>
        <Section
          title={of === 'me' ? 'Apps you connected' : 'Apps the team connected'}
          about="Each app acts for the person who connected it, limited to the permissions they granted."
        >
          {query.isError && grants.length === 0 && (
            <Fault error={query.error} retry={() => void query.refetch()} />
          )}
          {query.isPending && <Bar width="100%" height={120} />}
          {query.isSuccess && grants.length === 0 && <NoApps of={of} />}
          {grants.length > 0 && <GrantList grants={grants} ofTeam={of === 'team'} disconnect={setLeaving} />}
          <MoreButton list={query} label="Show more" mt="sm" />
        </Section>
      </PageBody>
      {leaving && (
        <Confirm
          title={`Disconnect ${leaving.client.name}?`}
          verb={`Disconnect ${briefly(leaving.client.name)}`}
          act={() => disconnect(leaving)}
          close={() => setLeaving(undefined)}
        >
          {consequence(leaving, user.id)}
        </Confirm>
      )}
    </>
  )
}

function Whose({ of, show }: { of: string; show: (next: string) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Connected by"
      value={of}
      onChange={show}
      data={[
        { value: 'me', label: 'Mine' },
        { value: 'team', label: 'Whole team' },
      ]}
    />
  )
}

function consequence({ user }: Grant, ownId: string): string {
  const whose = user.id === ownId ? 'you' : user.name || user.email
  return `It loses access immediately and must ask ${whose} for consent again.`
}

function NoApps({ of }: { of: 'me' | 'team' }) {
  return (
    <Empty
      icon={<IconPlugConnected size={30} stroke={1.4} />}
      title={of === 'me' ? 'You have no connected apps' : 'The team has no connected apps'}
      compact
      action={
        <Button component="a" variant="default" href={API_DOCS_PATH}>
          Read the API reference
        </Button>
      }
    >
      Connected apps, such as an email client or an assistant, act on your behalf. You connect them from the
      app itself, choose what they can do, and can disconnect them here.
    </Empty>
  )
}
