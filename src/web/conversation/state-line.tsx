import IconAlertCircle from 'icon:alert-circle'
import IconClock from 'icon:clock'
import type { Conversation, ConversationEntry } from '#domains/conversations/contract.ts'
import { dueInWords, shortDayAndTime, stateWords } from '../records/conversations/words.ts'
import { useNow } from '../ui/time.tsx'
import { waitingSince } from './waiting-since.ts'
import textClasses from '../ui/text.module.css'
import classes from './lead-conversation.module.css'

type Props = { conversation: Conversation; newestFirst: readonly ConversationEntry[] }

/** Whose turn it is, since when, and until when an answer is due. */
export function StateLine({ conversation, newestFirst }: Props) {
  const now = useNow()
  const due = dueInWords(conversation, now)
  const since = conversation.state === 'OPEN' ? waitingSince(newestFirst) : undefined
  return (
    <p className={`${textClasses.cut} ${classes.state}`}>
      {since ? `Waiting for you since ${shortDayAndTime(since, now)}` : stateInWords(conversation, now)}
      {due && (
        <span className={classes.due} data-tone={due.tone}>
          {due.tone === 'late' ? (
            <IconAlertCircle size={14} aria-hidden />
          ) : (
            <IconClock size={14} aria-hidden />
          )}
          {due.tone === 'late' ? due.label : `Answer ${due.label.replace(/^D/, 'd')}`}
        </span>
      )}
    </p>
  )
}

function stateInWords({ state, snoozed_until }: Conversation, now: number): string {
  if (state === 'OPEN') return ''
  if (state === 'SNOOZED' && snoozed_until) return `Snoozed until ${shortDayAndTime(snoozed_until, now)}`
  return stateWords[state].label
}
