import { Bar } from './states.tsx'
import rowsClasses from './rows.module.css'
import classes from './person-rows.module.css'

export function RowsSkeleton({ rows }: { rows: number }) {
  return (
    <div className={`${rowsClasses.rows} ${classes.skeleton}`} aria-busy>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row}>
          <Bar width={32} height={32} />
          <Bar width={`${42 - row * 6}%`} />
        </div>
      ))}
    </div>
  )
}
