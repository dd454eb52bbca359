import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { conversationChannels } from '#domains/conversations/values.ts'
import { paths } from '../../paths.ts'
import { labelsQuery } from '../../records/conversations/conversations-cache.ts'
import { inboxViews, NOBODY, viewOf, type InboxSearch } from '../../records/conversations/search.ts'
import { channelWords, viewWords } from '../../records/conversations/words.ts'
import { usePeople } from '../../records/leads/people.ts'
import { mailboxesQuery } from '../../records/mailboxes/mailboxes-cache.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import { ShowOlder } from '../../ui/log-rows.tsx'
import { withChosen, type Filter } from '../../ui/record-list/filters.ts'
import { valuesOf } from '../../ui/record-list/search.ts'
import { Fault } from '../../ui/states.tsx'
import { countInWords, inboxCountsQuery } from '../../records/conversations/counts.ts'
import { ConversationRow } from './conversation-row.tsx'
import { ListHead } from './list-head.tsx'
import { ListWaiting, NothingHere } from './states.tsx'
import { useInboxList } from './use-inbox-list.ts'
import type { Selection } from './use-selection.ts'
import type { Bulk } from './use-selection-keys.ts'
import classes from './list.module.css'

type Props = {
  search: InboxSearch
  set: (next: InboxSearch) => void
  openId: string | undefined
  canWrite: boolean
  selection: Selection
  bulk: Bulk
}

export function ConversationList({ search, set, openId, canWrite, selection, bulk }: Props) {
  const { list, rows } = useInboxList(search)
  const people = usePeople()
  const filters = useFilters(search)
  const shown = useRef<HTMLUListElement>(null)
  useEffect(() => {
    shown.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [openId])
  return (
    <section className={classes.pane} aria-label="Conversations">
      <ListHead
        level={openId ? 2 : 1}
        canWrite={canWrite}
        isEmpty={rows.length === 0}
        {...{ selection, bulk }}
      />
      <Views search={search} />
      <div className={classes.filters}>
        <ListBar
          label="Conversation filters"
          searchLabel="Search all conversations"
          filters={filters}
          search={search}
          set={set}
        />
      </div>
      <div className={classes.scroll}>
        {list.isError && !list.data && <Fault error={list.error} retry={() => void list.refetch()} />}
        {list.isPending && <ListWaiting />}
        {list.data && rows.length === 0 && (
          <div className={classes.empty}>
            <NothingHere search={search} clear={() => set(view(search))} canWrite={canWrite} />
          </div>
        )}
        {rows.length > 0 && (
          <ul
            ref={shown}
            aria-label={nameOf(search)}
            aria-busy={list.isPlaceholderData}
            data-stale={list.isPlaceholderData || undefined}
            data-selecting={selection.isOn || undefined}
            className={classes.rows}
          >
            {rows.map(row => (
              <ConversationRow
                key={row.id}
                conversation={row}
                search={search}
                isOpen={row.id === openId}
                assignee={row.assignee_id ? people.get(row.assignee_id) : undefined}
                {...(canWrite && {
                  isSelected: selection.has(row.id),
                  isMode: selection.isMode,
                  toggle: selection.toggle,
                  extend: selection.extend,
                })}
              />
            ))}
          </ul>
        )}
        <ShowOlder query={list} />
      </div>
    </section>
  )
}

function nameOf(search: InboxSearch): string {
  const view = viewOf(search)
  return view ? viewWords[view] : 'Search results'
}

function view({ view }: InboxSearch): InboxSearch {
  return view ? { view } : {}
}

/** How many conversations each view has; closed ones are not counted. */
function Views({ search }: { search: InboxSearch }) {
  const counts = useQuery(inboxCountsQuery).data
  const here = viewOf(search)
  const { q: _q, view: _view, ...filters } = search
  return (
    <nav className={classes.views} aria-label="Views of the inbox">
      {inboxViews.map(view => {
        const count = view === 'closed' ? undefined : counts?.[view]
        return (
          <Link
            key={view}
            to={paths.conversations}
            search={{ ...filters, ...(view !== 'mine' && { view }) }}
            className={classes.view}
            activeProps={{}}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={here === view ? 'true' : undefined}
          >
            <span>{viewWords[view]}</span>
            {count !== undefined && count > 0 && <span className={classes.count}>{countInWords(count)}</span>}
          </Link>
        )
      })}
    </nav>
  )
}

const channels = conversationChannels.map(value => ({ value, label: channelWords[value] }))

function useFilters(search: InboxSearch): Filter[] {
  const mailboxes = useQuery(mailboxesQuery).data ?? []
  const labels = (useQuery(labelsQuery).data ?? []).map(({ label }) => ({ value: label, label }))
  const boxes = [
    ...mailboxes.map(({ id, address }) => ({ value: id, label: address })),
    { value: NOBODY, label: 'Operator’s mailbox' },
  ]
  const people = usePeople()
  const named = (id: string) => people.get(id)?.name || people.get(id)?.email || 'Former member'
  const assignees = [
    ...[...people.keys()].map(value => ({ value, label: named(value) })),
    { value: NOBODY, label: 'Nobody' },
  ]
  const chosen = valuesOf(search, 'mailbox_id')
  const view = viewOf(search)
  return [
    { kind: 'flag', name: 'late', label: 'Late', words: 'only' },
    // The other two say whose they are.
    ...(view !== 'mine' && view !== 'unassigned'
      ? [
          {
            kind: 'choice' as const,
            name: 'assignee_id',
            label: 'Assignee',
            options: withChosen(assignees, valuesOf(search, 'assignee_id'), named),
          },
        ]
      : []),
    { kind: 'choice', name: 'channel', label: 'Channel', options: channels },
    ...(mailboxes.length > 0 || chosen.length > 0
      ? [
          {
            kind: 'choice' as const,
            name: 'mailbox_id',
            label: 'Mailbox',
            options: withChosen(boxes, chosen, () => 'Disconnected mailbox'),
          },
        ]
      : []),
    {
      kind: 'choice',
      name: 'label',
      label: 'Label',
      options: withChosen(labels, valuesOf(search, 'label'), value => value),
    },
  ]
}
