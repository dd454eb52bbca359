import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { LABEL_LENGTH_MAX } from '#domains/conversations/values.ts'
import { useMembers, useUser } from '../../queries.ts'
import { labelsQuery } from '../../records/conversations/conversations-cache.ts'
import { snoozeMoments } from '../../records/conversations/moments.ts'
import { NOBODY } from '../../records/conversations/search.ts'
import { Person } from '../../ui/person.tsx'
import { Picker, type Option } from '../../ui/picker.tsx'
import { timeOfDay } from '../../ui/time.tsx'
import classes from './act-picker.module.css'

type Common = { close: () => void; children: ReactElement }

type AssignProps = Common & {
  /** Undefined: several conversations have different ones. */
  assignee_id: string | null | undefined
  pick: (assignee_id: string | null, name: string) => void
}

export function AssignPicker({ assignee_id, pick, close, children }: AssignProps) {
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
  function picked(value: string) {
    close()
    const member = members.find(({ id }) => id === value)
    pick(member?.id ?? null, member ? member.name || member.email : '')
  }
  return (
    <Picker
      label="Assign to"
      options={options}
      chosen={assignee_id === undefined ? [] : [assignee_id ?? NOBODY]}
      pick={picked}
      close={close}
    >
      {children}
    </Picker>
  )
}

type LabelProps = Common & {
  labels: readonly string[]
  /** Labels that only some of several conversations have. */
  others?: readonly string[]
  pick: (label: string) => void
}

const none: readonly string[] = []

/** A new label is typed like any other. */
export function LabelPicker({ labels, others = none, pick, close, children }: LabelProps) {
  const [text, setText] = useState('')
  const typed = text.trim().slice(0, LABEL_LENGTH_MAX)
  const used = useQuery(labelsQuery).data ?? []
  const all = [...new Set([...labels, ...others, ...used.map(({ label }) => label)])]
  const matches = all.filter(label => label.toLowerCase().includes(typed.toLowerCase()))
  const isNew = typed !== '' && !all.some(label => label.toLowerCase() === typed.toLowerCase())
  const options: Option[] = [
    ...matches.map(label => ({ value: label, label })),
    ...(isNew ? [{ value: typed, label: `New label “${typed}”` }] : []),
  ]
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

type SnoozeProps = Common & {
  pick: (until: string) => void
  /** Absent where nothing is snoozed. */
  wake?: () => void
  pickTime: () => void
}

export function SnoozePicker({ pick, wake, pickTime, close, children }: SnoozeProps) {
  const [now] = useState(Date.now)
  const options: Option[] = [
    ...(wake ? [{ value: WAKE, label: 'End snooze' }] : []),
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
  function picked(value: string) {
    close()
    if (value === PICK_TIME) pickTime()
    else if (value === WAKE) wake?.()
    else pick(value)
  }
  return (
    <Picker label="Snooze until" options={options} chosen={[]} pick={picked} close={close}>
      {children}
    </Picker>
  )
}
