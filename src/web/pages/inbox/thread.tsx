import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import IconArrowDown from 'icon:arrow-down'
import type { Conversation, ConversationEntry } from '#domains/conversations/contract.ts'
import { threadQuery } from '../../records/conversations/conversations-cache.ts'
import { useWriters } from '../../records/conversations/writers.ts'
import { nextPage } from '../../ui/next-page.ts'
import { Empty, Fault } from '../../ui/states.tsx'
import { dayInWords, dayNumber, useNow } from '../../ui/time.tsx'
import { toastFault } from '../../ui/toast.ts'
import { Entry } from '../../conversation/entry.tsx'
import { ThreadWaiting } from './states.tsx'
import { useEntries } from '../../conversation/use-entries.ts'
import { useThreadScroll } from './use-thread-scroll.ts'
import classes from './thread.module.css'

type Props = { conversation: Conversation; canWrite: boolean }

/** Everything that was said and noted, the oldest first. */
export function Thread({ conversation, canWrite }: Props) {
  const query = useInfiniteQuery(threadQuery(conversation.id))
  const entries = useEntries(query.data)
  const writers = useWriters(conversation.id)
  const { box, content, onScroll, onClick, isAway, jump } = useThreadScroll(entries)

  async function earlier() {
    const { isError, error } = await nextPage(query)
    if (isError) toastFault(error)
  }

  if (query.isError && !query.data) return <Fault error={query.error} retry={() => void query.refetch()} />
  return (
    <div className={classes.frame}>
      <div
        ref={box}
        className={classes.box}
        role="log"
        aria-label="Messages"
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
        onClickCapture={onClick}
      >
        <div ref={content} className={classes.content}>
          {query.isPending && <ThreadWaiting />}
          {query.hasNextPage && (
            <Button
              className={classes.earlier}
              variant="subtle"
              color="gray"
              loading={query.isFetchingNextPage}
              onClick={() => void earlier()}
            >
              Earlier messages
            </Button>
          )}
          {query.data && entries.length === 0 && <Empty compact title="No messages yet" />}
          <Days entries={entries} conversation={conversation} canWrite={canWrite} />
        </div>
      </div>
      {isAway && (
        <Button className={classes.jump} size="xs" leftSection={<IconArrowDown size={14} />} onClick={jump}>
          Latest message
        </Button>
      )}
      <p className={classes.writing} role="status">
        {writers && `${writers} ${writers.includes(' and ') ? 'are' : 'is'} writing…`}
      </p>
    </div>
  )
}

type DaysProps = Props & { entries: readonly ConversationEntry[] }

function Days({ entries, ...rest }: DaysProps) {
  const now = useNow()
  const days = Map.groupBy(entries, ({ at }) => dayNumber(Date.parse(at)))
  return [...days].map(([day, own]) => (
    <section key={day} className={classes.day} aria-label={dayInWords(own[0]!.at, now)}>
      <h2 className={classes.dayName}>
        <span>{dayInWords(own[0]!.at, now)}</span>
      </h2>
      {own.map(entry => (
        <Entry key={entry.id} entry={entry} {...rest} />
      ))}
    </section>
  ))
}
