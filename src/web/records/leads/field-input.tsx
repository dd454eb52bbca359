import { Checkbox, Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { NOBODY, useOptions } from './choices.tsx'
import type { Field } from './fields.ts'

type Props = {
  field: Field
  /** As typed or chosen; '' is empty. */
  value: string
  set: (value: string) => void
  error?: ReactNode
  autoFocus?: boolean
}

/** A labelled input of the field's kind, for forms. */
export function FieldInput({ field, value, set, error, autoFocus = false }: Props) {
  const options = useOptions()(field)?.filter(option => option.value !== '' && option.value !== NOBODY)
  if (field.kind === 'checkbox') {
    return (
      <Checkbox
        mt="md"
        label={field.label}
        checked={value === 'true'}
        error={error}
        onChange={event => set(String(event.currentTarget.checked))}
      />
    )
  }
  if (options) {
    return (
      <Select
        label={field.label}
        data={options.map(({ value, label }) => ({ value, label }))}
        value={value || null}
        onChange={next => set(next ?? '')}
        error={error}
        searchable={options.length > 8}
        clearable={field.nullable}
        allowDeselect={field.nullable}
        placeholder={field.nullable ? 'None' : undefined}
        comboboxProps={{ shadow: 'md' }}
      />
    )
  }
  return (
    <TextInput
      label={field.label}
      type={types[field.kind] ?? 'text'}
      inputMode={field.kind === 'number' ? 'decimal' : undefined}
      placeholder={placeholders[field.kind]}
      value={value}
      error={error}
      maxLength={2000}
      data-autofocus={autoFocus || undefined}
      autoComplete="off"
      onChange={event => set(event.currentTarget.value)}
    />
  )
}

// `type="email"` would make the browser validate, with different messages than ours.
const types: Partial<Record<Field['kind'], string>> = { phone: 'tel', date: 'date' }
const placeholders: Partial<Record<Field['kind'], string>> = { phone: '+49 30 1234567', url: 'example.com' }
