import { Select, type ComboboxItem } from '@mantine/core'

/** Not a valid field name. */
const NEW = '+'

type Props = {
  heading: string
  field: string | null
  choices: ComboboxItem[]
  set: (field: string | null) => void
  /** Absent for those who cannot add fields. */
  make: (() => void) | undefined
}

/** The field that a column is mapped to, or a new one. */
export function ColumnSelect({ heading, field, choices, set, make }: Props) {
  return (
    <Select
      aria-label={`Field for ${heading}`}
      placeholder="Not imported"
      data={make ? [...choices, { value: NEW, label: 'New field…' }] : choices}
      value={field}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear field for ${heading}` }}
      filter={({ options, search }) => (options as ComboboxItem[]).filter(isShown(search))}
      nothingFoundMessage="No matches"
      onChange={value => (value === NEW ? make?.() : set(value))}
    />
  )
}

/** A search without matches still offers a new field. */
function isShown(search: string): (option: ComboboxItem) => boolean {
  const words = search.trim().toLowerCase()
  return ({ value, label }) => value === NEW || label.toLowerCase().includes(words)
}
