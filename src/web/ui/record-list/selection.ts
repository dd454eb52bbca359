import { useReducer, useRef, type ReactNode } from 'react'
import { toast } from '../toast.ts'
import { count } from '../words.ts'
import type { Listed, RecordKind } from './list.ts'
import type { ListSearch } from './search.ts'
import type { List, ListSource } from './source.ts'

/** Bulk actions. */
export type Bulk<T> = {
  /** Most records per action. */
  max: number
  /** The actions can also be applied to all matching records, however many there are. */
  takesEverything?: true
  /** Records in the trash can be selected, too. */
  inTrash?: true
  /** Shown below the list. It stays mounted, and hides while nothing is selected. */
  bar: (selection: Selection<T>, list: List<T>) => ReactNode
}

/** All matching records: too many to select one by one. */
export type Everything = { search: ListSearch; total: number; capped: boolean }

/** What is selected, for the table, the cards and the bulk actions. */
export type Selection<T> = {
  size: number
  has: (id: string) => boolean
  /** The selected records, as of when they were selected. None of them if everything is selected. */
  records: T[]
  everything: Everything | undefined
  toggle: (record: T) => void
  /** Adds all rows between two, including those not loaded yet. */
  addRows: (from: number, to: number) => Promise<void>
  /** As many as allowed, or everything. */
  selectAll: () => Promise<void>
  /** Keeps only these. */
  keep: (ids: Iterable<string>) => void
  clear: () => void
}

type Chosen<T> = { text: string; records: ReadonlyMap<string, T>; everything?: Everything | undefined }

type Of<T extends Listed> = {
  bulk: Bulk<T> | undefined
  kind: RecordKind<T>
  source: ListSource<T>
  search: ListSearch
  list: List<T> | undefined
}

/** Another list begins with nothing selected. */
export function useSelection<T extends Listed>(of: Of<T>): Selection<T> | undefined {
  const { bulk, kind, source, search, list } = of
  const text = list?.text ?? ''
  const [, render] = useReducer((times: number) => times + 1, 0)
  // Rows are added when they have loaded: then, the selection may not be what it was when they were asked for.
  const chosen = useRef<Chosen<T>>({ text, records: new Map() })
  if (chosen.current.text !== text) chosen.current = { text, records: new Map() }
  if (!bulk || !list) return undefined
  const { max } = bulk
  const { records, everything } = chosen.current

  function choose(next: Omit<Chosen<T>, 'text'>): void {
    chosen.current = { text, ...next }
    render()
  }

  function put(wanted: Iterable<readonly [string, T]>): void {
    const all = new Map(wanted)
    if (all.size > max) toast(`You can select up to ${count(max)} ${kind.many} at once`)
    choose({ records: all.size > max ? new Map([...all].slice(0, max)) : all })
  }

  return {
    size: everything?.total ?? records.size,
    has: id => everything !== undefined || records.has(id),
    records: [...records.values()],
    everything,
    clear: () => put([]),
    keep(ids) {
      const wanted = new Set(ids)
      put([...chosen.current.records].filter(([id]) => wanted.has(id)))
    },
    toggle(record) {
      const { records, everything } = chosen.current
      if (everything) {
        toast(`Selection cleared. ${kind.title} selected all at once can't be deselected one by one.`)
        return put([])
      }
      const others = [...records].filter(([id]) => id !== record.id)
      put(records.has(record.id) ? others : [...others, pair(record)])
    },
    async addRows(from, to) {
      const [first, last] = from < to ? [from, to] : [to, from]
      const added = await source.loadRows(list, Math.max(0, first), Math.min(last, first + max))
      if (chosen.current.text === text) put([...chosen.current.records, ...added.map(pair)])
    },
    async selectAll() {
      if (bulk.takesEverything && (list.count > max || list.capped)) {
        const { count: total, capped } = list
        return choose({ records: new Map(), everything: { search, total, capped } })
      }
      const rows = await source.loadRows(list, 0, Math.min(list.count, max) - 1)
      if (chosen.current.text === text) put(rows.map(pair))
      if (list.count > max) toast(`Selected the first ${count(max)} ${kind.many}, the most for one action`)
    },
  }
}

function pair<T extends Listed>(record: T): [string, T] {
  return [record.id, record]
}
