import { Select } from '@mantine/core'
import type { DraftContent, DraftField } from './draft-content.ts'
import { useTargetName, useTargets } from './targets.ts'

type Props = { field: DraftField; content: DraftContent; set: (target: string) => void }

/** Which field of the lead the answer fills in; each only once. */
export function TargetSelect({ field, content, set }: Props) {
  const targets = useTargets()
  const targetName = useTargetName()
  const takenBy = (value: string) => content.fields.find(each => each !== field && each.target === value)
  const item = ({ value, label }: { value: string; label: string }) => {
    const other = takenBy(value)
    return { value, label: other ? `${label} (${other.label})` : label, disabled: other !== undefined }
  }
  // A custom field that is gone is still what the form says.
  const isGone = field.target !== '' && !targets.some(({ value }) => value === field.target)
  const groups = [
    { group: 'Lead', items: targets.filter(({ isCustom }) => !isCustom).map(item) },
    { group: 'Your own fields', items: targets.filter(({ isCustom }) => isCustom).map(item) },
    {
      group: 'Gone',
      items: isGone ? [{ value: field.target, label: targetName(field.target) }] : [],
    },
  ]
  return (
    <Select
      label="Fills in the lead’s"
      placeholder="Nothing, it is only kept here"
      data={groups.filter(({ items }) => items.length > 0)}
      value={field.target || null}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear what it fills in' }}
      nothingFoundMessage="Nothing found"
      onChange={value => set(value ?? '')}
    />
  )
}
