import { memo } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { Bar } from '../../ui/states.tsx'
import type { RowContext, ShownColumn } from './columns.ts'
import { leadName } from '../../records/leads/fields.ts'
import { cellId, isPinned } from './grid-layout.ts'
import { GridCell } from './grid-cell.tsx'
import { grid } from './grid-state.ts'
import { selection } from '../../records/leads/selection.ts'
import tableClasses from '../../ui/record-list/table.module.css'

type Props = { index: number; top: number; lead: Lead | undefined; context: RowContext }

export const GridRow = memo(function GridRow({ index, top, lead, context }: Props) {
  const active = grid.use(({ row, col }) => (row === index ? col : null))
  const editing = grid.use(now => now.editing && now.row === index)
  const selected = selection.use(now => lead !== undefined && now.has(lead.id))
  const style = { transform: `translateY(${top}px)` }
  if (!lead) return <WaitingRow index={index} shown={context.shown} style={style} />
  const trashed = lead.deleted_at !== null
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={tableClasses.row}
      data-row={index}
      data-here={active !== null || undefined}
      data-trashed={trashed || undefined}
      style={style}
    >
      <div
        role="gridcell"
        aria-colindex={1}
        id={cellId(index, undefined)}
        className={tableClasses.check}
        data-active={active === -1 || undefined}
      >
        <input
          type="checkbox"
          tabIndex={-1}
          checked={selected}
          readOnly
          aria-label={`Select ${leadName(lead)}`}
          data-check
        />
      </div>
      {context.shown.map((column, col) => (
        <GridCell
          key={column.key}
          lead={lead}
          column={column}
          row={index}
          col={col}
          active={active === col}
          editing={editing && active === col}
          context={context}
        />
      ))}
    </div>
  )
})

function WaitingRow({
  index,
  shown,
  style,
}: {
  index: number
  shown: ShownColumn[]
  style: { transform: string }
}) {
  return (
    <div role="row" aria-rowindex={index + 2} aria-busy className={tableClasses.row} style={style}>
      <div role="gridcell" aria-colindex={1} className={tableClasses.check} />
      {shown.map((column, col) => (
        <div
          key={column.key}
          role="gridcell"
          aria-colindex={col + 2}
          className={tableClasses.cell}
          data-pinned={isPinned(column.key, col) || undefined}
        >
          <Bar width={`${45 + ((index * 7 + col * 13) % 40)}%`} height={9} />
        </div>
      ))}
    </div>
  )
}
