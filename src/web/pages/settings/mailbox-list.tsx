import { useQuery } from '@tanstack/react-query'
import IconServer from 'icon:server'
import type { Mailbox } from '#domains/mailboxes/contract.ts'
import { useCan, useUser } from '../../queries.ts'
import { outreachSettingsQuery } from '../../records/mailboxes/mailboxes-cache.ts'
import { inMailboxOrder } from '../../records/mailboxes/words.ts'
import { Dotted } from '../../ui/stage.tsx'
import { MailboxRow } from './mailbox-row.tsx'
import textClasses from '../../ui/text.module.css'
import classes from './mailbox-settings.module.css'

type Props = {
  label: string
  mailboxes: readonly Mailbox[]
  /** The mailbox of the installation, below those of the team. */
  operator?: OperatorMailbox | undefined
  /** Whose details are beside the list. */
  shown: Mailbox | undefined
}

export function MailboxList({ label, mailboxes, operator, shown }: Props) {
  const { id } = useUser()
  return (
    <ul className={`${classes.rows} ${mailboxes.length === 0 ? classes.below : ''}`} aria-label={label}>
      {inMailboxOrder(mailboxes, id).map(mailbox => (
        <MailboxRow key={mailbox.id} mailbox={mailbox} isShown={mailbox.id === shown?.id} />
      ))}
      {operator && <OperatorRow {...operator} />}
    </ul>
  )
}

/** `address`: which mailbox replies are read from is not known here. */
type OperatorMailbox = { address: string; does: string }

/** The mailbox that the operator has set up for all teams, as far as this person may know of it. */
export function useOperatorMailbox(): OperatorMailbox | undefined {
  const canKnow = useCan('outreach:write')
  const { data: settings } = useQuery({ ...outreachSettingsQuery, enabled: canKnow })
  if (!settings) return undefined
  const { from, mail, replies } = settings
  const [sends, receives] = [mail === 'smtp', replies === 'imap']
  if (!sends && !receives) return undefined
  return {
    address: sends ? (/<([^<>]+)>/.exec(from)?.[1] ?? from) : 'Reply mailbox',
    does: !receives ? 'Sends only' : !sends ? 'Receives only' : 'Sends and receives',
  }
}

function OperatorRow({ address, does }: OperatorMailbox) {
  return (
    <li className={classes.row}>
      <span className={classes.sign} aria-hidden>
        <IconServer size={16} />
      </span>
      <div className={classes.words}>
        <span className={classes.address}>{address}</span>
        <span className={textClasses.meta}>Set up by the operator, used where no other mailbox is</span>
      </div>
      <div className={classes.health}>
        <Dotted tone="green">{does}</Dotted>
      </div>
    </li>
  )
}
