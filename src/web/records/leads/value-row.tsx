import IconExternalLink from 'icon:external-link'
import { useId, useRef, useState } from 'react'
import { Picker } from '../../ui/picker.tsx'
import { NOBODY, optionValue, useOptions } from './choices.tsx'
import type { Field, Value } from './fields.ts'
import { usePeople } from './people.ts'
import { ValueView } from './value.tsx'
import { plainValue } from './plain-value.ts'
import { TextField } from './text-field.tsx'
import classes from '../../ui/value-rows.module.css'

type Props = { field: Field; value: Value; canWrite: boolean; change: (value: Value) => void }

/** A label and a value. Clicking the value edits it. */
export function ValueRow({ field, value, canWrite, change }: Props) {
  const [editing, setEditing] = useState(false)
  const people = usePeople()
  const options = useOptions()(field)
  const button = useRef<HTMLButtonElement>(null)
  const labelId = useId()
  const link = linkOf(field, value)

  function stop() {
    setEditing(false)
    requestAnimationFrame(() => button.current?.focus({ preventScroll: true }))
  }

  function save(next: Value) {
    stop()
    if (next !== value) change(next)
  }

  const shown = (
    <button
      ref={button}
      type="button"
      className={classes.value}
      aria-labelledby={`${labelId} ${labelId}-value`}
      disabled={!canWrite}
      onClick={() => setEditing(true)}
    >
      <span id={`${labelId}-value`} className={classes.inner} title={plainValue(field, value, people)}>
        {value === null || value === '' ? (
          <span className={classes.empty}>Empty</span>
        ) : (
          <ValueView field={field} value={value} people={people} />
        )}
      </span>
    </button>
  )
  return (
    <div className={classes.row}>
      <span className={classes.label} id={labelId}>
        {field.label}
      </span>
      {!editing && shown}
      {!editing && link && (
        <a
          className={classes.link}
          href={link}
          target={link.startsWith('http') ? '_blank' : undefined}
          rel="noopener noreferrer"
          aria-label={`Open ${field.label.toLowerCase()}`}
        >
          <IconExternalLink size={14} aria-hidden />
        </a>
      )}
      {editing && options && (
        <Picker
          label={field.label}
          options={options}
          chosen={[value === null ? (field.kind === 'person' ? NOBODY : '') : String(value)]}
          pick={option => save(optionValue(field, option))}
          close={stop}
        >
          {shown}
        </Picker>
      )}
      {editing && !options && <TextField field={field} value={value} save={save} cancel={stop} />}
    </div>
  )
}

/** Only email, phone and web links. Anything else that was typed never becomes a link. */
function linkOf(field: Field, value: Value): string | undefined {
  if (typeof value !== 'string' || !value) return undefined
  if (field.kind === 'email') return `mailto:${encodeURIComponent(value).replaceAll('%40', '@')}`
  if (field.kind === 'phone') return `tel:${value}`
  return field.kind === 'url' && /^https?:\/\//.test(value) ? value : undefined
}
