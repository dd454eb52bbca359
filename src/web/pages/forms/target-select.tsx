import { Select } from '@mantine/core'
import type { DraftContent, DraftField } from './draft-content.ts'
import { useTargetName, useTargets } from './targets.ts'

type Props = { field: DraftField; content: DraftContent; set: (target: string) => void }

/** The lead field that the answer fills. Each can be used once. */
export function TargetSelect({ field, content, set }: Props) {
  const targets = useTargets()
  const targetName = useTargetName()
  const takenBy = (value: string) => content.fields.find(each => each !== field && each.target === value)
  const item = ({ value, label }: { value: string; label: string }) => {
    const other = takenBy(value)
    return { value, label: other ? `${label} (${other.label})` : label, disabled: other !== undefined }
  }
  // The form may still be mapped to a deleted custom field.
  const isGone = field.target !== '' && !targets.some(({ value }) => value === field.target)
  const groups = [
    { group: 'Lead', items: targets.filter(({ isCustom }) => !isCustom).map(item) },
    { group: 'Custom fields', items: targets.filter(({ isCustom }) => isCustom).map(item) },
    {
      group: 'Deleted',
      items: isGone ? [{ value: field.target, label: targetName(field.target) }] : [],
    },
  ]
  return (
    <Select
      label="Lead field"
      placeholder="Not mapped"
      data={groups.filter(({ items }) => items.length > 0)}
      value={field.target || null}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear lead field' }}
      nothingFoundMessage="No matches"
      onChange={value => set(value ?? '')}
    />
  )
}
