import { useEffect, useRef, useState, type RefObject } from 'react'
import type { Listed, RecordKind } from './list.ts'
import { recall, remember } from './places.ts'

/** The focused cell; row -1 is the header, column -1 the checkboxes. */
export type Cursor = {
  row: number
  col: number
  /** The id of the record whose cell is being edited: its row may move meanwhile. */
  editing: string | null
}

/** The cursor and the scroll position of a list. Each list starts where it was left. */
export function useCursor(name: string, scroller: RefObject<HTMLElement | null>) {
  const [cursor, setCursor] = useState<Cursor>(() => ({ ...recall(name), editing: null }))
  const place = useRef(cursor)
  const shownName = useRef<string>(null)
  useEffect(() => {
    place.current = cursor
  }, [cursor])
  useEffect(() => {
    const element = scroller.current
    const { offset, row, col } = recall(name)
    if (shownName.current !== null) {
      setCursor({ row, col, editing: null })
      if (element) element.scrollTop = offset
    }
    shownName.current = name
    // While unmounting, `scrollTop` is 0.
    let now = offset
    const onScroll = () => (now = element?.scrollTop ?? 0)
    element?.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      element?.removeEventListener('scroll', onScroll)
      remember(name, { row: place.current.row, col: place.current.col, offset: now })
    }
  }, [name, scroller])
  return [cursor, setCursor] as const
}

/** Identifies a list, to restore its position. */
export function nameOfList<T extends Listed>({ kind }: RecordKind<T>, text: string): string {
  return `${kind} ${text}`
}
