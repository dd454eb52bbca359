import { useState, type ReactElement } from 'react'
import type { Conversation } from '#domains/conversations/contract.ts'
import { LABELS_MAX } from '#domains/conversations/values.ts'
import { assign, reopen, setLabels, snooze } from '../../records/conversations/conversation-writes.ts'
import { toast } from '../../ui/toast.ts'
import { MomentDialog } from '../../conversation/lazy-moment-dialog.tsx'
import { AssignPicker, LabelPicker, SnoozePicker } from './pickers.tsx'

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
export function ActPicker({ act, setAct, here, snoozed, conversation, children }: Props) {
  const [picksTime, setPicksTime] = useState(false)
  const close = () => {
    setAct(null)
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }
  const isHere = act !== null && here.includes(act)
  const { labels } = conversation

  async function sleep(until: string) {
    if (await snooze(conversation, until)) snoozed()
  }
  function label(picked: string) {
    const rest = labels.filter(each => each !== picked)
    const isAdded = rest.length === labels.length
    if (isAdded && labels.length >= LABELS_MAX) return toast(`A conversation can have ${LABELS_MAX} labels`)
    void setLabels(conversation, isAdded ? [...labels, picked] : rest)
  }

  return (
    <>
      {isHere && act === 'assign' && (
        <AssignPicker
          assignee_id={conversation.assignee_id}
          pick={(assignee_id, name) => {
            if (assignee_id !== conversation.assignee_id) void assign(conversation, assignee_id, name)
          }}
          close={close}
        >
          {children}
        </AssignPicker>
      )}
      {isHere && act === 'labels' && (
        <LabelPicker labels={labels} pick={label} close={close}>
          {children}
        </LabelPicker>
      )}
      {isHere && act === 'snooze' && (
        <SnoozePicker
          pick={until => void sleep(until)}
          {...(conversation.state === 'SNOOZED' && { wake: () => void reopen(conversation) })}
          pickTime={() => setPicksTime(true)}
          close={close}
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
            await sleep(until)
          }}
          close={() => setPicksTime(false)}
        />
      )}
    </>
  )
}
