import { useMediaQuery } from '@mantine/hooks'
import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { paths, patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { newMessage, closeNewMessage, openNewMessage } from '../../records/conversations/open-new-message.ts'
import { inboxSearch, viewOf, type InboxSearch } from '../../records/conversations/search.ts'
import { viewWords } from '../../records/conversations/words.ts'
import { useKeys } from '../../ui/keys.ts'
import { NARROW } from '../../ui/narrow.ts'
import { useTitle } from '../../ui/title.ts'
import { ConversationList } from './conversation-list.tsx'
import { focusRow } from './rows.ts'
import { NothingOpen, ThreadWaiting } from './states.tsx'
import { useInboxList } from './use-inbox-list.ts'
import { useNeighbours } from './use-neighbours.ts'
import { useSelection } from './use-selection.ts'
import { useSelectionKeys, type BulkAct } from './use-selection-keys.ts'
import classes from './inbox.module.css'

const ThreadPane = lazy(() => import('./thread-pane.tsx').then(({ ThreadPane }) => ({ default: ThreadPane })))
const NewMessage = lazy(() =>
  import('../../conversation/new-message.tsx').then(({ NewMessage }) => ({ default: NewMessage })),
)

const route = getRouteApi('/inbox')

/** All conversations with leads: the list, and the one that is open. */
export function InboxPage() {
  const raw = route.useSearch()
  const search = useMemo(() => inboxSearch(raw), [raw])
  const { id } = useParams({ strict: false })
  const navigate = useNavigate()
  const canWrite = useCan('conversations:write')
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const asked = newMessage.use(now => now)
  const neighbours = useNeighbours(search, id)
  const view = viewOf(search)
  const { rows } = useInboxList(search)
  const selection = useSelection(rows, JSON.stringify(search))
  const [bulkAct, setBulkAct] = useState<BulkAct | null>(null)
  const showsList = !narrow || !id
  useSelectionKeys(selection, canWrite && showsList, setBulkAct)

  function open(next: string | undefined) {
    if (next) void navigate({ to: patterns.conversation, params: { id: next }, search })
    else back()
  }
  function back() {
    void navigate({ to: paths.conversations, search })
  }
  function set(next: InboxSearch) {
    // What is open stays open: the focus stays in the field.
    if (id) void navigate({ to: patterns.conversation, params: { id }, search: next, replace: true })
    else void navigate({ to: paths.conversations, search: next, replace: true })
  }
  /** What is done gives way to the next one; on phones to the list. */
  function leave() {
    open(narrow ? undefined : neighbours.after())
  }
  /** The same after a change of many: the next one that was not among them. */
  function leaveMany(ids: ReadonlySet<string>) {
    if (!id || !ids.has(id)) return
    const at = rows.findIndex(row => row.id === id)
    const left = (row: { id: string }) => !ids.has(row.id)
    open((rows.slice(at).find(left) ?? rows.slice(0, at).findLast(left))?.id)
  }

  useKeys({
    j: () => (id ? neighbours.next() && open(neighbours.next()) : focusRow(1)),
    k: () => (id ? neighbours.previous() && open(neighbours.previous()) : focusRow(-1)),
    ...(canWrite && { c: () => openNewMessage() }),
  })
  return (
    <div className={classes.panes} data-open={id !== undefined || undefined}>
      {showsList && (
        <ConversationList
          search={search}
          set={set}
          openId={id}
          canWrite={canWrite}
          selection={selection}
          bulk={{ act: bulkAct, setAct: setBulkAct, leave: leaveMany }}
        />
      )}
      {id ? (
        <Suspense fallback={<ThreadWaiting />}>
          <ThreadPane key={id} id={id} search={search} back={back} leave={leave} narrow={narrow === true} />
        </Suspense>
      ) : (
        <>
          <Title text={view ? `${viewWords[view]} · Inbox` : 'Inbox'} />
          {!narrow && <NothingOpen />}
        </>
      )}
      {asked && canWrite && (
        <Suspense fallback={null}>
          <NewMessage
            lead_id={asked.lead_id}
            sent={conversation => open(conversation.id)}
            close={closeNewMessage}
          />
        </Suspense>
      )}
    </div>
  )
}

/** While nothing is open: an open conversation has its own. */
function Title({ text }: { text: string }) {
  useTitle(text)
  return null
}
