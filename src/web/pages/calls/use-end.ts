import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** So near to the end counts as at the end. */
const NEAR_PX = 40

/** Keeps a list that grows at its end, unless somebody has scrolled up to read. `follows`: whether it begins there. */
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
    // What grows meanwhile leaves the end behind as well: only who scrolls up wants to stay where they are.
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
