import { ActionIcon, Button, Loader } from '@mantine/core'
import IconAlertTriangle from 'icon:alert-triangle'
import IconDots from 'icon:dots'
import IconPencil from 'icon:pencil'
import IconRefresh from 'icon:refresh'
import IconUnlink from 'icon:unlink'
import IconUsers from 'icon:users'
import type { ReactNode } from 'react'
import type { Mailbox } from '#domains/mailboxes/contract.ts'
import { useIsAtLeast, useUser } from '../../queries.ts'
import { usePeople } from '../../records/leads/people.ts'
import { connectMailboxPath } from '../../records/mailboxes/connect-path.ts'
import { checkMailbox } from '../../records/mailboxes/mailbox-writes.ts'
import { mailboxHealthWords, mailboxKindNames } from '../../records/mailboxes/words.ts'
import { ButtonMenu } from '../../ui/menu.tsx'
import { Avatar } from '../../ui/person.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import noticeClasses from '../../ui/notice.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './mailbox-settings.module.css'

const SIGN_SIZE = 28

type Props = {
  mailbox: Mailbox
  /** `forLogin`: for a new password or another server. */
  edit: (forLogin: boolean) => void
  disconnect: () => void
}

/** A mailbox and its health, with what its owner or an admin can do about it. */
export function MailboxRow({ mailbox, edit, disconnect }: Props) {
  const { id, address, kind, owner_id, health } = mailbox
  const canChange = useCanChange(mailbox)
  const { busy, submit: check } = useSubmit(async () => {
    const { health } = await checkMailbox(id)
    if (health.state !== 'FAILING') toast(`${address} is working`)
  }, `Couldn't check ${address}`)
  return (
    <li className={classes.row}>
      <Sign mailbox={mailbox} />
      <div className={classes.words}>
        <span className={classes.address}>
          {address}
          {mailbox.is_default && <span className={textClasses.chip}>Default</span>}
        </span>
        <About mailbox={mailbox} />
      </div>
      <div className={classes.health}>{busy ? <Checking /> : <Health of={health} />}</div>
      {canChange && (
        <ButtonMenu
          button={
            <ActionIcon aria-label={`More actions for ${address}`} disabled={busy}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          }
          items={[
            { label: 'Edit', icon: <IconPencil size={16} />, run: () => edit(false) },
            { label: 'Check now', icon: <IconRefresh size={16} />, run: check },
            'divider',
            { label: 'Disconnect…', icon: <IconUnlink size={16} />, run: disconnect, danger: true },
          ]}
        />
      )}
      {health.state === 'FAILING' && (
        <Trouble mailbox={mailbox}>
          {canChange ? (
            <>
              {kind === 'imap' ? (
                <Button
                  variant="default"
                  onClick={() => edit(true)}
                  aria-label={`Change sign-in of ${address}`}
                >
                  Change sign-in
                </Button>
              ) : (
                <Button component="a" variant="default" href={connectMailboxPath(kind, { mailbox_id: id })}>
                  {`Reconnect with ${mailboxKindNames[kind]}`}
                </Button>
              )}
              <Button variant="default" loading={busy} onClick={check} aria-label={`Check now: ${address}`}>
                Check now
              </Button>
            </>
          ) : (
            <span className={textClasses.dim}>
              {owner_id === null ? 'Ask an admin to reconnect it.' : 'Ask its owner to reconnect it.'}
            </span>
          )}
        </Trouble>
      )}
    </li>
  )
}

function useCanChange({ owner_id }: Mailbox): boolean {
  const isAdmin = useIsAtLeast('ADMIN')
  const isMember = useIsAtLeast('MEMBER')
  const isOwn = owner_id === useUser().id
  return isAdmin || (isMember && isOwn)
}

function Sign({ mailbox: { owner_id } }: { mailbox: Mailbox }) {
  const owner = usePeople().get(owner_id ?? '')
  if (owner_id) return <Avatar name={owner?.name || owner?.email || ''} id={owner_id} size={SIGN_SIZE} />
  return (
    <span className={classes.sign} aria-hidden>
      <IconUsers size={16} />
    </span>
  )
}

/** "You, Google, only you can read it". */
function About({ mailbox: { kind, name, owner_id, visibility } }: { mailbox: Mailbox }) {
  const people = usePeople()
  const isOwn = owner_id === useUser().id
  const owner = people.get(owner_id ?? '')
  const parts = [
    owner_id && (isOwn ? 'You' : owner ? owner.name || owner.email : 'A former member'),
    mailboxKindNames[kind],
    name && `sends as ${name}`,
    owner_id &&
      (visibility === 'team'
        ? 'the team can read it'
        : isOwn
          ? 'only you can read it'
          : 'only its owner can read it'),
  ]
  return <span className={textClasses.meta}>{parts.filter(Boolean).join(', ')}</span>
}

function Health({ of: { state, failing_since, checked_at } }: { of: Mailbox['health'] }) {
  const { tone, label } = mailboxHealthWords[state]
  return (
    <>
      <Dotted tone={tone}>{label}</Dotted>
      <span className={textClasses.meta}>
        {state === 'NEW' && 'First reading'}
        {state === 'OK' && checked_at && (
          <>
            Checked <Time at={checked_at} />
          </>
        )}
        {state === 'FAILING' && failing_since && (
          <>
            Stopped <Time at={failing_since} />
          </>
        )}
      </span>
    </>
  )
}

function Checking() {
  return (
    <span role="status" className={classes.checking}>
      <Loader size={14} />
      Checking
    </span>
  )
}

/** Why it does not work, and what to do. */
function Trouble({ mailbox: { kind, health }, children }: { mailbox: Mailbox; children: ReactNode }) {
  return (
    <div className={`${noticeClasses.box} ${classes.trouble}`} data-tone="bad" role="note">
      <IconAlertTriangle size={16} aria-hidden />
      <span>
        {health.note ?? 'It does not respond.'}
        <span className={textClasses.under}>
          {kind === 'imap'
            ? 'If its password or servers have changed, enter the new ones. Otherwise it is tried again automatically.'
            : `Sign in at ${mailboxKindNames[kind]} again. It continues where it stopped.`}
        </span>
      </span>
      <div className={classes.acts}>{children}</div>
    </div>
  )
}
