import { ActionIcon, Button, Kbd } from '@mantine/core'
import IconAlertCircle from 'icon:alert-circle'
import IconArrowLeft from 'icon:arrow-left'
import IconCheck from 'icon:check'
import IconClock from 'icon:clock'
import IconDots from 'icon:dots'
import IconRotate from 'icon:rotate'
import IconZzz from 'icon:zzz'
import type { Conversation } from '#domains/conversations/contract.ts'
import { ChatPresence } from '../../conversation/chat-presence.tsx'
import {
  conversationName,
  dueInWords,
  shortDayAndTime,
  stateWords,
} from '../../records/conversations/words.ts'
import { ButtonMenu, type MenuItem } from '../../ui/menu.tsx'
import { useNow } from '../../ui/time.tsx'
import { ActPicker, type Acting } from './act-picker.tsx'
import textClasses from '../../ui/text.module.css'
import classes from './thread-head.module.css'

type Props = Acting & {
  conversation: Conversation
  canWrite: boolean
  wide: boolean
  narrow: boolean
  back: () => void
  finish: () => void
  showDetails: () => void
}

/** Who it is with, until when an answer is due, and what can be done. */
export function ThreadHead(props: Props) {
  const { conversation, canWrite, wide, narrow, back, finish } = props
  const isClosed = conversation.state === 'CLOSED'
  const name = conversationName(conversation)
  return (
    <header className={classes.head}>
      {narrow && (
        <ActionIcon aria-label="Back to inbox" onClick={back}>
          <IconArrowLeft size={20} />
        </ActionIcon>
      )}
      <div className={classes.who}>
        <h1 className={`${textClasses.cut} ${classes.name}`} tabIndex={-1} title={name} dir="auto">
          {name}
        </h1>
        <span className={classes.marks}>
          <ChatPresence conversation={conversation} />
          {conversation.agent_mode === 'auto' && <span className={textClasses.chip}>AI answers</span>}
        </span>
        <State conversation={conversation} />
      </div>
      <div className={classes.actions}>
        {canWrite && wide && <Snooze {...props} />}
        {!wide && <More {...props} />}
        {canWrite && (
          <Button
            variant="default"
            aria-keyshortcuts="e"
            leftSection={isClosed ? <IconRotate size={16} /> : <IconCheck size={16} />}
            rightSection={narrow ? undefined : <Kbd size="xs">E</Kbd>}
            onClick={finish}
          >
            {isClosed ? 'Reopen' : 'Close'}
          </Button>
        )}
      </div>
    </header>
  )
}

function State({ conversation }: { conversation: Conversation }) {
  const now = useNow()
  const due = dueInWords(conversation, now)
  const { state, snoozed_until } = conversation
  if (due)
    return (
      <span className={`${classes.state} ${textClasses.cut}`} data-tone={due.tone}>
        {due.tone === 'late' ? (
          <IconAlertCircle size={14} aria-hidden />
        ) : (
          <IconClock size={14} aria-hidden />
        )}
        {due.tone === 'late' ? due.label : `Answer ${due.label.replace(/^D/, 'd')}`}
      </span>
    )
  if (state === 'OPEN') return null
  return (
    <span className={`${classes.state} ${textClasses.cut}`}>
      {state === 'SNOOZED' && snoozed_until
        ? `Snoozed until ${shortDayAndTime(snoozed_until, now)}`
        : stateWords[state].label}
    </span>
  )
}

function Snooze({ conversation, act, setAct, snoozed }: Props) {
  return (
    <ActPicker here={['snooze']} {...{ conversation, act, setAct, snoozed }}>
      <ActionIcon
        aria-label="Snooze"
        title="Snooze (S)"
        aria-keyshortcuts="s"
        onClick={() => setAct(act === 'snooze' ? null : 'snooze')}
      >
        <IconZzz size={18} />
      </ActionIcon>
    </ActPicker>
  )
}

/** Where there is no rail. */
function More({ conversation, canWrite, act, setAct, snoozed, showDetails }: Props) {
  const items: MenuItem[] = [
    { label: 'Details', run: showDetails },
    ...(canWrite
      ? [
          { label: 'Assign', run: () => soon('assign') },
          { label: 'Labels', run: () => soon('labels') },
          { label: 'Snooze', run: () => soon('snooze') },
        ]
      : []),
  ]
  // The menu returns the focus when it closes; the list takes it after that.
  const soon = (next: typeof act) => setTimeout(() => setAct(next), MENU_CLOSES_MS)
  const button = (
    <ActionIcon aria-label="More actions">
      <IconDots size={18} />
    </ActionIcon>
  )
  if (act === null) return <ButtonMenu button={button} items={items} />
  return (
    <ActPicker here={['assign', 'labels', 'snooze']} {...{ conversation, act, setAct, snoozed }}>
      {button}
    </ActPicker>
  )
}

const MENU_CLOSES_MS = 120
