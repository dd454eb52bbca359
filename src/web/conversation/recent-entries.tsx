import { Button } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import type { Conversation, ConversationEntry } from '#domains/conversations/contract.ts'
import { Entry } from './entry.tsx'
import { nextPage, type Paged } from '../ui/next-page.ts'
import { dayInWords, dayNumber, useNow } from '../ui/time.tsx'
import { Bar } from '../ui/states.tsx'
import { toastFault } from '../ui/toast.ts'
import { Clamped } from './clamped.tsx'
import daysClasses from '../ui/days.module.css'
import classes from './lead-conversation.module.css'

const STEP = 10
/** A few messages, before they are loaded. */
const WAITING_PX = 420

type Props = {
  conversation: Conversation
  canWrite: boolean
  newestFirst: readonly ConversationEntry[]
  thread: Paged
  /** How many are shown at first. */
  first: number
  shows: (entries: readonly ConversationEntry[]) => void
}

/** The latest of what was said and noted, as on every record the newest first. */
export function RecentEntries({ newestFirst, thread, first, shows, ...rest }: Props) {
  const [count, setCount] = useState(first)
  const entries = useMemo(() => newestFirst.slice(0, count), [newestFirst, count])
  useEffect(() => shows(entries), [entries, shows])
  useEffect(() => () => shows([]), [shows])
  const isWaiting = thread.data === undefined
  const hasEarlier = newestFirst.length > count || thread.hasNextPage

  async function earlier() {
    if (newestFirst.length < count + STEP && thread.hasNextPage) {
      const { isError, error } = await nextPage(thread)
      if (isError) return toastFault(error)
    }
    setCount(count + STEP)
  }

  return (
    <div role="log" aria-label="Messages" aria-busy={isWaiting} className={classes.entries}>
      {isWaiting && <Bar width="100%" height={WAITING_PX} />}
      <Days entries={entries} {...rest} />
      {hasEarlier && (
        <Button
          className={classes.earlier}
          size="xs"
          variant="subtle"
          color="gray"
          loading={thread.isFetchingNextPage}
          onClick={() => void earlier()}
        >
          Show earlier
        </Button>
      )}
    </div>
  )
}

type DaysProps = { entries: readonly ConversationEntry[]; conversation: Conversation; canWrite: boolean }

function Days({ entries, ...rest }: DaysProps) {
  const now = useNow()
  const days = Map.groupBy(entries, ({ at }) => dayNumber(Date.parse(at)))
  return [...days].map(([day, own]) => (
    <section key={day} className={classes.day} aria-label={dayInWords(own[0]!.at, now)}>
      <h3 className={daysClasses.date}>{dayInWords(own[0]!.at, now)}</h3>
      {own.map(entry => (
        <Clamped key={entry.id}>
          <Entry entry={entry} {...rest} />
        </Clamped>
      ))}
    </section>
  ))
}
