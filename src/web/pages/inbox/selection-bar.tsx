import { ActionIcon } from '@mantine/core'
import IconCheck from 'icon:check'
import IconRotate from 'icon:rotate'
import IconTag from 'icon:tag'
import IconUserPlus from 'icon:user-plus'
import IconX from 'icon:x'
import IconZzz from 'icon:zzz'
import { useEffect, useEffectEvent, useState, type ReactElement } from 'react'
import type { Conversation } from '#domains/conversations/contract.ts'
import { BULK_MAX } from '#domains/conversations/values.ts'
import {
  assignMany,
  closeMany,
  labelMany,
  reopenMany,
  snoozeMany,
} from '../../records/conversations/bulk-writes.ts'
import { isTyping } from '../../ui/keys.ts'
import type { Act } from './act-picker.tsx'
import { MomentDialog } from '../../conversation/lazy-moment-dialog.tsx'
import { AssignPicker, LabelPicker, SnoozePicker } from './pickers.tsx'
import { focusRowOf } from './rows.ts'
import type { Selection } from './use-selection.ts'
import type { Bulk } from './use-selection-keys.ts'
import textClasses from '../../ui/text.module.css'
import classes from './list.module.css'

type Props = { selection: Selection; bulk: Bulk }
type Many = readonly Conversation[]

/** How many are selected, and what can be done with them. */
export function SelectionBar({ selection, bulk }: Props) {
  const { records, clear } = selection
  const { act, setAct, leave } = bulk
  const [sleepers, setSleepers] = useState<Many>()
  const isNone = records.length === 0
  const allClosed = !isNone && records.every(({ state }) => state === 'CLOSED')
  const allSnoozed = !isNone && records.every(({ state }) => state === 'SNOOZED')

  /** What is done is not selected any more; what has failed is again. */
  async function run(all: Many, change: (all: Many) => Promise<string[]>, leaves: boolean) {
    const ids = new Set(all.map(({ id }) => id))
    clear()
    if (!isTyping(document.activeElement)) focusTitle()
    if (leaves) leave(ids)
    const failed = await change(all)
    if (failed.length > 0) selection.add(failed)
  }
  function finish() {
    void run(records, allClosed ? reopenMany : closeMany, true)
  }
  const close = () => {
    setAct(null)
    if (selection.last === null || !focusRowOf(selection.last)) focusTitle()
  }
  const toggle = (next: Act) => () => setAct(act === next ? null : next)
  const takeKey = useEffectEvent(() => {
    if (act === null) return
    if (isNone) return setAct(null)
    if (act !== 'close') return
    setAct(null)
    finish()
  })
  useEffect(() => takeKey(), [act])
  // What was open has no place any more.
  useEffect(() => () => setAct(null), [setAct])

  const button = (name: string, keys: string, icon: ReactElement, press: () => void) => (
    <ActionIcon
      aria-label={name}
      title={`${name} (${keys.toUpperCase()})`}
      aria-keyshortcuts={keys}
      disabled={isNone}
      onClick={press}
    >
      {icon}
    </ActionIcon>
  )
  const snoozeButton = button('Snooze', 's', <IconZzz size={18} />, toggle('snooze'))
  const assignButton = button('Assign', 'a', <IconUserPlus size={18} />, toggle('assign'))
  const labelsButton = button('Labels', 'l', <IconTag size={18} />, toggle('labels'))
  return (
    <div className={classes.selection} role="toolbar" aria-label="Selected conversations">
      <span className={`${textClasses.cut} ${classes.selected}`} role="status">
        {countInWords(records.length)}
      </span>
      {button(
        allClosed ? 'Reopen' : 'Close',
        'e',
        allClosed ? <IconRotate size={18} /> : <IconCheck size={18} />,
        finish,
      )}
      {act === 'snooze' && !isNone ? (
        <SnoozePicker
          pick={until => void run(records, all => snoozeMany(all, until), true)}
          {...(allSnoozed && { wake: () => void run(records, reopenMany, true) })}
          pickTime={() => setSleepers(records)}
          close={close}
        >
          {snoozeButton}
        </SnoozePicker>
      ) : (
        snoozeButton
      )}
      {act === 'assign' && !isNone ? (
        <AssignPicker
          assignee_id={sameOf(records.map(({ assignee_id }) => assignee_id))}
          pick={(assignee_id, name) => void run(records, all => assignMany(all, assignee_id, name), false)}
          close={close}
        >
          {assignButton}
        </AssignPicker>
      ) : (
        assignButton
      )}
      {act === 'labels' && !isNone ? (
        <LabelPicker {...labelsOf(records)} pick={label => void labelMany(records, label)} close={close}>
          {labelsButton}
        </LabelPicker>
      ) : (
        labelsButton
      )}
      <ActionIcon
        aria-label="Clear selection"
        title="Clear selection (Esc)"
        aria-keyshortcuts="Escape"
        onClick={() => {
          clear()
          focusTitle()
        }}
      >
        <IconX size={18} />
      </ActionIcon>
      {sleepers && (
        <MomentDialog
          title="Snooze until"
          verb="Snooze"
          act={until => {
            setSleepers(undefined)
            void run(sleepers, all => snoozeMany(all, until), true)
          }}
          close={() => setSleepers(undefined)}
        />
      )}
    </div>
  )
}

function countInWords(many: number): string {
  if (many === 0) return 'None selected'
  return many === BULK_MAX ? `${many} selected, the most` : `${many} selected`
}

/** The value that all of them have; undefined if they differ. */
function sameOf<T>([first, ...others]: readonly T[]): T | undefined {
  return others.every(each => each === first) ? first : undefined
}

function labelsOf(records: Many): { labels: string[]; others: string[] } {
  const all = new Set(records.flatMap(({ labels }) => labels))
  const inAll = [...all].filter(label => records.every(({ labels }) => labels.includes(label)))
  return { labels: inAll, others: [...all].filter(label => !inAll.includes(label)) }
}

/** The bar is gone: the keys begin where it was. */
function focusTitle(): void {
  document.querySelector<HTMLElement>('main [data-inbox-title]')?.focus({ preventScroll: true })
}
