import { Kbd } from '@mantine/core'
import { useInViewport, useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import IconInbox from 'icon:inbox'
import { useEffect, useMemo, useRef, type ReactNode, type RefObject } from 'react'
import type { Conversation, ConversationEntry } from '#domains/conversations/contract.ts'
import { firstChannels } from '#domains/conversations/values.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { Composer } from './composer.tsx'
import { replyAll } from './reply.ts'
import { useEntries } from './use-entries.ts'
import { useMarkRead } from './use-mark-read.ts'
import { useReplyAllKey } from './use-reply-all-key.ts'
import { patterns } from '../paths.ts'
import { useCan } from '../queries.ts'
import { lastEmail, threadQuery } from '../records/conversations/conversations-cache.ts'
import { changeDraft } from '../records/conversations/drafts.ts'
import { useOurAddresses } from '../records/conversations/senders.ts'
import { conversations } from '../records/conversations/store.ts'
import { useWriters } from '../records/conversations/writers.ts'
import { useCommands, type Command } from '../ui/commands.ts'
import { useKeys } from '../ui/keys.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { NARROW } from '../ui/narrow.ts'
import { Fault } from '../ui/states.tsx'
import { RecentEntries } from './recent-entries.tsx'
import { StartConversation } from './start-conversation.tsx'
import { moveStartDraft } from './start-draft.ts'
import { StateLine } from './state-line.tsx'
import textClasses from '../ui/text.module.css'
import classes from './lead-conversation.module.css'

const SHOWN = 5
const SHOWN_NARROW = 3

type Writing = {
  field: RefObject<HTMLTextAreaElement | null>
  /** Whether the form for the first message had the focus when it gave way to the conversation. */
  wasWriting: RefObject<boolean>
}
type Props = Writing & { lead: Lead; canWrite: boolean }

type SectionProps = {
  lead: Lead
  /** Their conversation, or null where there is none yet. */
  known: Conversation | null
  /** Is given the conversation that was begun here. */
  keep: (begun: Conversation) => void
  /** Is given what it shows. */
  shows: (entries: readonly ConversationEntry[]) => void
  /** The page has no other place for notes. */
  takesNotes: boolean
}

/** What the team and a lead write to each other, on the page of the lead. */
export function LeadConversation({ lead, known, keep, shows, takesNotes }: SectionProps) {
  const canWrite = useCan('conversations:write')
  const field = useRef<HTMLTextAreaElement>(null)
  const wasWriting = useRef(false)
  const props = { lead, canWrite, field, wasWriting }
  return known ? (
    <Shown {...props} known={known} shows={shows} takesNotes={takesNotes} />
  ) : (
    <NotBegun {...props} keep={keep} />
  )
}

type ShownProps = Props & Pick<SectionProps, 'shows' | 'takesNotes'> & { known: Conversation }

function Shown({ lead, canWrite, field, wasWriting, known, shows, takesNotes }: ShownProps) {
  const { id } = known
  const navigate = useNavigate()
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) === true
  const conversation = useQuery({ ...conversations.query(id), placeholderData: known }).data ?? known
  const thread = useInfiniteQuery(threadQuery(id))
  const oldestFirst = useEntries(thread.data)
  const newestFirst = useMemo(() => oldestFirst.toReversed(), [oldestFirst])
  const ours = useOurAddresses()
  const writers = useWriters(id)
  const { ref, inViewport } = useInViewport<HTMLDivElement>()
  useMarkRead({ ...conversation, unread: conversation.unread && inViewport && thread.isSuccess })
  useMovedDraft(lead.id, id, { field, wasWriting })

  function write() {
    changeDraft(id, { tab: conversation.channel })
    // At once: people type on, and their letters must not become shortcuts.
    field.current?.focus()
  }
  function note() {
    changeDraft(id, { tab: 'note' })
    field.current?.focus()
  }
  /** To everybody who got the last email. */
  function writeToAll() {
    const last = lastEmail(id)
    if (last && ours) replyAll(conversation, last, ours)
    else write()
  }
  function openInInbox() {
    void navigate({ to: patterns.conversation, params: { id }, search: {} })
  }
  useReplyAllKey(canWrite ? writeToAll : undefined)
  useKeys({ i: openInInbox, ...(canWrite && { r: write }), ...(takesNotes && { m: note }) })
  useCommands(commandsFor(canWrite, { openInInbox, write, writeToAll, ...(takesNotes && { note }) }))
  return (
    <Frame
      state={<StateLine conversation={conversation} newestFirst={newestFirst} />}
      action={
        <LinkButton
          to={patterns.conversation}
          params={{ id }}
          search={{}}
          size="xs"
          variant="subtle"
          color="gray"
          aria-keyshortcuts="i"
          leftSection={<IconInbox size={14} />}
          rightSection={narrow ? undefined : <Kbd size="xs">I</Kbd>}
        >
          Open in Inbox
        </LinkButton>
      }
    >
      {canWrite && <Composer key={id} conversation={conversation} field={field} />}
      <p className={classes.writing} role="status">
        {writers && `${writers} ${writers.includes(' and ') ? 'are' : 'is'} writing…`}
      </p>
      <div ref={ref}>
        {thread.isError && !thread.data ? (
          <Fault error={thread.error} retry={() => void thread.refetch()} />
        ) : (
          <RecentEntries
            conversation={conversation}
            canWrite={canWrite}
            newestFirst={newestFirst}
            thread={thread}
            shows={shows}
            first={narrow ? SHOWN_NARROW : SHOWN}
          />
        )}
      </div>
    </Frame>
  )
}

