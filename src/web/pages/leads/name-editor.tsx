import { useRef, useState, type KeyboardEvent } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { leadName } from '../../records/leads/fields.ts'
import type { Cell } from '../../ui/record-list/list.ts'
import { useFocusAndSelect } from '../../ui/record-list/cell-editors.tsx'
import classes from '../../ui/record-list/table.module.css'
import { leads } from '../../records/leads/store.ts'

/** A name is two fields in one cell: Tab goes from the first to the last name, then to the next cell. */
export function NameEditor({ lead, cell: { stop, step } }: { lead: Lead; cell: Cell }) {
  const [first, setFirst] = useState(lead.first_name ?? '')
  const [last, setLast] = useState(lead.last_name ?? '')
  const box = useRef<HTMLSpanElement>(null)
  const done = useRef(false)
  const focusFirst = useFocusAndSelect()

  function save() {
    if (done.current) return
    done.current = true
    const values = { first_name: first.trim() || null, last_name: last.trim() || null }
    if (values.first_name === lead.first_name && values.last_name === lead.last_name) return
    void leads.change(lead.id, values, `Renamed ${leadName(lead)}`)
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    event.stopPropagation()
    const leaving = event.currentTarget.name === (event.shiftKey ? 'first' : 'last')
    if (event.key === 'Escape') done.current = true
    if (event.key === 'Escape' || event.key === 'Enter') {
      save()
      stop()
    } else if (event.key === 'Tab' && leaving) {
      event.preventDefault()
      save()
      step(event.shiftKey)
    }
  }

  const shared = { className: classes.editor, maxLength: 500, onKeyDown }
  return (
    <span
      ref={box}
      className={classes.names}
      onBlur={event => {
        if (box.current?.contains(event.relatedTarget)) return
        save()
        stop()
      }}
    >
      <input
        {...shared}
        name="first"
        ref={focusFirst}
        aria-label="First name"
        placeholder="First name"
        value={first}
        onChange={event => setFirst(event.currentTarget.value)}
      />
      <input
        {...shared}
        name="last"
        aria-label="Last name"
        placeholder="Last name"
        value={last}
        onChange={event => setLast(event.currentTarget.value)}
      />
    </span>
  )
}
