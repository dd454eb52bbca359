import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import IconAlertCircle from 'icon:alert-circle'
import IconArrowBackUp from 'icon:arrow-back-up'
import IconClock from 'icon:clock'
import { memo, type MouseEvent } from 'react'
import type { Conversation } from '#domains/conversations/contract.ts'
import type { Member } from '#domains/identity/contract.ts'
import { patterns } from '../../paths.ts'
import { useHasDraft } from '../../records/conversations/drafts.ts'
import type { InboxSearch } from '../../records/conversations/search.ts'
import {
  conversationName,
  dueInWords,
  shortDayAndTime,
  shortTime,
  stateWords,
} from '../../records/conversations/words.ts'
import { Avatar } from '../../ui/person.tsx'
import { exactly, useNow } from '../../ui/time.tsx'
import { ChannelIcon } from '../../conversation/channel-icon.tsx'
import textClasses from '../../ui/text.module.css'
import classes from './row.module.css'

type Props = {
  conversation: Conversation
  search: InboxSearch
  isOpen: boolean
  assignee: Pick<Member, 'id' | 'name' | 'email'> | undefined
  isSelected?: boolean
  /** A click selects the row. */
  isMode?: boolean
  /** Absent: it cannot be selected. */
  toggle?: (id: string) => void
  extend?: (id: string) => void
}

/** Who, what, and how it stands; all of it is the link. */
export const ConversationRow = memo(function ConversationRow({
  conversation,
  search,
  isOpen,
  assignee,
  isSelected = false,
  isMode = false,
  toggle,
  extend,
}: Props) {
  const now = useNow()
  const { id, channel, unread, last_message_at, last_direction, last_text, labels } = conversation
  const assigneeName = assignee && (assignee.name || assignee.email)
  function onClick(event: MouseEvent) {
    if (event.shiftKey && extend) extend(id)
    else if (isMode && toggle && !event.ctrlKey && !event.metaKey) toggle(id)
    else return
    event.preventDefault()
  }
  return (
    <li className={classes.item} data-selected={isSelected || undefined}>
      {toggle && extend && (
        <Checkbox
          className={classes.check}
          size="xs"
          aria-label={`Select ${conversationName(conversation)}`}
          checked={isSelected}
          onChange={({ nativeEvent }) => {
            if ('shiftKey' in nativeEvent && nativeEvent.shiftKey) extend(id)
            else toggle(id)
          }}
        />
      )}
      <Link
        to={patterns.conversation}
        params={{ id }}
        search={search}
        className={classes.row}
        activeProps={{}}
        aria-current={isOpen ? 'page' : undefined}
        data-unread={unread || undefined}
        data-row={id}
        aria-keyshortcuts={toggle && 'x'}
        onClick={onClick}
      >
        {unread && (
          <span className={classes.dot}>
            <span className={textClasses.hidden}>Unread</span>
          </span>
        )}
        <ChannelIcon channel={channel} className={classes.channel} />
        <span className={`${textClasses.cut} ${classes.name}`} dir="auto">
          {conversationName(conversation)}
        </span>
        <time className={classes.time} dateTime={last_message_at} title={exactly(last_message_at)}>
          {shortTime(last_message_at, Math.max(now, Date.parse(last_message_at)))}
        </time>
        <span className={`${textClasses.cut} ${classes.text}`}>
          {last_direction === 'out' && (
            <IconArrowBackUp size={14} role="img" aria-label="Sent:" className={classes.out} />
          )}
          {last_text ? <span dir="auto">{last_text}</span> : <span>No text to show</span>}
        </span>
        <span className={classes.state}>
          <State conversation={conversation} now={now} />
          <Draft id={id} />
          {labels.map(label => (
            <span key={label} className={`${textClasses.chip} ${classes.label}`}>
              {label}
            </span>
          ))}
        </span>
        {assignee && assigneeName && (
          <span className={classes.assignee} title={assigneeName}>
            <span className={textClasses.hidden}>Assigned to {assigneeName}</span>
            <Avatar name={assigneeName} id={assignee.id} size={18} />
          </span>
        )}
      </Link>
    </li>
  )
})

function State({ conversation, now }: { conversation: Conversation; now: number }) {
  const due = dueInWords(conversation, now)
  if (due)
    return (
      <span className={classes.due} data-tone={due.tone}>
        {due.tone === 'late' ? (
          <IconAlertCircle size={14} aria-hidden />
        ) : (
          <IconClock size={14} aria-hidden />
        )}
        {due.label}
      </span>
    )
  const { state, snoozed_until } = conversation
  if (state === 'SNOOZED' && snoozed_until) return <span>Until {shortDayAndTime(snoozed_until, now)}</span>
  return state === 'OPEN' ? null : <span>{stateWords[state].label}</span>
}

function Draft({ id }: { id: string }) {
  return useHasDraft(id) ? <span className={classes.draft}>Draft</span> : null
}
