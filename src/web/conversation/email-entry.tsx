import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { Conversation, ConversationEntry } from '#domains/conversations/contract.ts'
import { useMailboxes, useOurAddresses } from '../records/conversations/senders.ts'
import { usePeople } from '../records/leads/people.ts'
import { Bar } from '../ui/states.tsx'
import { Author } from './author.tsx'
import { EmailRecipients } from './email-recipients.tsx'
import { EntryFiles } from './entry-files.tsx'
import { At } from './entry-parts.tsx'
import { ForwardButton } from './forward-button.tsx'
import { MessageText } from './message-text.tsx'
import { othersIn, replyAll, startReply } from './reply.ts'
import textClasses from '../ui/text.module.css'
import classes from './entry.module.css'

const Original = lazy(() => import('./original.tsx').then(({ Original }) => ({ default: Original })))
const WAITING_PX = 160

type Props = { entry: ConversationEntry; conversation: Conversation; canWrite: boolean }

/** An email is one thing with a head. */
export function Email(props: Props) {
  const { entry, conversation, canWrite } = props
  const { subject, text, at, hidden } = entry
  const [isWhole, setIsWhole] = useState(false)
  if (hidden) return <Hidden entry={entry} />
  return (
    <article className={classes.card}>
      <header className={classes.cardHead}>
        <EmailRecipients entry={entry} conversation={conversation}>
          <Author entry={entry} />
        </EmailRecipients>
        <span className={classes.headEnd}>
          {canWrite && <ForwardButton entry={entry} conversation={conversation} />}
          <At at={at} />
        </span>
      </header>
      <Route entry={entry} />
      {subject && (
        <p className={classes.subject} dir="auto">
          {subject}
        </p>
      )}
      {isWhole ? (
        <Suspense fallback={<Bar width="100%" height={WAITING_PX} />}>
          <Original id={conversation.id} entry={entry} />
        </Suspense>
      ) : (
        <MessageText text={text} />
      )}
      <EntryFiles entry={entry} />
      <Actions {...props} isWhole={isWhole} setIsWhole={setIsWhole} />
    </article>
  )
}

/** Its owner keeps to themselves what comes in. */
function Hidden({ entry }: { entry: ConversationEntry }) {
  const mailbox = useMailboxes().find(({ id }) => id === entry.mailbox_id)
  const owner = usePeople().get(mailbox?.owner_id ?? '')
  const whose = owner ? `${owner.name || owner.email}’s` : 'a'
  return (
    <article className={classes.card} data-hidden>
      <header className={classes.cardHead}>
        <span className={textClasses.dim}>An email in {whose} private mailbox</span>
        <At at={entry.at} />
      </header>
    </article>
  )
}

/** The mailbox it came to or was sent from, where that could be another one. */
function Route({ entry: { mailbox_id, direction } }: { entry: ConversationEntry }) {
  const mailboxes = useMailboxes()
  const mailbox = mailboxes.find(({ id }) => id === mailbox_id)
  if (!mailbox || mailboxes.length < 2) return null
  return (
    <p className={`${textClasses.meta} ${textClasses.cut}`}>
      {direction === 'in' ? 'Received at' : 'Sent from'} {mailbox.address}
    </p>
  )
}

type ActionsProps = Props & { isWhole: boolean; setIsWhole: (isWhole: boolean) => void }

function Actions({ entry, conversation, canWrite, isWhole, setIsWhole }: ActionsProps) {
  const ours = useOurAddresses()
  const canReplyAll = canWrite && entry.direction === 'in' && ours !== undefined
  const hasOthers = canReplyAll && othersIn(conversation, entry, ours).length > 0
  if (!hasOthers && !entry.has_original) return null
  return (
    <div className={classes.actions}>
      {hasOthers && (
        <>
          <Button size="compact-xs" variant="default" onClick={() => startReply(conversation)}>
            Reply
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => replyAll(conversation, entry, ours)}>
            Reply all
          </Button>
        </>
      )}
      {entry.has_original && (
        <Button
          size="compact-xs"
          variant="default"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Hide original' : 'Show original'}
        </Button>
      )}
    </div>
  )
}
