import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconMail from 'icon:mail'
import IconPlus from 'icon:plus'
import IconUsers from 'icon:users'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Mailbox } from '#domains/mailboxes/contract.ts'
import { paths } from '../../paths.ts'
import { useIsAtLeast, useUser } from '../../queries.ts'
import { disconnectMailbox } from '../../records/mailboxes/mailbox-writes.ts'
import { mailboxesQuery } from '../../records/mailboxes/mailboxes-cache.ts'
import { mailboxesSearch } from '../../records/mailboxes/search.ts'
import { inMailboxOrder } from '../../records/mailboxes/words.ts'
import { useCommands } from '../../ui/commands.ts'
import { PageHead, Section } from '../../ui/page-head.tsx'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { toast } from '../../ui/toast.ts'
import { MailboxDetails } from './mailbox-details.tsx'
import { MailboxList, useOperatorMailbox } from './mailbox-list.tsx'
import { MailboxNotice } from './mailbox-notice.tsx'
import classes from './mailbox-settings.module.css'

const ConnectMailbox = lazy(() =>
  import('./mailbox-connect.tsx').then(({ ConnectMailbox }) => ({ default: ConnectMailbox })),
)
const EditMailbox = lazy(() =>
  import('./mailbox-edit.tsx').then(({ EditMailbox }) => ({ default: EditMailbox })),
)

/** While one is read for the first time. */
const FIRST_READING_MS = 2_000
const HEALTH_MS = 60_000

const route = getRouteApi('/settings/mailboxes')

/** Where the team and its members get and send email. */
export function MailboxSettingsPage() {
  useTitle('Mailboxes')
  const canConnect = useIsAtLeast('MEMBER')
  const isAdmin = useIsAtLeast('ADMIN')
  const {
    data: mailboxes,
    error,
    refetch,
  } = useQuery({
    ...mailboxesQuery,
    // No event tells that a check went well, as it nearly always does.
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ health }) => health.state === 'NEW') ? FIRST_READING_MS : HEALTH_MS,
  })
  const operator = useOperatorMailbox()
  const navigate = useNavigate()
  const { result, forget } = useResult()
  const [connecting, setConnecting] = useState<{ shared: boolean }>()
  const [editing, setEditing] = useState<{ mailbox: Mailbox; forLogin: boolean }>()
  const [leaving, setLeaving] = useState<Mailbox>()
  useCommands(
    canConnect
      ? [
          {
            id: 'connect-mailbox',
            group: 'This page',
            label: 'Connect a mailbox',
            words: 'email imap smtp google microsoft gmail outlook inbox',
            run: () => setConnecting({ shared: isAdmin }),
          },
        ]
      : [],
  )

  async function disconnect({ id, address }: Mailbox) {
    await disconnectMailbox(id)
    await navigate({ to: paths.mailboxes, search: {}, replace: true })
    toast(`Disconnected ${address}`)
  }

  const { id: userId } = useUser()
  const { id } = mailboxesSearch(route.useSearch())
  const shared = mailboxes?.filter(({ owner_id }) => owner_id === null)
  const personal = mailboxes?.filter(({ owner_id }) => owner_id !== null)
  // Beside the list there is always one; on a phone, only what somebody has opened.
  const shown =
    mailboxes?.find(each => each.id === id) ??
    [shared, personal].flatMap(list => inMailboxOrder(list ?? [], userId))[0]
  const list = { shown }
  return (
    <>
      <PageHead
        title="Mailboxes"
        actions={
          canConnect && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => setConnecting({ shared: isAdmin })}>
              Connect a mailbox
            </Button>
          )
        }
      />
      {(result.connected ?? result.failed) !== undefined && (
        <MailboxNotice
          result={result}
          mailboxes={mailboxes ?? []}
          edit={mailbox => setEditing({ mailbox, forLogin: false })}
          close={forget}
        />
      )}
      <div className={classes.split} data-opened={(shown !== undefined && shown.id === id) || undefined}>
        <div className={classes.list}>
          {error && !mailboxes && <Fault error={error} retry={() => void refetch()} />}
          {!mailboxes && !error && (
            <div role="status" aria-busy aria-label="Loading mailboxes">
              <Bar width="100%" height={320} />
            </div>
          )}
          {shared && (
            <Section title="Shared mailboxes" about="Everyone in the team can read and answer what comes in.">
              {shared.length === 0 && (
                <Empty
                  compact
                  icon={<IconUsers size={30} stroke={1.4} />}
                  title="No shared mailboxes"
                  action={
                    isAdmin && (
                      <Button variant="default" onClick={() => setConnecting({ shared: true })}>
                        Connect a shared mailbox
                      </Button>
                    )
                  }
                >
                  Connect an address such as sales@. Its emails appear in the inbox, where everyone can answer
                  them from that address.
                  {!isAdmin && ' Only admins can connect one.'}
                </Empty>
              )}
              {(shared.length > 0 || operator) && (
                <MailboxList label="Shared mailboxes" mailboxes={shared} operator={operator} {...list} />
              )}
            </Section>
          )}
          {personal && (
            <Section
              title="Personal mailboxes"
              about="Members connect their own and choose who can read what comes in."
            >
              {personal.length > 0 ? (
                <MailboxList label="Personal mailboxes" mailboxes={personal} {...list} />
              ) : (
                <Empty
                  compact
                  icon={<IconMail size={30} stroke={1.4} />}
                  title="No personal mailboxes"
                  action={
                    canConnect && (
                      <Button variant="default" onClick={() => setConnecting({ shared: false })}>
                        Connect your mailbox
                      </Button>
                    )
                  }
                >
                  Connect your own address. Emails with leads appear in the inbox, and what you write is sent
                  from it.
                </Empty>
              )}
            </Section>
          )}
        </div>
        {shown && (
          <div className={classes.beside}>
            <MailboxDetails
              mailbox={shown}
              edit={forLogin => setEditing({ mailbox: shown, forLogin })}
              disconnect={() => setLeaving(shown)}
            />
          </div>
        )}
      </div>
      <Suspense fallback={null}>
        {connecting && <ConnectMailbox {...connecting} close={() => setConnecting(undefined)} />}
        {editing && <EditMailbox {...editing} close={() => setEditing(undefined)} />}
      </Suspense>
      {leaving && (
        <Confirm
          title={`Disconnect ${leaving.address}?`}
          verb={`Disconnect ${leaving.address}`}
          act={() => disconnect(leaving)}
          close={() => setLeaving(undefined)}
        >
          Conversations keep all their emails and files, and nothing is deleted in the mailbox itself. New
          emails no longer appear here, and nothing more is sent from it.
        </Confirm>
      )}
    </>
  )
}

/** What the provider's page came back with. It leaves the address, so that a reload does not tell it again. */
function useResult() {
  const search = mailboxesSearch(route.useSearch())
  const navigate = useNavigate()
  const [result, setResult] = useState(search)
  const { connected, failed } = search
  const isInAddress = (connected ?? failed) !== undefined
  useEffect(() => {
    if (!isInAddress) return
    const search = connected === undefined ? {} : { id: connected }
    void navigate({ to: paths.mailboxes, search, replace: true })
  }, [isInAddress, connected, navigate])
  return { result, forget: () => setResult({}) }
}
