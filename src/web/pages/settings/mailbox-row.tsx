import { Link } from '@tanstack/react-router'
import IconUsers from 'icon:users'
import type { Mailbox } from '#domains/mailboxes/contract.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../queries.ts'
import { usePeople } from '../../records/leads/people.ts'
import { mailboxHealthWords, mailboxKindNames } from '../../records/mailboxes/words.ts'
import { Avatar } from '../../ui/person.tsx'
import { Dotted } from '../../ui/stage.tsx'
import textClasses from '../../ui/text.module.css'
import classes from './mailbox-settings.module.css'

const SIGN_SIZE = 28

type Props = { mailbox: Mailbox; isShown: boolean }

/** A mailbox and its health in a word; its details are beside the list, or on a page of their own on phones. */
export function MailboxRow({ mailbox, isShown }: Props) {
  const { id, address, health } = mailbox
  const { tone, label } = mailboxHealthWords[health.state]
  return (
    <li>
      <Link
        to={paths.mailboxes}
        search={{ id }}
        className={classes.row}
        data-shown={isShown || undefined}
        aria-current={isShown ? 'true' : undefined}
      >
        <Sign mailbox={mailbox} />
        <span className={classes.words}>
          <span className={classes.address}>
            {address}
            {mailbox.is_default && <span className={textClasses.chip}>Default</span>}
          </span>
          <About mailbox={mailbox} />
        </span>
        <span className={classes.health}>
          <Dotted tone={tone}>{label}</Dotted>
        </span>
      </Link>
    </li>
  )
}

export function Sign({ mailbox: { owner_id } }: { mailbox: Mailbox }) {
  const owner = usePeople().get(owner_id ?? '')
  if (owner_id) return <Avatar name={owner?.name || owner?.email || ''} id={owner_id} size={SIGN_SIZE} />
  return (
    <span className={classes.sign} aria-hidden>
      <IconUsers size={16} />
    </span>
  )
}

/** "You, Google, only you can read it". */
export function About({ mailbox: { kind, name, owner_id, visibility } }: { mailbox: Mailbox }) {
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
