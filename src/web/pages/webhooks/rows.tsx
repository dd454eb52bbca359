import { Button } from '@mantine/core'
import { Bar } from '../../ui/states.tsx'
import pageClasses from './page.module.css'
import classes from './rows.module.css'

export function RowsWaiting({ label }: { label: string }) {
  return (
    <div role="status" aria-busy aria-label={label} className={classes.waiting}>
      {[64, 48, 72, 56, 60, 44].map(width => (
        <Bar key={width} width={`${width}%`} height={14} />
      ))}
    </div>
  )
}

type Paged = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }

export function ShowOlder({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { query: Paged }) {
  if (!hasNextPage) return null
  return (
    <div className={pageClasses.more}>
      <Button variant="subtle" color="gray" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Show older
      </Button>
    </div>
  )
}
