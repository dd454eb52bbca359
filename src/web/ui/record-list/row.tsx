import { Button } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import { Bar } from '../states.tsx'
import type { ColumnField } from './columns.ts'
import { cellId } from './layout.ts'
import { isPinned, type Cell, type ListColumn, type Listed, type RecordKind } from './list.ts'
import classes from './table.module.css'

type Props<T extends Listed> = {
  index: number
  top: number
  record: T
  shown: ListColumn<T>[]
  kind: RecordKind<T>
  restores: boolean
  /** The focused column. */
  active: number | null
  editing: boolean
  stop: Cell['stop']
  step: Cell['step']
  /** Undefined where rows cannot be selected. */
  selected: boolean | undefined
}

export const Row = memo(function Row<T extends Listed>(props: Props<T>) {
  const { index, top, record, shown, kind, restores, active, editing, stop, step, selected } = props
  const before = selected === undefined ? 0 : 1
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={classes.row}
      data-row={index}
      data-here={active !== null || undefined}
      data-trashed={record.deleted_at !== null || undefined}
      style={{ transform: `translateY(${top}px)` }}
    >
      {selected !== undefined && (
        <div
          role="gridcell"
          aria-colindex={1}
          id={cellId(index, undefined)}
          className={classes.check}
          data-active={active === -1 || undefined}
          data-check
        >
          <input
            type="checkbox"
            tabIndex={-1}
            checked={selected}
            readOnly
            aria-label={`Select ${kind.nameOf(record)}`}
          />
        </div>
      )}
      {shown.map((column, col) => {
        const isEdited = editing && active === col && column.edit !== undefined
        return (
          <div
            key={column.key}
            role="gridcell"
            aria-colindex={col + before + 1}
            aria-readonly={column.edit === undefined || record.deleted_at !== null || undefined}
            id={cellId(index, column.key)}
            className={classes.cell}
            data-col={col}
            data-look={column.look}
            data-active={active === col || undefined}
            data-editing={isEdited || undefined}
            data-pinned={isPinned(column.key, col) || undefined}
            title={isEdited ? undefined : column.title?.(record)}
          >
            {isEdited ? (
              column.edit?.(record, { label: `${column.label} of ${kind.nameOf(record)}`, stop, step })
            ) : column.key === 'name' ? (
              // A router link in every row would listen to every navigation.
              <a href={kind.href(record, index)} tabIndex={-1} className={classes.name} data-open>
                {column.show(record)}
              </a>
            ) : (
              column.show(record)
            )}
          </div>
        )
      })}
      {restores && (
        <div role="gridcell" aria-colindex={shown.length + before + 1} className={classes.cell} data-restore>
          <Button
            size="xs"
            variant="default"
            aria-label={`Restore ${kind.nameOf(record)}`}
            onClick={() => kind.restore?.(record)}
          >
            Restore
          </Button>
        </div>
      )}
    </div>
  )
}) as <T extends Listed>(props: Props<T>) => ReactNode

type WaitingProps = {
  index: number
  top: number
  shown: ColumnField[]
  /** With a checkbox. */
  checks: boolean
}

export function WaitingRow({ index, top, shown, checks }: WaitingProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-busy
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
    >
      {checks && <div role="gridcell" aria-colindex={1} className={classes.check} />}
      {shown.map((column, col) => (
        <div
          key={column.key}
          role="gridcell"
          aria-colindex={col + (checks ? 2 : 1)}
          className={classes.cell}
          data-pinned={isPinned(column.key, col) || undefined}
        >
          <Bar width={`${45 + ((index * 7 + col * 13) % 40)}%`} height={9} />
        </div>
      ))}
    </div>
  )
}
