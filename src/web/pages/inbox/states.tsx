import { Button, Kbd } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconChecks from 'icon:checks'
import IconFilterOff from 'icon:filter-off'
import IconInbox from 'icon:inbox'
import { paths } from '../../paths.ts'
import { countInWords, inboxCountsQuery } from '../../records/conversations/counts.ts'
import { openNewMessage } from '../../records/conversations/open-new-message.ts'
import { viewOf, type InboxSearch, type InboxView } from '../../records/conversations/search.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { isFiltered } from '../../ui/record-list/search.ts'
import { Bar, Empty } from '../../ui/states.tsx'
import classes from './states.module.css'

type Nothing = { search: InboxSearch; clear: () => void; canWrite: boolean }

/** What an empty view means, and what to do about it. */
export function NothingHere({ search, clear, canWrite }: Nothing) {
  const unassigned = useQuery(inboxCountsQuery).data?.unassigned ?? 0
  if (isFiltered(search))
    return (
      <Empty
        compact
        icon={<IconFilterOff size={28} stroke={1.4} />}
        title="No matches"
        action={
          <Button variant="default" onClick={clear}>
            {search.q ? 'Clear search' : 'Clear filters'}
          </Button>
        }
      >
        {search.q ? 'No conversation with this name or address.' : 'No conversations match these filters.'}
      </Empty>
    )
  const view = viewOf(search) ?? 'mine'
  const { title, about } = empty[view]
  return (
    <Empty
      compact
      icon={
        view === 'mine' || view === 'open' ? (
          <IconChecks size={28} stroke={1.4} />
        ) : (
          <IconInbox size={28} stroke={1.4} />
        )
      }
      title={title}
      action={
        view === 'mine' && unassigned > 0 ? (
          <LinkButton to={paths.conversations} search={{ view: 'unassigned' }} variant="default">
            {`See ${countInWords(unassigned)} unassigned`}
          </LinkButton>
        ) : (
          canWrite &&
          (view === 'mine' || view === 'open') && (
            <Button variant="default" onClick={() => openNewMessage()}>
              New message
            </Button>
          )
        )
      }
    >
      {about}
    </Empty>
  )
}

const empty: Record<InboxView, { title: string; about: string }> = {
  mine: {
    title: 'Nothing to answer',
    about: 'Conversations assigned to you appear here when somebody writes.',
  },
  unassigned: { title: 'Nothing unassigned', about: 'New conversations that nobody has taken appear here.' },
  open: { title: 'No open conversations', about: 'Messages from leads and visitors appear here.' },
  waiting: {
    title: 'Not waiting for a reply',
    about: 'After you reply, a conversation is here until they answer.',
  },
  snoozed: { title: 'Nothing snoozed', about: 'Press S in a conversation to hide it until later.' },
  closed: {
    title: 'Nothing closed',
    about: 'Press E in a conversation when it is done. A new message reopens it.',
  },
}

export function ListWaiting() {
  return (
    <div role="status" aria-busy aria-label="Loading conversations" className={classes.waiting}>
      {[46, 62, 38, 55, 44, 58].map(width => (
        <div key={width}>
          <Bar width={`${width}%`} />
          <Bar width="86%" />
          <Bar width={84} height={10} />
        </div>
      ))}
    </div>
  )
}

/** The middle, while nothing is open there. */
export function NothingOpen() {
  return (
    <div className={classes.nothing}>
      <Empty icon={<IconInbox size={32} stroke={1.3} />} title="Choose a conversation">
        <span className={classes.keys}>
          <Kbd size="xs">J</Kbd> <Kbd size="xs">K</Kbd> move along the list, <Kbd size="xs">Enter</Kbd> opens.
        </span>
      </Empty>
    </div>
  )
}

export function ThreadWaiting() {
  return (
    <div role="status" aria-busy aria-label="Loading conversation" className={classes.thread}>
      <Bar width={180} height={18} />
      <Bar width="70%" height={84} />
      <Bar width="52%" height={40} />
      <Bar width="70%" height={110} />
    </div>
  )
}
