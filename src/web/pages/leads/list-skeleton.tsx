import { Bar } from '../../ui/states.tsx'
import type { ShownColumn } from './columns.ts'
import { columnTemplate } from './grid-layout.ts'
import tableClasses from '../../ui/record-list/table.module.css'
import cardClasses from '../../ui/record-list/cards.module.css'

const ROWS = 24

/** Skeleton of the list while it first loads. */
export function ListSkeleton({ narrow, shown }: { narrow: boolean | undefined; shown: ShownColumn[] }) {
  const rows = Array.from({ length: ROWS }, (_, row) => row)
  if (narrow) {
    return (
      <div className={cardClasses.scroller} aria-busy aria-label="Loading leads" role="status">
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
      style={columnTemplate(shown)}
      aria-busy
      aria-label="Loading leads"
      role="status"
    >
      <div className={tableClasses.head}>
        <div className={tableClasses.headRow}>
          <span />
          {shown.map(column => (
            <div key={column.key} className={tableClasses.headCell}>
              {column.label}
            </div>
          ))}
        </div>
      </div>
      {rows.map(row => (
        <div key={row} className={tableClasses.headRow}>
          <span />
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
