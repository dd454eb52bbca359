import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import IconMessageCircle from 'icon:message-circle'
import IconPlus from 'icon:plus'
import { useState } from 'react'
import type { ChatWidget } from '#domains/chat/contract.ts'
import { WIDGETS_MAX } from '#domains/chat/values.ts'
import { patterns } from '../../paths.ts'
import { useIsAtLeast } from '../../queries.ts'
import { createWidget } from '../../records/chat-widgets/widget-writes.ts'
import { chatWidgetsQuery } from '../../records/chat-widgets/widgets-cache.ts'
import { sitesInWords } from '../../records/chat-widgets/words.ts'
import { useCommands } from '../../ui/commands.ts'
import { PageBody, PageHead } from '../../ui/page-head.tsx'
import { NameDialog } from '../../ui/seldom-dialogs.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { ownZone } from '../../ui/zones.ts'
import rowsClasses from '../../ui/rows.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './chat-widget.module.css'

/** The chats that the team shows on its sites. */
export function WebChatPage() {
  useTitle('Web chat')
  const navigate = useNavigate()
  const editable = useIsAtLeast('ADMIN')
  const { data: widgets, error, refetch } = useQuery(chatWidgetsQuery)
  const [isAsking, setIsAsking] = useState(false)
  const ask = () => setIsAsking(true)
  useCommands(
    editable
      ? [
          {
            id: 'new-chat-widget',
            group: 'This page',
            label: 'New chat widget',
            words: 'add website visitors live',
            run: ask,
          },
        ]
      : [],
  )

  async function create(name: string) {
    const { id } = await createWidget({ name, timezone: ownZone })
    void navigate({ to: patterns.chatWidget, params: { id } })
  }

  const button = editable && (
    <Button leftSection={<IconPlus size={16} />} onClick={ask}>
      New chat widget
    </Button>
  )
  return (
    <>
      <PageHead
        title="Web chat"
        actions={widgets && widgets.length > 0 && widgets.length < WIDGETS_MAX && button}
      />
      <PageBody>
        {error && !widgets && <Fault error={error} retry={() => void refetch()} />}
        {!widgets && !error && (
          <div role="status" aria-busy aria-label="Loading chat widgets">
            <Bar width="100%" height={160} />
          </div>
        )}
        {widgets?.length === 0 && (
          <Empty icon={<IconMessageCircle size={32} stroke={1.4} />} title="No web chat yet" action={button}>
            Visitors of your website write to you, and your team or an AI agent answers from the inbox. Each
            site can have a chat widget of its own.
            {!editable && ' Only admins can create one.'}
          </Empty>
        )}
        {widgets && widgets.length > 0 && (
          <>
            <p className={classes.about}>
              Chats on your websites. What visitors write appears in the inbox.
              {!editable && ' Only admins can change these settings.'}
            </p>
            <ul className={rowsClasses.rows} aria-label="Chat widgets">
              {widgets.map(widget => (
                <Row key={widget.id} widget={widget} />
              ))}
            </ul>
          </>
        )}
      </PageBody>
      {isAsking && (
        <NameDialog
          title="New chat widget"
          about="Only your team sees this. For example, the name of the website."
          verb="Create"
          missing="Enter a name"
          save={create}
          close={() => setIsAsking(false)}
        />
      )}
    </>
  )
}

function Row({ widget }: { widget: ChatWidget }) {
  const { id, name, colour, is_on } = widget
  return (
    <li className={`${rowsClasses.opens} ${classes.row}`}>
      <span className={classes.swatch} style={{ background: colour }} aria-hidden />
      <span className={classes.words}>
        <Link to={patterns.chatWidget} params={{ id }} className={rowsClasses.link} dir="auto">
          {name}
        </Link>
        <span className={`${textClasses.meta} ${textClasses.cut}`}>{sitesInWords(widget)}</span>
      </span>
      <Dotted tone={is_on ? 'green' : 'slate'}>{is_on ? 'On' : 'Off'}</Dotted>
    </li>
  )
}
