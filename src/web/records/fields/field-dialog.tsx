import { Select, TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { CustomField } from '#domains/leads/contract.ts'
import { customFieldKinds } from '#platform/values.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'

export const kindLabels: Record<string, string> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  checkbox: 'Checkbox',
  choice: 'Choice',
}

type Kind = (typeof customFieldKinds)[number]

type Props = {
  field: CustomField | undefined
  /** Initial values of a new field. */
  proposed?: Pick<CustomField, 'label' | 'kind'>
  taken: string[]
  save: (field: CustomField) => Promise<boolean>
  close: () => void
}

/** The key never changes, since records store their values under it; the label may. */
export function FieldDialog({ field, proposed, taken, save, close }: Props) {
  const begin = field ?? proposed
  const [label, setLabel] = useState(begin?.label ?? '')
  const [kind, setKind] = useState<Kind>((begin?.kind as Kind | undefined) ?? 'text')
  const [options, setOptions] = useState<string[]>(field?.options ?? [])
  const [faults, setFaults] = useState<{ label?: string; options?: string }>({})
  const key = field?.key ?? keyFrom(label, taken)

  async function submit() {
    const found = {
      ...(!label.trim() && { label: 'Enter a name' }),
      ...(kind === 'choice' && options.length === 0 && { options: 'Add at least one option' }),
    }
    setFaults(found)
    if (Object.keys(found).length) return
    if (await save({ key, label: label.trim(), kind, ...(kind === 'choice' && { options }) })) close()
  }

  return (
    <FormDialog
      title={field ? `Edit ${field.label}` : 'New field'}
      size="sm"
      verb={field ? 'Save' : 'Add field'}
      act={submit}
      close={close}
    >
      <TextInput
        label="Name"
        description={label.trim() ? `API name: custom.${key}` : undefined}
        value={label}
        maxLength={200}
        error={faults.label}
        data-autofocus
        onChange={event => setLabel(event.currentTarget.value)}
      />
      <Select
        label="Type"
        data={customFieldKinds.map(value => ({ value, label: kindLabels[value] ?? value }))}
        value={kind}
        allowDeselect={false}
        disabled={field !== undefined}
        description={field && 'The type of an existing field cannot change'}
        onChange={value => setKind((value as Kind | null) ?? 'text')}
      />
      {kind === 'choice' && (
        <TagsInput
          label="Options"
          description="Press Enter after each"
          value={options}
          onChange={setOptions}
          maxTags={100}
          error={faults.options}
        />
      )}
    </FormDialog>
  )
}

/** "Team size" → `team_size`; with a number appended if that is taken. */
function keyFrom(label: string, taken: string[]): string {
  const plain = label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  const base = (/^[a-z]/.test(plain) ? plain : `field_${plain}`).slice(0, 36).replace(/_+$/, '')
  for (let number = 1; ; number++) {
    const key = number === 1 ? base : `${base}_${number}`
    if (!taken.includes(key)) return key
  }
}
