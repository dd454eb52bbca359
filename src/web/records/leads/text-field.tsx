import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import type { Field, Value } from './fields.ts'
import { parseInput } from './input.ts'
import classes from '../../ui/value-rows.module.css'

type Props = { field: Field; value: Value; save: (value: Value) => void; cancel: () => void }

/** Enter and leaving the field save, Escape cancels. With an invalid value it stays open and shows the error below. */
export function TextField({ field, value, save, cancel }: Props) {
  const [text, setText] = useState(value === null ? '' : String(value))
  const [fault, setFault] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const done = useRef(false)
  const faultId = useId()
  useEffect(() => input.current?.select(), [])

  function tryToSave() {
    if (done.current) return
    const parsed = parseInput(field, text)
    if ('fault' in parsed) return setFault(parsed.fault)
    done.current = true
    save(parsed.value)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) tryToSave()
    else if (event.key === 'Escape') {
      event.stopPropagation()
      done.current = true
      cancel()
    }
  }

  return (
    <span className={classes.edit}>
      <input
        ref={input}
        className={classes.input}
        type={field.kind === 'date' ? 'date' : 'text'}
        inputMode={field.kind === 'number' ? 'decimal' : undefined}
        aria-label={field.label}
        aria-invalid={fault !== undefined}
        aria-describedby={fault ? faultId : undefined}
        value={text}
        maxLength={2000}
        onChange={event => {
          setText(event.currentTarget.value)
          setFault(undefined)
        }}
        onKeyDown={onKeyDown}
        onBlur={tryToSave}
      />
      {fault && (
        <span id={faultId} role="alert" className={classes.fault}>
          {fault}
        </span>
      )}
    </span>
  )
}
