import { useMemo, useRef, useState } from 'react'
import type { Conversation } from '#domains/conversations/contract.ts'
import { BULK_MAX } from '#domains/conversations/values.ts'
import {
  added,
  allOf,
  extended,
  nothing,
  toggled,
  type Chosen,
} from '../../records/conversations/selection.ts'
import { toast } from '../../ui/toast.ts'

/** What is selected in the list, to be changed together. */
export type Selection = {
  records: readonly Conversation[]
  has: (id: string) => boolean
  /** The row that was selected last. */
  last: string | null
  /** Every row has its box: "Select" was chosen, or something is selected. */
  isOn: boolean
  /** "Select" was chosen: a row is selected by a click. */
  isMode: boolean
  begin: () => void
  toggle: (id: string) => void
  /** Selects the rows up to this one. */
  extend: (id: string) => void
  /** The same by one row, from this one if nothing was selected. The row it reaches now. */
  step: (by: 1 | -1, here: string) => string | undefined
  selectAll: () => void
  add: (ids: readonly string[]) => void
  clear: () => void
}

/** Another list begins with nothing selected. What has left the list is not selected any more. */
export function useSelection(rows: readonly Conversation[], list: string): Selection {
  const [state, setState] = useState<{ list: string; chosen: Chosen; isMode: boolean }>({
    list,
    chosen: nothing,
    isMode: false,
  })
  const isHere = state.list === list
  const chosen = isHere ? state.chosen : nothing
  const isMode = isHere && state.isMode
  const records = useMemo(() => rows.filter(({ id }) => chosen.ids.has(id)), [rows, chosen])
  const latest = useRef({ rows, chosen, list })
  latest.current = { rows, chosen, list }

  // The same functions for as long as the page is there: a row is drawn again only if it has changed.
  const acts = useMemo(() => {
    const order = () => latest.current.rows.map(({ id }) => id)
    /** Without what has left the list. */
    const now = (): Chosen => {
      const { chosen } = latest.current
      const listed = new Set(order())
      return {
        ...chosen,
        ids: new Set([...chosen.ids].filter(id => listed.has(id))),
        others: new Set([...chosen.others].filter(id => listed.has(id))),
      }
    }
    const put = (chosen: Chosen, isMode?: boolean) => {
      const { list } = latest.current
      latest.current.chosen = chosen
      setState(before => ({
        list,
        chosen,
        isMode: isMode ?? (before.list === list && before.isMode),
      }))
    }
    const extend = (id: string) => {
      const next = extended(now(), order(), id)
      if (!next.ids.has(id)) sayLimit()
      put(next)
    }
    return {
      begin: () => put(now(), true),
      toggle(id: string) {
        const next = toggled(now(), id)
        if (!next.ids.has(id) && !now().ids.has(id)) return sayLimit()
        put(next)
      },
      extend,
      step(by: 1 | -1, here: string) {
        const chosen = now()
        const rows = order()
        // From another row, another range begins.
        if (chosen.to !== here || chosen.ids.size === 0) put(begunAt(chosen, here))
        const next = rows[rows.indexOf(here) + by]
        if (next !== undefined) extend(next)
        return next
      },
      selectAll() {
        const rows = order()
        if (rows.length > BULK_MAX)
          toast(`Selected the first ${BULK_MAX} conversations, the most that can be changed at once`)
        put(allOf(rows))
      },
      add: (ids: readonly string[]) => put(added(now(), ids)),
      clear: () => put(nothing, false),
    }
  }, [])
  return {
    ...acts,
    records,
    has: id => chosen.ids.has(id),
    last: chosen.to,
    isOn: isMode || records.length > 0,
    isMode,
  }
}

function begunAt(chosen: Chosen, id: string): Chosen {
  const { ids } = chosen.ids.has(id) ? chosen : toggled(chosen, id)
  return { ids, others: ids, from: id, to: id }
}

function sayLimit(): void {
  toast(`You can select up to ${BULK_MAX} conversations at once`)
}
