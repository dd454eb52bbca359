import IconLock from 'icon:lock'
import { lazy, memo, Suspense } from 'react'
import type { Conversation, ConversationEntry } from '#domains/conversations/contract.ts'
import { mentionName } from '../records/conversations/words.ts'
import { usePeople } from '../records/leads/people.ts'
import { Bar } from '../ui/states.tsx'
import { Author } from './author.tsx'
import { ChannelIcon } from './channel-icon.tsx'
import { Email } from './email-entry.tsx'
import { EntryFiles } from './entry-files.tsx'
import { At, Line } from './entry-parts.tsx'
import { ForwardButton } from './forward-button.tsx'
import { MessageText } from './message-text.tsx'
import { MessageState } from './message-state.tsx'
import textClasses from '../ui/text.module.css'
import classes from './entry.module.css'

const CallEntry = lazy(() => import('./call-entry.tsx').then(({ CallEntry }) => ({ default: CallEntry })))

type Props = { entry: ConversationEntry; conversation: Conversation; canWrite: boolean }

export const Entry = memo(function Entry(props: Props) {
  const { kind, automatic, status, hidden } = props.entry
  if (kind === 'note') return <Note {...props} />
  if (kind === 'call')
    return (
      <Suspense fallback={<Bar width="60%" height={64} />}>
        <CallEntry entry={props.entry} />
      </Suspense>
    )
  if (props.entry.author.kind === 'system') return <SystemLine {...props} />
  if (automatic && !hidden) return <Folded {...props} words="Automatic reply" />
  if (status === 'CANCELLED') return <Folded {...props} words="Cancelled" />
  return <Message {...props} />
})

function Message(props: Props) {
  const { entry } = props
  return (
    <Line direction={entry.direction} sign={<ChannelIcon channel={entry.channel ?? 'email'} size={15} />}>
      {entry.channel === 'email' ? <Email {...props} /> : <Bubble {...props} />}
      {entry.direction === 'out' && <MessageState {...props} />}
    </Line>
  )
}

function Bubble({ entry }: Props) {
  const { text, direction, at } = entry
  return (
    <article className={classes.bubble}>
      {direction === 'out' && (
        <span className={textClasses.meta}>
          <Author entry={entry} />
        </span>
      )}
      <MessageText text={text} />
      <EntryFiles entry={entry} />
      <At at={at} />
      <EntryFiles entry={entry} />
    </article>
  )
}

/** A line that nobody wrote, such as that a visitor asked for a person. */
function SystemLine({ entry: { text, at } }: Props) {
  return (
    <p className={classes.system}>
      <span>{text}</span> <At at={at} />
    </p>
  )
}

function Note({ entry }: Props) {
  const { text, mentions, at } = entry
  const people = usePeople()
  const names = mentions.flatMap(id => mentionNameOf(people.get(id)))
  return (
    <Line sign={<IconLock size={15} aria-hidden />} note>
      <article className={`${classes.card} ${classes.note}`} aria-label="Note">
        <header className={classes.cardHead}>
          <span className={textClasses.cut}>
            <Author entry={entry} />
            <span className={textClasses.dim}> note, team only</span>
          </span>
          <At at={at} />
        </header>
        <MessageText text={text} mentioned={names} />
      </article>
    </Line>
  )
}

/** One line, until somebody wants to read it. */
function Folded({ entry, conversation, canWrite, words }: Props & { words: string }) {
  const { channel, text, subject, at, direction, status } = entry
  const canForward = canWrite && channel === 'email' && status !== 'CANCELLED'
  return (
    <Line direction={direction} sign={<ChannelIcon channel={channel ?? 'email'} size={15} />}>
      <details className={classes.folded}>
        <summary>
          <span className={textClasses.cut}>
            {words}
            {subject && `: ${subject}`}
          </span>
          <At at={at} />
        </summary>
        <MessageText text={text} />
        {canForward && <ForwardButton entry={entry} conversation={conversation} />}
      </details>
    </Line>
  )
}

function mentionNameOf(member: Parameters<typeof mentionName>[0] | undefined): string[] {
  return member ? [mentionName(member)] : []
}
