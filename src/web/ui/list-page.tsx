import { Button } from '@mantine/core'
import IconTrash from 'icon:trash'
import type { ReactNode } from 'react'
import { MoreButton } from './more-button.tsx'
import type { Paged } from './next-page.ts'
import { without, type ListSearch } from './record-list/search.ts'
import { Bar, Fault } from './states.tsx'
import { Time } from './time.tsx'
import { toast } from './toast.ts'
import { useSubmit } from './use-submit.ts'
import rowsClasses from './rows.module.css'
import textClasses from './text.module.css'
import pageClasses from './page.module.css'
import classes from './list-page.module.css'

type Page<T> = { data: T[] }
type Asked<T> = Paged & {
  data: { pages: Page<T>[] } | undefined
  error: unknown
  isError: boolean
  refetch: () => unknown
}

type ListingProps<T> = {
  query: Asked<T>
  /** What is being loaded, for screen readers. */
  waiting: string
  /** Instead of an empty list. */
  nothing: ReactNode
  children: (records: T[], more: ReactNode) => ReactNode
}

/** A paged list, with its loading, error and empty states. */
export function Listing<T>({ query, waiting, nothing, children }: ListingProps<T>) {
  const records = query.data?.pages.flatMap(({ data }) => data)
  if (query.isError && !records) return <Fault error={query.error} retry={() => void query.refetch()} />
  if (!records) {
    return (
      <div className={pageClasses.list} role="status" aria-busy aria-label={waiting}>
        <Bar width="100%" height={240} />
      </div>
    )
  }
  if (records.length === 0) return nothing
  return children(
    records,
    query.hasNextPage && (
      <div className={pageClasses.more}>
        <MoreButton list={query} label="Show more" variant="default" />
      </div>
    ),
  )
}

export function TrashButton({ trashed, set }: { trashed: boolean; set: (trashed: boolean) => void }) {
  return (
    <Button
      size="xs"
      variant={trashed ? 'light' : 'subtle'}
      color="gray"
      aria-pressed={trashed}
      leftSection={<IconTrash size={14} />}
      onClick={() => set(!trashed)}
    >
      Trash
    </Button>
  )
}

const DEFAULT_SORT = '-updated_at'
const sorts = { [DEFAULT_SORT]: 'Last updated', '-created_at': 'Newest', name: 'Name' }

type SortProps = { search: ListSearch; set: (next: ListSearch) => void }

/** For lists without column headers. */
export function SortAndTrash({ search, set }: SortProps) {
  function sortBy(sort: string) {
    set(sort === DEFAULT_SORT ? without(search, 'sort') : { ...search, sort })
  }
  return (
    <>
      <label className={classes.sort}>
        Sort by
        <select value={search.sort ?? DEFAULT_SORT} onChange={event => sortBy(event.currentTarget.value)}>
          {Object.entries(sorts).map(([sort, label]) => (
            <option key={sort} value={sort}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <TrashButton
        trashed={search.trashed === true}
        set={trashed => set(trashed ? { ...search, trashed } : without(search, 'trashed'))}
      />
    </>
  )
}

type TrashedProps = {
  name: string
  /** A short description. */
  short: string
  deletedAt: string | null
  /** Absent for viewers. */
  restore: (() => Promise<unknown>) | undefined
}

/** A row in the trash, with a button to restore it. */
export function TrashedRow({ name, short, deletedAt, restore }: TrashedProps) {
  const { busy, submit } = useSubmit(async () => {
    await restore?.()
    toast(`Restored ${name}`)
  }, "Couldn't restore")
  return (
    <li className={`${rowsClasses.row} ${classes.row}`} data-trashed>
      <span className={classes.name}>
        {name}
        <span className={textClasses.under}>{short}</span>
      </span>
      <span className={classes.rest}>
        {deletedAt && (
          <span className={textClasses.dim}>
            Deleted <Time at={deletedAt} />
          </span>
        )}
      </span>
      <span className={classes.menu}>
        {restore && (
          <Button size="xs" variant="default" loading={busy} aria-label={`Restore ${name}`} onClick={submit}>
            Restore
          </Button>
        )}
      </span>
    </li>
  )
}
