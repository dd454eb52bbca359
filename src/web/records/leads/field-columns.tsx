import type { Listed, ListColumn } from '../../ui/record-list/list.ts'
import { choiceCell, textCell } from '../../ui/record-list/cell-editors.tsx'
import type { Option } from '../../ui/picker.tsx'
import { NOBODY, optionValue } from './choices.tsx'
import type { Field, Value, Values } from './fields.ts'
import { parseInput } from './input.ts'
import { plainValue, type People } from './plain-value.ts'
import { ValueView } from './value.tsx'

type Of<T> = {
  fields: readonly Field[]
  people: People
  options: (field: Field) => Option[] | undefined
  valueOf: (record: T, key: string) => Value
  nameOf: (record: T) => string
  /** Saves a change and says so; absent for viewers. */
  change: ((record: T, values: Values, say: string) => void) | undefined
}

/** The columns of a list whose records have fields of the team's own: each is shown and edited by its kind. */
export function fieldColumns<T extends Listed>(of: Of<T>): ListColumn<T>[] {
  return of.fields.map((field): ListColumn<T> => {
    const { key, label, width, kind, sort } = field
    return {
      key,
      label,
      width,
      ...(sort && { sort }),
      ...(kind === 'instant' && { look: 'dim' as const, falling: true }),
      ...(kind === 'number' && { look: 'number' as const }),
      show: record => (
        <ValueView field={field} value={of.valueOf(record, key)} people={of.people} tabIndex={-1} />
      ),
      title: record =>
        kind === 'instant' ? undefined : plainValue(field, of.valueOf(record, key), of.people),
      ...(of.change && field.editable && editing(of, field, of.change)),
    }
  })
}

function editing<T extends Listed>(
  { options: optionsOf, valueOf, nameOf, people }: Of<T>,
  field: Field,
  change: NonNullable<Of<T>['change']>,
): Pick<ListColumn<T>, 'edit' | 'clear'> {
  const { key, label, kind } = field
  const options = optionsOf(field)
  const save = (record: T, value: Value) => {
    if (value !== valueOf(record, key))
      change(record, { [key]: value }, `Changed ${label.toLowerCase()} of ${nameOf(record)}`)
  }
  const nothing = kind === 'person' ? NOBODY : ''
  const edit = options
    ? choiceCell<T>({
        options,
        chosen: record => String(valueOf(record, key) ?? nothing),
        pick: (record, option) => save(record, optionValue(field, option)),
        show: record => <ValueView field={field} value={valueOf(record, key)} people={people} />,
      })
    : textCell<T, Value>({
        text: record => String(valueOf(record, key) ?? ''),
        parse: text => parseInput(field, text),
        save,
        ...(kind === 'date' && { type: 'date' as const }),
        ...(kind === 'number' && { inputMode: 'decimal' as const }),
      })
  if (!field.nullable || key === 'name') return { edit }
  return {
    edit,
    clear: record => {
      if (valueOf(record, key) !== null)
        change(record, { [key]: null }, `Cleared ${label.toLowerCase()} of ${nameOf(record)}`)
    },
  }
}
