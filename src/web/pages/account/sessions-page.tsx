import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SignedInBrowser } from '#domains/identity/contract.ts'
import { api } from '../../api.ts'
import { isProblem } from '../../problem.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { useCommands } from '../../ui/commands.ts'
import { signOut } from '../../shell/sign-out.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import { Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { toast, toastFault } from '../../ui/toast.ts'
import { plural } from '../../ui/words.ts'
import { RowsSkeleton } from '../../ui/person-rows-skeleton.tsx'
import { browserName } from './browser-name.ts'
import { BrowserList } from './browser-list.tsx'

const LIST_LIMIT = 200

export function SessionsPage() {
  useTitle('Sessions')
  const [leaving, setLeaving] = useState(false)
  const sessions = useQuery({
    queryKey: cacheKeys.sessions,
    queryFn: async () => (await api('GET /api/auth/sessions', { query: { limit: LIST_LIMIT } })).data,
    staleTime: 0,
    refetchOnWindowFocus: true,
  })
  const others = sessions.data?.filter(({ current }) => !current).length ?? 0
  useCommands([
    {
      id: 'end-other-sessions',
      group: 'This page',
      label: 'Sign out everywhere else',
      words: 'sessions browsers log',
      run: () => void endOthers(),
    },
  ])
  return (
    <>
      <PageHead
        title="Sessions"
        actions={
          others > 0 && (
            <Button variant="default" onClick={() => void endOthers()}>
              Sign out everywhere else
            </Button>
          )
        }
      />
      <PageBody>
        <Section
          title="Browsers"
          about="Where you are signed in. Sign out browsers you no longer use or do not recognize."
        >
          {sessions.isPending && <RowsSkeleton rows={2} />}
          {sessions.isError && !sessions.data && (
            <Fault error={sessions.error} retry={() => void sessions.refetch()} />
          )}
          {sessions.data && (
            <BrowserList
              browsers={sessions.data}
              end={browser => (browser.current ? setLeaving(true) : void end(browser))}
            />
          )}
        </Section>
      </PageBody>
      {leaving && (
        <Confirm
          title="Sign out of this browser?"
          verb="Sign out of this browser"
          act={signOut}
          close={() => setLeaving(false)}
        >
          You will need to sign in again here. Other browsers stay signed in.
        </Confirm>
      )}
    </>
  )
}

async function end({ id, user_agent }: SignedInBrowser): Promise<void> {
  try {
    await api('DELETE /api/auth/sessions/:id', { params: { id } })
    toast(`Signed out ${browserName(user_agent)}`)
  } catch (error) {
    if (isProblem(error, 404)) toast('Already signed out')
    else toastFault(error, "Couldn't sign out the browser")
  }
  await reload()
}

async function endOthers(): Promise<void> {
  try {
    const { ended } = await api('POST /api/auth/sessions/end_others')
    toast(ended ? `Signed out ${plural(ended, 'other browser')}` : 'You are not signed in anywhere else')
  } catch (error) {
    toastFault(error, "Couldn't sign out other browsers")
  }
  await reload()
}

function reload(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: cacheKeys.sessions })
}
