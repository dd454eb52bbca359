import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useEffectEvent, useMemo, useRef, type RefObject } from 'react'
import type { View } from '#domains/views/contract.ts'
import { useCan } from '../../queries.ts'
import type { LeadList } from '../../records/leads/cache.ts'
import type { Column, ShownColumn } from './columns.ts'
import { cellId, columnTemplate, HEAD_PX, ROW_PX, scrollColumnIntoView } from './grid-layout.ts'
import { GridHead } from './grid-head.tsx'
import { GridRow } from './grid-row.tsx'
import type { RowContext } from './columns.ts'
import { grid, recall } from './grid-state.ts'
import { useGridClicks } from './use-grid-clicks.ts'
import { useGridKeys } from './use-grid-keys.ts'
import { useBlocks } from './use-blocks.ts'
import { useOwnPlace } from './use-own-place.ts'
import { usePeople } from '../../records/leads/people.ts'
import type { LeadsSearch } from '../../records/leads/search.ts'
import tableClasses from '../../ui/record-list/table.module.css'

const OVERSCAN = 10

type Props = {
  list: LeadList
  search: LeadsSearch
  columns: Column[]
  shown: ShownColumn[]
  view: View | undefined
  /** The rows are from the previous query while the next one loads. */
  stale: boolean
}

/** The table. A separate component, so that scrolling renders nothing around it. */
export const Grid = memo(function Grid({ list, search, columns, shown, view, stale }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const canWrite = useCan('leads:write') && !search.trashed
  const people = usePeople()
  const context = useMemo(
    (): RowContext => ({ shown, people, search, canWrite }),
    [shown, people, search, canWrite],
  )

  const virtualizer = useVirtualizer({
    count: list.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    scrollPaddingEnd: 8,
    initialOffset: () => recall(list.text).offset,
  })
  const items = virtualizer.getVirtualItems()
  const rowAt = useBlocks(list, items[0]?.index ?? 0, items.at(-1)?.index ?? 0)

  useOwnPlace(list.text, scroller)
  useFollowCursor(virtualizer.scrollToIndex, scroller, shown)
  const onKeyDown = useGridKeys({ list, search, columns, shown, view, canWrite, rowAt, scroller })
  const clicks = useGridClicks({ list, search, shown, canWrite, rowAt, scroller })
  const active = grid.use(({ row, col }) => cellId(row, shown[col]?.key))

  return (
    <div
      ref={scroller}
      className={tableClasses.scroller}
      role="grid"
      aria-label="Leads"
      aria-rowcount={list.count + 1}
      aria-colcount={shown.length + 1}
      aria-multiselectable
      aria-busy={stale}
      aria-activedescendant={active}
      tabIndex={0}
      data-stale={stale || undefined}
      onKeyDown={onKeyDown}
      {...clicks}
      style={columnTemplate(shown)}
    >
      <GridHead columns={columns} shown={shown} view={view} search={search} list={list} scroller={scroller} />
      <div role="rowgroup" className={tableClasses.body} style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <GridRow key={index} index={index} top={start - HEAD_PX} lead={rowAt(index)} context={context} />
        ))}
      </div>
    </div>
  )
})

/** Keeps the active cell in view. Only a move scrolls, not a new width or column. */
function useFollowCursor(
  scrollToIndex: (row: number, options: { align: 'auto' }) => void,
  scroller: RefObject<HTMLDivElement | null>,
  shown: ShownColumn[],
): void {
  const row = grid.use(now => now.row)
  const col = grid.use(now => now.col)
  const first = useRef(true)
  const follow = useEffectEvent((row: number, col: number) => {
    if (row >= 0) scrollToIndex(row, { align: 'auto' })
    scrollColumnIntoView(scroller.current, shown, col)
  })
  useEffect(() => {
    if (first.current) first.current = false
    else follow(row, col)
  }, [row, col])
}
