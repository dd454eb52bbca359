import { memo } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { paths } from '../../paths.ts'
import { searchText } from '../../search-text.ts'
import { AccountLink } from '../../records/accounts/account-link.tsx'
import { CellEditor } from './cell-editor.tsx'
import type { ShownColumn } from './columns.ts'
import { leadName, valueOf } from '../../records/leads/fields.ts'
import { cellId, isPinned } from './grid-layout.ts'
import type { RowContext } from './columns.ts'
import type { LeadsSearch } from '../../records/leads/search.ts'
import { ValueView } from '../../records/leads/value.tsx'
import { plainValue } from '../../records/leads/plain-value.ts'
import tableClasses from '../../ui/record-list/table.module.css'

type Props = {
  lead: Lead
  column: ShownColumn
  row: number
  col: number
  active: boolean
  editing: boolean
  context: RowContext
}

export const GridCell = memo(function GridCell({ lead, column, row, col, active, editing, context }: Props) {
  const value = valueOf(lead, column.key)
  return (
    <div
      role="gridcell"
      aria-colindex={col + 2}
      aria-readonly={!context.canWrite || !column.editable || undefined}
      id={cellId(row, column.key)}
      className={tableClasses.cell}
      data-col={col}
      data-active={active || undefined}
      data-editing={editing || undefined}
      data-pinned={isPinned(column.key, col) || undefined}
      data-kind={column.kind}
      title={column.kind === 'instant' || editing ? undefined : plainValue(column, value, context.people)}
    >
      {editing ? (
        <CellEditor lead={lead} column={column} />
      ) : column.kind === 'name' ? (
        <a
          href={leadHref(lead.id, row, context.search)}
          tabIndex={-1}
          className={tableClasses.name}
          data-open
        >
          {leadName(lead)}
        </a>
      ) : column.kind === 'account' && value ? (
        <AccountLink id={String(value)} tabIndex={-1} />
      ) : (
        <ValueView field={column} value={value} people={context.people} />
      )}
    </div>
  )
})

/** Plain anchors opened by the table itself: a router link in every row listens to every navigation. */
export function leadHref(id: string, row: number, search: LeadsSearch): string {
  return `${paths.lead(id)}?${searchText({ ...search, row })}`
}
