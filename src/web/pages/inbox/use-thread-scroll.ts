import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { ConversationEntry } from '#domains/conversations/contract.ts'

/** Within this distance counts as at the end. */
const NEAR_PX = 60

/** Begins at the end and stays there, unless the reader has scrolled up. Earlier messages move nothing. */
export function useThreadScroll(entries: readonly ConversationEntry[]) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const [isAway, setIsAway] = useState(false)
  const before = useRef({ first: '', height: 0 })
  const first = entries[0]?.id ?? ''

  function jump() {
    isAtEnd.current = true
    setIsAway(false)
    toEnd(box.current)
  }

  const look = useEffectEvent(onScroll)

  function onScroll() {
    const { current } = box
    if (!current) return
    isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX
    setIsAway(!isAtEnd.current)
    before.current.height = current.scrollHeight
  }

  /** What the reader unfolds opens downwards. */
  function onClick({ target }: { target: EventTarget }) {
    if ((target as Element).closest('[aria-expanded], summary')) isAtEnd.current = false
  }

  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    const { first: known, height } = before.current
    before.current = { first, height: current.scrollHeight }
    if (isAtEnd.current) toEnd(current)
    // What was added above pushes the rest down.
    else if (known && known !== first) current.scrollTop += current.scrollHeight - height
  }, [entries, first])
  useEffect(() => {
    const { current } = box
    if (!current) return
    const watcher = new ResizeObserver(() => {
      if (isAtEnd.current) toEnd(current)
      else look()
    })
    // The composer below grows while one writes, and parts of messages are loaded late.
    watcher.observe(current)
    if (content.current) watcher.observe(content.current)
    return () => watcher.disconnect()
  }, [])
  return { box, content, onScroll, onClick, isAway, jump }
}

function toEnd(box: HTMLDivElement | null): void {
  if (box) box.scrollTop = box.scrollHeight
}
