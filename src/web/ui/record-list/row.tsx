import { Button } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import { Picker } from '../picker.tsx'
import { Bar } from '../states.tsx'
import type { ColumnField } from './columns.ts'
import { cellId } from './cursor.ts'
import type { ListColumn, Listed, RecordKind } from './list.ts'
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
  stop: () => void
  /** Undefined where rows cannot be selected. */
  chosen: boolean | undefined
}

export const Row = memo(function Row<T extends Listed>(props: Props<T>) {
  const { index, top, record, shown, kind, restores, active, editing, stop, chosen } = props
  const before = chosen === undefined ? 0 : 1
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={chosen}
      className={classes.row}
      data-row={index}
      data-here={active !== null || undefined}
      style={{ transform: `translateY(${top}px)` }}
    >
      {chosen !== undefined && (
        <div role="gridcell" aria-colindex={1} className={classes.check}>
          <input
            type="checkbox"
            tabIndex={-1}
            checked={chosen}
            readOnly
            aria-label={`Select ${kind.nameOf(record)}`}
            data-check
          />
        </div>
      )}
      {shown.map((column, col) => (
        <div
          key={column.key}
          role="gridcell"
          aria-colindex={col + before + 1}
          aria-readonly={column.choice === undefined || undefined}
          id={cellId(index, column.key)}
          className={classes.cell}
          data-col={col}
          data-look={column.look}
          data-active={active === col || undefined}
          data-pinned={(col === 0 && column.key === 'name') || undefined}
          title={column.title?.(record)}
        >
          {column.key === 'name' ? (
            <a href={kind.href(record)} tabIndex={-1} className={classes.name} data-open>
              {column.show(record)}
            </a>
          ) : editing && active === col && column.choice ? (
            <Choosing record={record} column={column} name={kind.nameOf(record)} stop={stop}>
              {column.show(record)}
            </Choosing>
          ) : (
            column.show(record)
          )}
        </div>
      ))}
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

type ChoosingProps<T> = {
  record: T
  column: ListColumn<T>
  name: string
  stop: () => void
  children: ReactNode
}

function Choosing<T>({ record, column, name, stop, children }: ChoosingProps<T>) {
  const choice = column.choice!
  return (
    <Picker
      label={`${column.label} of ${name}`}
      options={choice.options}
      chosen={[choice.chosen(record)]}
      pick={value => {
        stop()
        if (value !== choice.chosen(record)) choice.pick(record, value)
      }}
      close={stop}
    >
      <div className={classes.choosing}>{children}</div>
    </Picker>
  )
}

type WaitingProps = {
  index: number
  top: number
  shown: ColumnField[]
  /** Number of cells before the columns. */
  before: number
}

export function WaitingRow({ index, top, shown, before }: WaitingProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-busy
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
    >
      {before > 0 && <div role="gridcell" aria-colindex={1} className={classes.check} />}
      {shown.map((column, col) => (
        <div key={column.key} role="gridcell" aria-colindex={col + before + 1} className={classes.cell}>
          <Bar width={`${45 + ((index * 7 + col * 13) % 40)}%`} height={9} />
        </div>
      ))}
    </div>
  )
}
