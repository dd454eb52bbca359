import { useEffect, useRef, type RefObject } from 'react'
import { moveTo, recall, remember } from './grid-state.ts'

/** Each list has its own scroll position, restored when coming back from a lead. */
export function useOwnPlace(text: string, scroller: RefObject<HTMLDivElement | null>): void {
  const shownText = useRef<string>(null)
  useEffect(() => {
    const element = scroller.current
    const { place, offset } = recall(text)
    moveTo(place)
    // At first the virtualiser starts at the right offset; later another list may use the same element.
    if (shownText.current !== null && element) element.scrollTop = offset
    shownText.current = text
    // An element that is being removed reports 0, so the last offset is tracked.
    let now = offset
    const onScroll = () => (now = element?.scrollTop ?? 0)
    element?.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      element?.removeEventListener('scroll', onScroll)
      remember(text, now)
    }
  }, [text, scroller])
}
