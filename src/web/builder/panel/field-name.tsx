import { Autocomplete, Select, TextInput } from '@mantine/core'
import type { ControlProps } from './control-props.ts'
import { namedFields } from './known-fields.ts'

const FIELD_LENGTH_MAX = 200

/** A field of the event or the lead: chosen from suggestions or typed freely. */
export function FieldName({ label, schema, value, set, fault, around }: ControlProps) {
  const groups = namedFields(around.trigger, around.catalog)
  const labels = new Map(groups.flatMap(({ fields }) => fields.map(({ field, label }) => [field, label])))
  return (
    <Autocomplete
      label={label}
      description={schema.description}
      data={groups.map(({ group, fields }) => ({ group, items: fields.map(({ field }) => field) }))}
      renderOption={({ option }) => (
        <span>
          {option.value} <small>{labels.get(option.value)}</small>
        </span>
      )}
      value={typeof value === 'string' ? value : ''}
      error={fault}
      maxLength={FIELD_LENGTH_MAX}
      limit={60}
      autoComplete="off"
      openOnFocus={false}
      comboboxProps={{ shadow: 'md' }}
      onChange={name => set(name.trim())}
    />
  )
}

/** A field to set: for leads chosen from a list, for other records typed. */
export function LeadFieldName({ label, schema, value, set, fault, node, around }: ControlProps) {
  const name = typeof value === 'string' ? value : ''
  if (node.record !== undefined && node.record !== 'lead')
    return (
      <TextInput
        label={label}
        description="API name, like stage or status"
        value={name}
        error={fault}
        maxLength={FIELD_LENGTH_MAX}
        autoComplete="off"
        onChange={event => set(event.currentTarget.value.trim() || undefined)}
      />
    )
  const known = around.catalog.lead_fields.map(({ field, label }) => ({ value: field, label }))
  const isKnown = name === '' || known.some(each => each.value === name)
  return (
    <Select
      label={label}
      description={known.length > 0 ? undefined : schema.description}
      data={isKnown ? known : [...known, { value: name, label: name }]}
      value={name || null}
      error={fault}
      searchable
      nothingFoundMessage="No matches"
      comboboxProps={{ shadow: 'md' }}
      onChange={field => set(field ?? undefined)}
    />
  )
}
