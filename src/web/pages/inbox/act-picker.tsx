import { useState, type ReactElement } from 'react'
import type { Conversation } from '#domains/conversations/contract.ts'
import { LABEL_LENGTH_MAX, LABELS_MAX } from '#domains/conversations/values.ts'
import { useMembers, useUser } from '../../queries.ts'
import { assign, reopen, setLabels, snooze } from '../../records/conversations/conversation-writes.ts'
import { knownLabels } from '../../records/conversations/conversations-cache.ts'
import { snoozeMoments } from '../../records/conversations/moments.ts'
import { NOBODY } from '../../records/conversations/search.ts'
import { Person } from '../../ui/person.tsx'
import { Picker, type Option } from '../../ui/picker.tsx'
import { timeOfDay } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.ts'
import { MomentDialog } from './lazy-moment-dialog.tsx'
import classes from './act-picker.module.css'

export type Act = 'assign' | 'labels' | 'snooze'

export type Acting = {
  act: Act | null
  setAct: (act: Act | null) => void
  /** After it was snoozed: it has left the list. */
  snoozed: () => void
}

type Props = Acting & {
  conversation: Conversation
  /** What is chosen at this place. */
  here: readonly Act[]
  /** The button below which the list opens. */
  children: ReactElement
}

/** The lists to choose an assignee, labels or the end of a snooze from. A key or a button opens one. */
export function ActPicker({ act, here, children, ...rest }: Props) {
  const [picksTime, setPicksTime] = useState(false)
  const { conversation, setAct, snoozed } = rest
  const done = () => {
    setAct(null)
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }
  const isHere = act !== null && here.includes(act)
  return (
    <>
      {isHere && act === 'assign' && (
        <AssignPicker conversation={conversation} close={done}>
          {children}
        </AssignPicker>
      )}
      {isHere && act === 'labels' && (
        <LabelPicker conversation={conversation} close={done}>
          {children}
        </LabelPicker>
      )}
      {isHere && act === 'snooze' && (
        <SnoozePicker
          conversation={conversation}
          close={done}
          snoozed={snoozed}
          pickTime={() => setPicksTime(true)}
        >
          {children}
        </SnoozePicker>
      )}
      {!isHere && children}
      {picksTime && (
        <MomentDialog
          title="Snooze until"
          verb="Snooze"
          act={async until => {
            setPicksTime(false)
            if (await snooze(conversation, until)) snoozed()
          }}
          close={() => setPicksTime(false)}
        />
      )}
    </>
  )
}

type ListProps = { conversation: Conversation; close: () => void; children: ReactElement }

function AssignPicker({ conversation, close, children }: ListProps) {
  const me = useUser().id
  const members = useMembers()
  const sorted = [...members.filter(({ id }) => id === me), ...members.filter(({ id }) => id !== me)]
  const options: Option[] = [
    ...sorted.map(member => ({
      value: member.id,
      label: `${member.name || member.email}${member.id === me ? ' (you)' : ''}`,
      node: (
        <Person
          member={member.id === me ? { ...member, name: `${member.name || member.email} (you)` } : member}
        />
      ),
    })),
    { value: NOBODY, label: 'Nobody' },
  ]
  function pick(value: string) {
    close()
    const member = members.find(({ id }) => id === value)
    const assignee_id = member?.id ?? null
    if (assignee_id !== conversation.assignee_id)
      void assign(conversation, assignee_id, member ? member.name || member.email : '')
  }
  return (
    <Picker
      label="Assign to"
      options={options}
      chosen={[conversation.assignee_id ?? NOBODY]}
      pick={pick}
      close={close}
    >
      {children}
    </Picker>
  )
}

/** A new label is typed like any other. */
function LabelPicker({ conversation, close, children }: ListProps) {
  const [text, setText] = useState('')
  const { labels } = conversation
  const typed = text.trim().slice(0, LABEL_LENGTH_MAX)
  const all = [...new Set([...labels, ...knownLabels()])]
  const matches = all.filter(label => label.toLowerCase().includes(typed.toLowerCase()))
  const isNew = typed !== '' && !all.some(label => label.toLowerCase() === typed.toLowerCase())
  const options: Option[] = [
    ...matches.map(label => ({ value: label, label })),
    ...(isNew ? [{ value: typed, label: `New label “${typed}”` }] : []),
  ]
  function pick(label: string) {
    const rest = labels.filter(each => each !== label)
    const isAdded = rest.length === labels.length
    if (isAdded && labels.length >= LABELS_MAX) return toast(`A conversation can have ${LABELS_MAX} labels`)
    void setLabels(conversation, isAdded ? [...labels, label] : rest)
  }
  return (
    <Picker
      label="Find or add a label"
      options={options}
      chosen={labels}
      pick={pick}
      close={close}
      search={setText}
    >
      {children}
    </Picker>
  )
}

const PICK_TIME = 'pick'
const WAKE = 'wake'

type SnoozeProps = ListProps & { snoozed: () => void; pickTime: () => void }

function SnoozePicker({ conversation, close, snoozed, pickTime, children }: SnoozeProps) {
  const [now] = useState(Date.now)
  const options: Option[] = [
    ...(conversation.state === 'SNOOZED' ? [{ value: WAKE, label: 'End snooze' }] : []),
    ...snoozeMoments(now).map(({ label, at }) => ({
      value: at,
      label,
      node: (
        <span className={classes.moment}>
          <span>{label}</span>
          <time dateTime={at}>{timeOfDay(at)}</time>
        </span>
      ),
    })),
    { value: PICK_TIME, label: 'Choose date and time…' },
  ]
  async function pick(value: string) {
    close()
    if (value === PICK_TIME) return pickTime()
    if (value === WAKE) return void reopen(conversation)
    if (await snooze(conversation, value)) snoozed()
  }
  return (
    <Picker label="Snooze until" options={options} chosen={[]} pick={value => void pick(value)} close={close}>
      {children}
    </Picker>
  )
}
