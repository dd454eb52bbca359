import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import IconPencil from 'icon:pencil'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { Conversation } from '#domains/conversations/contract.ts'
import { patterns } from '../paths.ts'
import { useCan } from '../queries.ts'
import { takeBackFirst } from '../records/conversations/conversation-writes.ts'
import { conversationsOf, type OfRecord } from '../records/conversations/of-records.ts'
import { conversationName, dueInWords, shortTime, stateWords } from '../records/conversations/words.ts'
import { useCommands } from '../ui/commands.ts'
import { useKeys } from '../ui/keys.ts'
import { nextPage } from '../ui/next-page.ts'
import { Panel, PanelLine, PanelRecords } from '../ui/panel.tsx'
import { exactly, useNow } from '../ui/time.tsx'
import { toastFault, toastWithUndo } from '../ui/toast.ts'
import { ChannelIcon } from './channel-icon.tsx'
import classes from './conversations-panel.module.css'

const NewMessage = lazy(() => import('./new-message.tsx').then(({ NewMessage }) => ({ default: NewMessage })))

type Props = {
  of: OfRecord
  /** Whose people can be written to. */
  account_id: string | null
  /** The one to write to; otherwise the one who was spoken to last. */
  lead_id?: string | null
}

/** The conversations with the people of an account or a deal, and a message to one of them. */
export function ConversationsPanel({ of, account_id, lead_id = null }: Props) {
  const navigate = useNavigate()
  const canWrite = useCan('conversations:write') && (lead_id !== null || account_id !== null)
  const [writes, setWrites] = useState(false)
  const list = useInfiniteQuery(conversationsOf(of))
  const records = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data])
  const write = () => setWrites(true)
  useKeys(canWrite ? { r: write } : {})
  useCommands(
    canWrite
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

  /** Its text is in the conversation again. */
  async function takeBack({ id }: Conversation, message_id: string) {
    if (!(await takeBackFirst(id, message_id))) return false
    await navigate({ to: patterns.conversation, params: { id }, search: {} })
    return true
  }
  async function more() {
    const { isError, error } = await nextPage(list)
    if (isError) toastFault(error)
  }
  return (
    <Panel
      title="Conversations"
      action={
        canWrite && (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            aria-keyshortcuts="r"
            leftSection={<IconPencil size={14} />}
            onClick={write}
          >
            Write
          </Button>
        )
      }
    >
      <PanelRecords what="conversations" records={records} isError={list.isError}>
        {conversation => <Line key={conversation.id} conversation={conversation} />}
      </PanelRecords>
      {list.hasNextPage && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          loading={list.isFetchingNextPage}
          onClick={() => void more()}
        >
          Show more
        </Button>
      )}
      {writes && (
        <Suspense fallback={null}>
          <NewMessage
            lead_id={lead_id ?? records?.[0]?.lead_id ?? undefined}
            among={{ account_id }}
            sent={(conversation, message_id) =>
              toastWithUndo(`Message to ${conversationName(conversation)}`, () =>
                takeBack(conversation, message_id),
              )
            }
            close={() => setWrites(false)}
          />
        </Suspense>
      )}
    </Panel>
  )
}

function Line({ conversation }: { conversation: Conversation }) {
  const now = useNow()
  const { id, channel, last_text, last_message_at, state, unread } = conversation
  const due = dueInWords(conversation, now)
  return (
    <PanelLine
      before={<ChannelIcon channel={channel} className={classes.channel} />}
      about={last_text}
      mark={
        <>
          <span className={classes.state} data-tone={due?.tone}>
            {due?.label ?? stateWords[state].label}
          </span>
          <time className={classes.time} dateTime={last_message_at} title={exactly(last_message_at)}>
            {shortTime(last_message_at, Math.max(now, Date.parse(last_message_at)))}
          </time>
        </>
      }
    >
      <Link
        to={patterns.conversation}
        params={{ id }}
        search={{}}
        dir="auto"
        data-unread={unread || undefined}
        className={classes.name}
      >
        {conversationName(conversation)}
      </Link>
    </PanelLine>
  )
}
