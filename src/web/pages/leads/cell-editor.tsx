import type { Lead } from '#domains/leads/contract.ts'
import { Picker, type Option } from '../../ui/picker.tsx'
import { saveValues, step } from './cell-saving.ts'
import { NOBODY, optionValue, useOptions } from '../../records/leads/choices.tsx'
import type { ShownColumn } from './columns.ts'
import { valueOf } from '../../records/leads/fields.ts'
import { stopEditing } from './grid-state.ts'
import { NameEditor } from './name-editor.tsx'
import { TextEditor } from './text-editor.tsx'
import { plainValue } from '../../records/leads/plain-value.ts'
import classes from './grid.module.css'

type Props = { lead: Lead; column: ShownColumn }

/** The editor of a cell. Enter and Tab save, Escape cancels. */
export function CellEditor({ lead, column }: Props) {
  const options = useOptions()(column)
  if (column.kind === 'name') return <NameEditor lead={lead} />
  if (options) return <ChoiceEditor lead={lead} column={column} options={options} />
  return <TextEditor lead={lead} column={column} />
}

function ChoiceEditor({ lead, column, options }: Props & { options: Option[] }) {
  const value = valueOf(lead, column.key)
  const chosen = value === null ? (column.kind === 'person' ? NOBODY : '') : String(value)
  const save = (option: string) => saveValues(lead, column, { [column.key]: optionValue(column, option) })
  return (
    <Picker
      label={column.label}
      options={options}
      chosen={[chosen]}
      pick={option => {
        save(option)
        stopEditing()
      }}
      close={stopEditing}
      tab={(option, backwards) => {
        if (option !== null) save(option)
        step(backwards)
      }}
    >
      <span className={classes.editing}>{plainValue(column, value)}</span>
    </Picker>
  )
}
