import { Button, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import IconPlugConnected from 'icon:plug-connected'
import { useState } from 'react'
import type { Grant } from '#domains/oauth/contract.ts'
import { api } from '../../api.ts'
import { API_DOCS_PATH, paths } from '../../paths.ts'
import { cacheKeys, useIsAtLeast, useUser } from '../../queries.ts'
import { useCommands } from '../../shell/commands.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { toast } from '../../ui/toast.ts'
import { briefly } from './briefly.ts'
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
    // What an app did is not in the live stream; whoever looks wants to know when it was here last.
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
            label: of === 'me' ? 'Connected apps of the whole team' : 'My connected apps',
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
          title={of === 'me' ? 'Apps you have connected' : 'Apps the team has connected'}
          about="Each works in this team for the person who connected it, within what that person allowed."
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
      aria-label="Whose apps"
      value={of}
      onChange={show}
      data={[
        { value: 'me', label: 'Mine' },
        { value: 'team', label: 'The whole team' },
      ]}
    />
  )
}

function consequence({ user }: Grant, ownId: string): string {
  const whose = user.id === ownId ? 'you' : user.name || user.email
  return `It is refused from its next request on, and has to ask ${whose} again before it can come back.`
}

function NoApps({ of }: { of: 'me' | 'team' }) {
  return (
    <Empty
      icon={<IconPlugConnected size={30} stroke={1.4} />}
      title={of === 'me' ? 'You have not connected any app' : 'Nobody has connected an app'}
      compact
      action={
        <Button component="a" variant="default" href={API_DOCS_PATH}>
          Read how apps connect
        </Button>
      }
    >
      A connected app is a program that may work here for you, like a mail client or an assistant. You connect
      it from the app itself; it asks you what it may do, and you can take that back here.
    </Empty>
  )
}
