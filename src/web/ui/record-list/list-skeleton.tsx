import { Bar } from '../states.tsx'
import type { ColumnField } from './columns.ts'
import { columnTemplate } from './layout.ts'
import tableClasses from './table.module.css'
import cardClasses from './cards.module.css'

const ROWS = 24

/** The skeleton of a list while it loads. */
export function ListSkeleton({
  label,
  narrow,
  shown,
  checks,
}: {
  label: string
  narrow: boolean
  shown: ColumnField[]
  /** With a column of checkboxes. */
  checks: boolean
}) {
  const rows = Array.from({ length: ROWS }, (_, row) => row)
  if (narrow) {
    return (
      <div className={cardClasses.scroller} aria-busy aria-label={label} role="status">
        {rows.map(row => (
          <div key={row} className={cardClasses.waiting}>
            <Bar width={`${40 + ((row * 17) % 30)}%`} />
            <Bar width={`${55 + ((row * 29) % 30)}%`} height={10} />
          </div>
        ))}
      </div>
    )
  }
  return (
    <div
      className={tableClasses.scroller}
      style={columnTemplate(shown, { checks, restores: false })}
      aria-busy
      aria-label={label}
      role="status"
    >
      <div className={tableClasses.head}>
        <div className={tableClasses.headRow}>
          {checks && <div />}
          {shown.map(column => (
            <div key={column.key} className={tableClasses.headCell}>
              {column.label}
            </div>
          ))}
        </div>
      </div>
      {rows.map(row => (
        <div key={row} className={tableClasses.headRow}>
          {checks && <div />}
          {shown.map((column, col) => (
            <div key={column.key} className={tableClasses.cell}>
              <Bar width={`${45 + ((row * 7 + col * 13) % 40)}%`} height={9} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
