import { Textarea, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { PlaceholderMenu } from '../../records/sequences/placeholder-menu.tsx'
import type { ControlProps } from './control-props.ts'
import classes from './panel.module.css'

const TEXT_LENGTH_MAX = 5_000
const ROWS = 4

/** A single-line or multi-line text, with a placeholder menu if it supports placeholders. */
export function Written({ label, schema, value, set, fault, around }: ControlProps) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  /** Where the caret goes after the text is inserted. */
  const caret = useRef<number>(undefined)
  const text = typeof value === 'string' ? value : ''
  const takesPlaceholders = schema.description?.includes('{{') ?? false

  useEffect(() => {
    if (caret.current === undefined) return
    field.current?.focus()
    field.current?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  }, [text])

  function insert(placeholder: string) {
    const from = field.current?.selectionStart ?? text.length
    const to = field.current?.selectionEnd ?? from
    caret.current = from + placeholder.length
    set(text.slice(0, from) + placeholder + text.slice(to))
  }

  const shared = {
    ref: field,
    label,
    description: schema.description,
    value: text,
    error: fault,
    maxLength: schema.maxLength ?? TEXT_LENGTH_MAX,
    autoComplete: 'off',
  }
  return (
    <div className={classes.written}>
      {schema.control === 'long_text' ? (
        <Textarea {...shared} rows={ROWS} onChange={event => set(event.currentTarget.value || undefined)} />
      ) : (
        <TextInput
          {...shared}
          {...(schema.control === 'money' && { inputMode: 'decimal' as const })}
          onChange={event => set(event.currentTarget.value || undefined)}
        />
      )}
      {takesPlaceholders && around.canWrite && (
        <PlaceholderMenu
          insert={insert}
          ofEvent={around.trigger.fields.map(({ field, label }) => ({ name: `event.${field}`, label }))}
        />
      )}
    </div>
  )
}