type Acts = { openInInbox: () => void; write: () => void; writeToAll: () => void; note?: () => void }

function commandsFor(canWrite: boolean, { openInInbox, write, writeToAll, note }: Acts): Command[] {
  const group = 'This page' as const
  const open: Command = {
    id: 'open-in-inbox',
    group,
    label: 'Open in Inbox',
    words: 'conversation',
    keys: 'I',
    run: openInInbox,
  }
  if (!canWrite) return [open]
  return [
    open,
    { id: 'reply-here', group, label: 'Reply', words: 'answer write', keys: 'R', run: write },
    {
      id: 'reply-all-here',
      group,
      label: 'Reply all',
      words: 'answer write everybody copy cc',
      keys: 'Shift R',
      run: writeToAll,
    },
    ...(note ? [{ id: 'note', group, label: 'Write a note', keys: 'M', run: note }] : []),
  ]
}

/** What was typed before there was a conversation is continued in it. */
function useMovedDraft(lead_id: string, id: string, { field, wasWriting }: Writing): void {
  useEffect(() => {
    moveStartDraft(lead_id, id)
    if (wasWriting.current) field.current?.focus({ preventScroll: true })
    wasWriting.current = false
  }, [lead_id, id, field, wasWriting])
}

function NotBegun({ lead, canWrite, keep, ...writing }: Props & Pick<SectionProps, 'keep'>) {
  // By WhatsApp, a conversation begins with a template.
  const channels = firstChannels.filter(
    channel => channel !== 'whatsapp' && (channel === 'email' ? lead.email : lead.phone),
  )
  const canBegin = canWrite && channels.length > 0
  const write = () => writing.field.current?.focus()
  useKeys(canBegin ? { r: write } : {})
  useCommands(
    canBegin
      ? [
          {
            id: 'write-here',
            group: 'This page',
            label: 'Write a message',
            words: 'email sms text contact',
            keys: 'R',
            run: write,
          },
        ]
      : [],
  )
  return (
    <Frame>
      {canBegin ? (
        <StartConversation lead={lead} channels={channels} keep={keep} {...writing} />
      ) : (
        <p className={`${textClasses.dim} ${classes.nothing}`}>
          No messages yet.
          {canWrite && ' Add an email address or a phone number to write to this lead.'}
        </p>
      )}
    </Frame>
  )
}

type FrameProps = { state?: ReactNode; action?: ReactNode; children: ReactNode }

function Frame({ state, action, children }: FrameProps) {
  return (
    <section className={classes.section} aria-label="Conversation" data-lead-conversation>
      <header className={classes.head}>
        <h2>Conversation</h2>
        {state}
        {action}
      </header>
      {children}
    </section>
  )
}
