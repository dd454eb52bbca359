import { Select, type ComboboxItem } from '@mantine/core'

/** No field is called like this. */
const NEW = '+'

type Props = {
  heading: string
  field: string | null
  choices: ComboboxItem[]
  set: (field: string | null) => void
  /** Absent for those who may not make a field. */
  make: (() => void) | undefined
}

/** The field that one column becomes, or a new one. */
export function ColumnSelect({ heading, field, choices, set, make }: Props) {
  return (
    <Select
      aria-label={`${heading} becomes`}
      placeholder="Leave out"
      data={make ? [...choices, { value: NEW, label: 'New field…' }] : choices}
      value={field}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Leave ${heading} out` }}
      filter={({ options, search }) => (options as ComboboxItem[]).filter(isShown(search))}
      nothingFoundMessage="Nothing found"
      onChange={value => (value === NEW ? make?.() : set(value))}
    />
  )
}

/** Who searches in vain is offered a new one. */
function isShown(search: string): (option: ComboboxItem) => boolean {
  const words = search.trim().toLowerCase()
  return ({ value, label }) => value === NEW || label.toLowerCase().includes(words)
}
