import { useRef, useState, type KeyboardEvent } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { saveValues, step, useFocusAndSelect } from './cell-saving.ts'
import type { ShownColumn } from './columns.ts'
import { leadName, valueOf } from '../../records/leads/fields.ts'
import { stopEditing } from './grid-state.ts'
import { parseInput } from '../../records/leads/input.ts'
import classes from './grid.module.css'

export function TextEditor({ lead, column }: { lead: Lead; column: ShownColumn }) {
  const value = valueOf(lead, column.key)
  const [text, setText] = useState(value === null ? '' : String(value))
  const [fault, setFault] = useState<string>()
  const done = useRef(false)

  function save(): boolean {
    if (done.current) return true
    const parsed = parseInput(column, text)
    if ('fault' in parsed) {
      setFault(parsed.fault)
      return false
    }
    done.current = true
    saveValues(lead, column, { [column.key]: parsed.value })
    return true
  }

  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation()
    if (event.key === 'Escape') {
      done.current = true
      stopEditing()
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      if (save()) stopEditing()
    } else if (event.key === 'Tab') {
      event.preventDefault()
      if (save()) step(event.shiftKey)
    }
  }

  return (
    <>
      <input
        ref={useFocusAndSelect()}
        className={classes.editor}
        type={column.kind === 'date' ? 'date' : 'text'}
        inputMode={column.kind === 'number' ? 'decimal' : undefined}
        aria-label={`${column.label} of ${leadName(lead)}`}
        aria-invalid={fault !== undefined}
        value={text}
        maxLength={2000}
        onChange={event => {
          setText(event.currentTarget.value)
          setFault(undefined)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          // Leaving the cell saves a valid value and discards an invalid one.
          save()
          done.current = true
          stopEditing()
        }}
      />
      {fault && (
        <span role="alert" className={classes.fault}>
          {fault}
        </span>
      )}
    </>
  )
}
