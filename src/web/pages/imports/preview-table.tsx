import IconAlertTriangle from 'icon:alert-triangle'
import type { Import, PreviewRow } from '#domains/imports/contract.ts'
import { count } from '../../ui/words.ts'
import classes from './imports.module.css'

type Props = { rows: PreviewRow[]; run: Import; choices: { value: string; label: string }[] }

/** Errors are shown as text in their cell, so that neither color nor a pointer is needed to find them. */
export function PreviewTable({ rows, run, choices }: Props) {
  const columns = run.mapping.flatMap((field, column) => (field === null ? [] : [{ field, column }]))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <div className={classes.preview} role="region" aria-label="Row preview" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Row</th>
            {columns.map(({ field, column }) => (
              <th key={column} scope="col">
                {choices.find(({ value }) => value === field)?.label ?? field}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.row}>
              <th scope="row">
                {count(row.row)}
                <Errors row={row} of={error => error === null || run.mapping[error] === null} />
              </th>
              {columns.map(({ column }) => (
                <td key={column} data-faulty={hasError(row, column) || undefined}>
                  {row.cells[column]}
                  <Errors row={row} of={error => error === column} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function hasError({ errors }: PreviewRow, column: number): boolean {
  return errors.some(error => error.column === column)
}

/** Errors of the whole row are shown at its number. */
function Errors({ row, of }: { row: PreviewRow; of: (column: number | null) => boolean }) {
  return row.errors
    .filter(({ column }) => of(column))
    .map(({ column, message }) => (
      <span key={`${column} ${message}`} className={classes.error}>
        <IconAlertTriangle size={14} aria-label="Error" />
        {message}
      </span>
    ))
}
