import { useRef, type PointerEvent, type RefObject } from 'react'
import type { View } from '#domains/views/contract.ts'
import {
  resize,
  setColumns,
  WIDTH_MAX,
  WIDTH_MIN,
  type Column,
  type ColumnField,
  type Kind,
} from './columns.ts'
import { columnTemplate, type Extras } from './layout.ts'
import classes from './table.module.css'

/** The columns of a table, as they are and where they are saved. */
export type Columns = { kind: Kind; columns: Column[]; view: View | undefined }

type Props = {
  column: ColumnField
  shown: readonly ColumnField[]
  columns: Columns
  extras: Extras
  scroller: RefObject<HTMLDivElement | null>
}

/** For pointers. Keyboards use Shift with the arrow keys on the column head, or the column menu. */
export function ResizeHandle({ column, shown, columns: { kind, columns, view }, extras, scroller }: Props) {
  const drag = useRef<{ x: number; width: number } | null>(null)

  function widthAt(event: PointerEvent): number {
    const { x, width } = drag.current!
    return Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, width + event.clientX - x))
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    event.preventDefault()
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, width: column.width }
  }

  function onPointerMove(event: PointerEvent) {
    if (!drag.current) return
    const width = widthAt(event)
    const resized = shown.map(each => (each.key === column.key ? { ...each, width } : each))
    for (const [name, value] of Object.entries(columnTemplate(resized, extras)))
      scroller.current?.style.setProperty(name, String(value))
  }

  function onPointerUp(event: PointerEvent) {
    if (!drag.current) return
    setColumns(kind, view, resize(columns, column.key, widthAt(event)))
    drag.current = null
  }

  return (
    <span
      className={classes.handle}
      aria-hidden
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
    />
  )
}
