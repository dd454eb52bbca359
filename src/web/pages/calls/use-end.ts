import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Within this distance counts as at the end. */
const NEAR_PX = 40

/** Keeps a growing list scrolled to its end, unless the reader has scrolled up. `follows`: whether it starts there. */
export function useEnd(grown: unknown, follows: boolean) {
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(follows)
  const lastTop = useRef(0)
  const [isAway, setIsAway] = useState(false)

  function jump() {
    isAtEnd.current = true
    setIsAway(false)
    toEnd(box.current)
  }

  function onScroll() {
    const { current } = box
    if (!current) return
    const isNear = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX
    // New content also moves the end away: only scrolling up means that the reader wants to stay.
    if (isNear || current.scrollTop < lastTop.current) isAtEnd.current = isNear
    lastTop.current = current.scrollTop
    setIsAway(!isAtEnd.current)
  }

  useLayoutEffect(() => {
    if (isAtEnd.current) toEnd(box.current)
  }, [grown])
  useEffect(() => {
    const { current } = box
    if (!current) return
    const watcher = new ResizeObserver(() => isAtEnd.current && toEnd(current))
    watcher.observe(current)
    return () => watcher.disconnect()
  }, [])
  return { box, onScroll, isAway, jump }
}

function toEnd(box: HTMLDivElement | null): void {
  if (box) box.scrollTop = box.scrollHeight
}
