import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { toast } from '../toast.ts'
import { count } from '../words.ts'
import type { Listed } from './list.ts'

/** Bulk actions. */
export type Bulk<T> = {
  /** Most records per action. */
  max: number
  /** Shown below the list while records are selected. */
  bar: (chosen: T[], choose: Choose) => ReactNode
}

type Choose = (ids: Iterable<string>) => void

/** The selection, for the table and the cards. */
export type Choosing<T> = {
  ids: ReadonlySet<string>
  /** Selected records that are still listed: actions never touch others. */
  chosen: T[]
  toggle: (record: T) => void
  /** Adds all rows between two to the selection. */
  addRows: (from: number, to: number) => void
  choose: Choose
  /** As many as allowed, including those not loaded yet. */
  chooseAll: () => Promise<void>
}

export function useChoosing<T extends Listed>(
  bulk: Bulk<T> | undefined,
  records: T[] | undefined,
  many: string,
  loadTo: (length: number) => Promise<T[]>,
): Choosing<T> | undefined {
  const [ids, setIds] = useState<ReadonlySet<string>>(NONE)
  const max = bulk?.max ?? 0
  const chosen = useMemo(() => records?.filter(({ id }) => ids.has(id)) ?? [], [records, ids])
  const choose = useCallback(
    (wanted: Iterable<string>) => {
      const all = [...wanted]
      if (all.length > max) toast(`You can select up to ${count(max)} ${many} at once`)
      setIds(all.length ? new Set(all.slice(0, max)) : NONE)
    },
    [max, many],
  )
  if (!bulk) return undefined
  const shown = chosen.map(({ id }) => id)
  return {
    ids,
    chosen,
    choose,
    toggle: ({ id }) => choose(ids.has(id) ? shown.filter(each => each !== id) : [...shown, id]),
    addRows(from, to) {
      const [first, last] = from < to ? [from, to] : [to, from]
      const added = records?.slice(Math.max(0, first), last + 1).map(({ id }) => id) ?? []
      choose(new Set([...shown, ...added]))
    },
    async chooseAll() {
      const loaded = await loadTo(max)
      choose(loaded.slice(0, max).map(({ id }) => id))
    },
  }
}

const NONE: ReadonlySet<string> = new Set()
