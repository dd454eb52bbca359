import { Select, TextInput } from '@mantine/core'
import { useMembers } from '../../queries.ts'
import { inPlainWords } from '../../ui/words.ts'
import type { ControlProps } from './control-props.ts'
import { fieldCalled, typedValue } from './known-fields.ts'

const VALUE_LENGTH_MAX = 5_000

type Props = ControlProps & { op?: string }

/** A value with the input that suits its field: a select for stages, a date picker for dates. */
export function Value({ label, value, set, fault, node, around, op }: Props) {
  const members = useMembers()
  const isOfLead = node.type !== 'action' || node.record === undefined || node.record === 'lead'
  const name = typeof node.field === 'string' ? node.field : ''
  const known = isOfLead ? fieldCalled(name, around.trigger, around.catalog) : undefined
  const choices =
    known?.type === 'member'
      ? members.map(({ id, name, email }) => ({ value: id, label: name || email }))
      : known?.options?.map(option => ({ value: option, label: inPlainWords(option) }))
  // Choices make sense only for whole single values.
  const isWhole = op === undefined || op === '==' || op === '!='
  const told = shown(value)
  if (isWhole && (known?.type === 'boolean' || known?.type === 'checkbox'))
    return (
      <Select
        label={label}
        data={[
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]}
        value={typeof value === 'boolean' ? String(value) : null}
        error={fault}
        comboboxProps={{ shadow: 'md' }}
        onChange={next => set(next === null ? undefined : next === 'true')}
      />
    )
  if (isWhole && choices && choices.length > 0) {
    const isKnown = told === '' || choices.some(choice => choice.value === told)
    return (
      <Select
        label={label}
        data={isKnown ? choices : [...choices, { value: told, label: told }]}
        value={told || null}
        error={fault}
        searchable={choices.length > 8}
        comboboxProps={{ shadow: 'md' }}
        onChange={next => set(next ?? undefined)}
      />
    )
  }
  return (
    <TextInput
      label={label}
      description={op === 'in' ? 'Separate values with commas' : undefined}
      type={known?.type === 'date' && isWhole && (told === '' || DAY.test(told)) ? 'date' : 'text'}
      inputMode={known?.type === 'number' ? 'decimal' : undefined}
      value={told}
      error={fault}
      maxLength={VALUE_LENGTH_MAX}
      autoComplete="off"
      onChange={event => set(typedValue(event.currentTarget.value, known?.type, op))}
    />
  )
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  return value === null || value === undefined ? '' : String(value)
}
