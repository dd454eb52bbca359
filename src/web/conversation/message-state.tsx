import { Button } from '@mantine/core'
import IconAlertCircle from 'icon:alert-circle'
import IconClockPause from 'icon:clock-pause'
import { useEffect, useState, type ReactNode } from 'react'
import type { Conversation, ConversationEntry } from '#domains/conversations/contract.ts'
import { useCan } from '../queries.ts'
import { sendAgain, takeBack } from '../records/conversations/conversation-writes.ts'
import { isHeld, shortDayAndTime } from '../records/conversations/words.ts'
import { exactly, useNow } from '../ui/time.tsx'
import { useSubmit } from '../ui/use-submit.ts'
import { ChatState } from './chat-state.tsx'
import classes from './entry.module.css'

type Props = { entry: ConversationEntry; conversation: Conversation; canWrite: boolean }

/** What became of a message of the team. */
export function MessageState({ entry, conversation, canWrite }: Props) {
  const now = useSeconds(entry.held_until)
  const { status, reason, delivered_at, opened_at } = entry
  const undoes = isHeld(entry, now)
  switch (status) {
    case 'DUE':
      return (
        <p className={classes.status} data-tone={isHeldBack(entry) ? 'warn' : undefined}>
          {entry.hold_reason && <IconClockPause size={14} aria-hidden />}
          <span>{heldInWords(entry, now)}</span>
          {undoes && canWrite && <Undo entry={entry} id={conversation.id} />}
        </p>
      )
    case 'SENDING':
      if (!entry.accepted_at) return <p className={classes.status}>Sending…</p>
      return (
        <p className={classes.status} title={exactly(entry.accepted_at)}>
          Accepted, not confirmed
        </p>
      )
    case 'FAILED':
      return (
        <Bad words="Not sent" reason={reason}>
          {canWrite && <Retry entry={entry} id={conversation.id} />}
        </Bad>
      )
    case 'UNKNOWN':
      return <Bad words="Unknown whether it was sent" reason={reason} />
    case 'SENT': {
      if (entry.channel === 'chat')
        return <ChatState entry={entry} id={conversation.id} className={classes.status} />
      if (entry.bounced_at) return <Bad words="Not delivered" reason={reason} />
      const at = opened_at ?? delivered_at
      return (
        <p className={classes.status} title={at ? exactly(at) : undefined}>
          {opened_at
            ? entry.channel === 'whatsapp'
              ? 'Read'
              : 'Opened'
            : delivered_at
              ? 'Delivered'
              : 'Sent'}
        </p>
      )
    }
    default:
      return null
  }
}

/** By something else than the wish of its writer. */
function isHeldBack({ hold_reason }: ConversationEntry): boolean {
  return hold_reason === 'quiet_hours' || hold_reason === 'daily_limit'
}

function heldInWords({ held_until, hold_reason }: ConversationEntry, now: number): string {
  const left = held_until === null ? 0 : Date.parse(held_until) - now
  if (held_until === null || left <= 0) return 'Sending…'
  if (hold_reason === 'quiet_hours') return `Held until ${shortDayAndTime(held_until, now)}: quiet hours`
  if (hold_reason === 'daily_limit') return `Held until ${shortDayAndTime(held_until, now)}: daily limit`
  if (left > MINUTE_MS) return `Scheduled for ${shortDayAndTime(held_until, now)}`
  return `Sends in ${Math.ceil(left / 1_000)} s`
}

function Undo({ entry, id }: { entry: ConversationEntry; id: string }) {
  const { busy, submit } = useSubmit(() => takeBack(id, entry))
  return (
    <Button size="compact-xs" variant="default" loading={busy} onClick={submit}>
      {entry.hold_reason ? 'Cancel' : 'Undo'}
    </Button>
  )
}

/** For the same right as in the outbox. */
function Retry({ entry, id }: { entry: ConversationEntry; id: string }) {
  const canRetry = useCan('outreach:write')
  const { busy, submit } = useSubmit(() => sendAgain(id, entry), "Couldn't resend")
  if (!canRetry) return null
  return (
    <Button size="compact-xs" variant="default" loading={busy} onClick={submit}>
      Try again
    </Button>
  )
}

type BadProps = { words: string; reason: string | null; children?: ReactNode }

function Bad({ words, reason, children }: BadProps) {
  return (
    <p className={classes.status} data-tone="bad">
      <IconAlertCircle size={14} aria-hidden />
      <span>{reason ? `${words}: ${reason}` : words}</span>
      {children}
    </p>
  )
}

const MINUTE_MS = 60_000
const SECOND_MS = 1_000

/** The time by the second while a message is about to be sent, else by the clock of the page. */
function useSeconds(until: string | null): number {
  const page = useNow()
  const [now, setNow] = useState(Date.now)
  const end = until === null ? 0 : Date.parse(until)
  const isNear = end > page - MINUTE_MS && end - page < 2 * MINUTE_MS
  useEffect(() => {
    if (!isNear) return
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() > end) clearInterval(timer)
    }, SECOND_MS)
    return () => clearInterval(timer)
  }, [isNear, end])
  return isNear ? Math.max(now, page) : page
}
