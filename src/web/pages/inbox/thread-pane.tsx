import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { Conversation } from '#domains/conversations/contract.ts'
import { patterns } from '../../paths.ts'
import { isProblem } from '../../problem.ts'
import { useCan } from '../../queries.ts'
import { close, reopen } from '../../records/conversations/conversation-writes.ts'
import { lastEmail } from '../../records/conversations/conversations-cache.ts'
import type { InboxSearch } from '../../records/conversations/search.ts'
import { changeDraft } from '../../records/conversations/drafts.ts'
import { useOurAddresses } from '../../records/conversations/senders.ts'
import { openForward } from '../../records/conversations/forwarding.ts'
import { conversations } from '../../records/conversations/store.ts'
import { conversationName } from '../../records/conversations/words.ts'
import { useCommands } from '../../ui/commands.ts'
import { useKeys } from '../../ui/keys.ts'
import { Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { toast } from '../../ui/toast.ts'
import type { Act } from './act-picker.tsx'
import { Composer } from '../../conversation/composer.tsx'
import { Rail } from './rail.tsx'
import { replyAll } from '../../conversation/reply.ts'
import { ThreadWaiting } from './states.tsx'
import { ThreadHead } from './thread-head.tsx'
import { Thread } from './thread.tsx'
import { UnknownAddress } from './unknown-address.tsx'
import { useEscape } from './use-escape.ts'
import { useMarkRead } from '../../conversation/use-mark-read.ts'
import { useReplyAllKey } from '../../conversation/use-reply-all-key.ts'
import classes from './thread-pane.module.css'

const Details = lazy(() => import('./details.tsx').then(({ Details }) => ({ default: Details })))

/** The rail beside the thread needs this much room. */
const WIDE = '(min-width: 1200px)'

type Props = { id: string; search: InboxSearch; back: () => void; leave: () => void; narrow: boolean }

export function ThreadPane({ id, search, ...rest }: Props) {
  const navigate = useNavigate()
  const query = useQuery({ ...conversations.query(id), placeholderData: () => conversations.known(id) })
  const conversation = query.data
  const goesOnAt = conversation && conversation.id !== id ? conversation.id : undefined
  useEffect(() => {
    // It was merged into the conversation of a lead: old links still lead there.
    if (goesOnAt)
      void navigate({ to: patterns.conversation, params: { id: goesOnAt }, search, replace: true })
  }, [goesOnAt, navigate, search])
  if (isProblem(query.error, 404)) return <NoSuchConversation back={rest.back} />
  if (query.error && !conversation)
    return <Fault whole error={query.error} retry={() => void query.refetch()} />
  if (!conversation || goesOnAt) return <ThreadWaiting />
  return <Shown conversation={conversation} search={search} {...rest} />
}

type ShownProps = Omit<Props, 'id'> & { conversation: Conversation }

function Shown({ conversation, search, back, leave, narrow }: ShownProps) {
  const { id, state } = conversation
  const canWrite = useCan('conversations:write')
  const wide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false }) === true
  const [act, setAct] = useState<Act | null>(null)
  const [showsDetails, setShowsDetails] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const ours = useOurAddresses()
  const name = conversationName(conversation)
  const isClosed = state === 'CLOSED'
  useTitle(name)
  useMarkRead(conversation)
  useEscape(back)

  function write(tab: 'reply' | 'note') {
    changeDraft(id, tab === 'note' ? { tab: 'note' } : { tab: conversation.channel })
    // At once: people type on, and their letters must not become shortcuts.
    field.current?.focus()
  }
  /** To everybody who got the last email. */
  function writeToAll() {
    const last = lastEmail(id)
    if (last && ours) replyAll(conversation, last, ours)
    else write('reply')
  }
  function passOn() {
    const last = lastEmail(id)
    if (last) openForward(last)
    else toast('There is no email to forward')
  }
  function finish() {
    if (isClosed) return void reopen(conversation)
    void close(conversation)
    leave()
  }
  useReplyAllKey(canWrite ? writeToAll : undefined)
  useKeys({
    u: back,
    ...(canWrite && {
      r: () => write('reply'),
      n: () => write('note'),
      e: finish,
      s: () => setAct('snooze'),
      a: () => setAct('assign'),
      l: () => setAct('labels'),
    }),
  })
  useCommands(
    canWrite
      ? [
          {
            id: 'close-conversation',
            group: 'This page',
            label: isClosed ? 'Reopen conversation' : 'Close conversation',
            words: 'done finish',
            keys: 'E',
            run: finish,
          },
          {
            id: 'reply-here',
            group: 'This page',
            label: 'Reply',
            words: 'answer write',
            keys: 'R',
            run: () => write('reply'),
          },
          {
            id: 'reply-all-here',
            group: 'This page',
            label: 'Reply all',
            words: 'answer write everybody copy cc',
            keys: 'Shift R',
            run: writeToAll,
          },
          {
            id: 'forward-here',
            group: 'This page',
            label: 'Forward last email',
            words: 'pass on send share colleague',
            run: passOn,
          },
          {
            id: 'note-here',
            group: 'This page',
            label: 'Add a note',
            words: 'write team mention',
            keys: 'N',
            run: () => write('note'),
          },
        ]
      : [],
  )
  const acting = { act, setAct, snoozed: leave }
  return (
    <div className={classes.pane} data-rail={wide || undefined}>
      <section className={classes.main} aria-label={`Conversation with ${name}`}>
        <ThreadHead
          conversation={conversation}
          canWrite={canWrite}
          wide={wide}
          narrow={narrow}
          {...acting}
          back={back}
          finish={finish}
          showDetails={() => setShowsDetails(true)}
        />
        {conversation.lead_id === null && canWrite && (
          <UnknownAddress conversation={conversation} search={search} />
        )}
        <Thread conversation={conversation} canWrite={canWrite} />
        {canWrite && <Composer key={id} conversation={conversation} field={field} />}
      </section>
      {wide && (
        <aside className={classes.rail} aria-label="Details">
          <Rail conversation={conversation} canWrite={canWrite} {...acting} />
        </aside>
      )}
      {showsDetails && !wide && (
        <Suspense fallback={null}>
          <Details title={name} close={() => setShowsDetails(false)}>
            <Rail conversation={conversation} canWrite={false} />
          </Details>
        </Suspense>
      )}
    </div>
  )
}

function NoSuchConversation({ back }: { back: () => void }) {
  useTitle('Inbox')
  return (
    <Empty
      whole
      title="Conversation not found"
      action={
        <Button variant="default" onClick={back}>
          Back to inbox
        </Button>
      }
    >
      It may belong to another team, or its lead was erased.
    </Empty>
  )
}
