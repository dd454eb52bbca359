import { ActionIcon, Button } from '@mantine/core'
import IconAlertTriangle from 'icon:alert-triangle'
import IconCircleCheck from 'icon:circle-check'
import IconX from 'icon:x'
import type { Mailbox } from '#domains/mailboxes/contract.ts'
import type { MailboxesSearch } from '../../records/mailboxes/search.ts'
import noticeClasses from '../../ui/notice.module.css'
import classes from './mailbox-settings.module.css'

const failures: Record<string, string> = {
  denied: 'The mailbox is not connected: access was not allowed. Connect it again and allow access.',
  refused:
    'The mailbox is not connected: its provider refused access. If it does so again, ask your operator.',
  expired: 'The mailbox is not connected: it took too long. Connect it again.',
  exists: 'This mailbox is already connected.',
  unavailable: 'The mailbox is not connected: its provider did not respond. Try again in a few minutes.',
}
const UNKNOWN_FAILURE = 'The mailbox is not connected. Try again.'

type Props = {
  result: MailboxesSearch
  mailboxes: readonly Mailbox[]
  edit: (mailbox: Mailbox) => void
  close: () => void
}

/** What came of connecting at Google or Microsoft. */
export function MailboxNotice({ result: { connected, failed }, mailboxes, edit, close }: Props) {
  const mailbox = mailboxes.find(({ id }) => id === connected)
  const dismiss = (
    <ActionIcon aria-label="Dismiss" onClick={close}>
      <IconX size={16} aria-hidden />
    </ActionIcon>
  )
  if (failed !== undefined)
    return (
      <div className={noticeClasses.bar} data-tone="bad" role="alert">
        <IconAlertTriangle size={16} aria-hidden />
        <span>{failures[failed] ?? UNKNOWN_FAILURE}</span>
        {dismiss}
      </div>
    )
  return (
    <div className={noticeClasses.bar} data-tone="plain" role="status">
      <IconCircleCheck size={16} aria-hidden className={classes.good} />
      <span>{mailbox ? connectedInWords(mailbox) : 'The mailbox is connected.'}</span>
      {mailbox && (
        <Button size="compact-xs" variant="default" onClick={() => edit(mailbox)}>
          Sender name
        </Button>
      )}
      {dismiss}
    </div>
  )
}

function connectedInWords({ address, owner_id, visibility, import_days }: Mailbox): string {
  const who =
    owner_id === null || visibility === 'team' ? 'The team can read its emails.' : 'Only you can read it.'
  const imported = import_days > 0 ? ' Earlier emails with leads are being imported.' : ''
  return `${address} is connected. ${who}${imported}`
}
