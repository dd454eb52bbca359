import { MoreButton } from './more-button.tsx'
import type { Paged } from './next-page.ts'
import { Bar } from './states.tsx'
import pageClasses from './page.module.css'
import classes from './log-rows.module.css'

export function RowsWaiting({ label }: { label: string }) {
  return (
    <div role="status" aria-busy aria-label={label} className={classes.waiting}>
      {[64, 48, 72, 56, 60, 44].map(width => (
        <Bar key={width} width={`${width}%`} height={14} />
      ))}
    </div>
  )
}

export function ShowOlder({ query }: { query: Paged }) {
  if (!query.hasNextPage) return null
  return (
    <div className={pageClasses.more}>
      <MoreButton list={query} label="Show older" />
    </div>
  )
}
