import { Checkbox, InputBase, NativeSelect, Stack, TextInput } from '@mantine/core'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { OPTIONS_MAX, type FieldType } from '#domains/forms/values.ts'
import { cleanOptions, hasOptions, type DraftContent, type DraftField } from './draft-content.ts'
import { messageAt, type DraftProblem } from './draft-problems.ts'
import { relabelled } from './field-keys.ts'
import { fieldTypes, typeWords } from './field-kinds.ts'
import type { Operation } from './operations.ts'
import textClasses from '../../ui/text.module.css'
import fieldsClasses from '../../ui/fields.module.css'
import classes from './builder.module.css'

const TargetSelect = lazy(() =>
  import('./target-select.tsx').then(({ TargetSelect }) => ({ default: TargetSelect })),
)

const TEXT_LENGTH_MAX = 500
const KEY_LENGTH_MAX = 40

type Props = {
  field: DraftField
  content: DraftContent
  problems: readonly DraftProblem[]
  /** Keys that no longer follow their label. */
  kept: readonly string[] | undefined
  /** Just added: its label is selected for typing. */
  isFresh: boolean
  act: (operation: Operation) => void
}

/** Everything about one field. */
export function FieldPanel({ field, content, problems, kept, isFresh, act }: Props) {
  const label = useRef<HTMLInputElement>(null)
  const { id, type } = field
  const set = (change: Partial<DraftField>) => act({ kind: 'change', id, change })
  const fault = (name: string) => messageAt(problems, id, name)
  useEffect(() => {
    if (isFresh) label.current?.select()
  }, [isFresh])

  function setType(next: FieldType) {
    const needsOptions = hasOptions(next) && cleanOptions(field.options).length === 0
    set({ type: next, ...(needsOptions && { options: ['Option 1', 'Option 2'] }) })
  }

  return (
    <Stack gap="md">
      <h2 className={classes.panelTitle}>{field.label || 'Field'}</h2>
      <TextInput
        ref={label}
        label="Label"
        value={field.label}
        maxLength={TEXT_LENGTH_MAX}
        error={fault('label')}
        onChange={event => set(relabelled(field, event.currentTarget.value, content.fields, kept))}
      />
      <div className={fieldsClasses.two}>
        <NativeSelect
          label="Type"
          data={fieldTypes.map(value => ({ value, label: typeWords[value].name }))}
          value={type}
          onChange={event => setType(event.currentTarget.value as FieldType)}
        />
        <TextInput
          label="Key"
          value={field.key}
          maxLength={KEY_LENGTH_MAX}
          error={fault('key')}
          spellCheck={false}
          autoCapitalize="none"
          onChange={event => set({ key: event.currentTarget.value.trim() })}
        />
      </div>
      <Suspense fallback={<InputBase label="Lead field" disabled />}>
        <TargetSelect field={field} content={content} set={target => set({ target })} />
      </Suspense>
      {type !== 'hidden' && (
        <Checkbox
          label={type === 'checkbox' ? 'Required (consent)' : 'Required'}
          checked={field.required}
          onChange={event => set({ required: event.currentTarget.checked })}
        />
      )}
      {hasOptions(type) && (
        // Fixed height: no need for the autosize code of Textarea.
        <InputBase
          component="textarea"
          multiline
          label="Options"
          description={`One per line, up to ${OPTIONS_MAX}`}
          value={field.options.join('\n')}
          rows={5}
          error={fault('options')}
          onChange={event => set({ options: event.currentTarget.value.split('\n').slice(0, OPTIONS_MAX) })}
        />
      )}
      {type !== 'hidden' && (
        <TextInput
          label="Help text"
          description="Shown below the field"
          value={field.help}
          maxLength={TEXT_LENGTH_MAX}
          onChange={event => set({ help: event.currentTarget.value })}
        />
      )}
      {!['choice', 'choices', 'checkbox', 'date', 'hidden'].includes(type) && (
        <TextInput
          label="Placeholder"
          value={field.placeholder}
          maxLength={TEXT_LENGTH_MAX}
          onChange={event => set({ placeholder: event.currentTarget.value })}
        />
      )}
      <DefaultValue
        field={field}
        fault={fault('default_value')}
        set={default_value => set({ default_value })}
      />
      {type === 'hidden' ? (
        <p className={textClasses.dim}>
          Takes its value from the URL: <code>?{field.key}=…</code>
        </p>
      ) : (
        <Checkbox
          label="Prefill by URL"
          description={`?${field.key}=… in the URL fills this field`}
          checked={field.prefill}
          onChange={event => set({ prefill: event.currentTarget.checked })}
        />
      )}
      {content.steps.length > 0 && (
        <NativeSelect
          label="Step"
          data={content.steps.map((title, step) => ({
            value: String(step),
            label: title || `Step ${step + 1}`,
          }))}
          value={String(field.step)}
          onChange={event => act({ kind: 'move', id, step: Number(event.currentTarget.value), before: null })}
        />
      )}
    </Stack>
  )
}

type DefaultProps = { field: DraftField; fault: string | undefined; set: (value: string) => void }

function DefaultValue({ field: { type, options, default_value }, fault, set }: DefaultProps) {
  if (type === 'checkbox') {
    return (
      <Checkbox
        label="Checked by default"
        checked={default_value === 'true'}
        onChange={event => set(event.currentTarget.checked ? 'true' : '')}
      />
    )
  }
  if (hasOptions(type)) {
    const known = cleanOptions(options)
    return (
      <NativeSelect
        label="Default"
        data={[{ value: '', label: 'None' }, ...new Set(default_value ? [...known, default_value] : known)]}
        value={default_value}
        error={fault}
        onChange={event => set(event.currentTarget.value)}
      />
    )
  }
  return (
    <TextInput
      label="Default"
      type={type === 'date' ? 'date' : 'text'}
      value={default_value}
      maxLength={TEXT_LENGTH_MAX}
      error={fault}
      onChange={event => set(event.currentTarget.value)}
    />
  )
}
