import { useEffect, useRef, type RefObject } from 'react'
import { moveTo, recall, remember } from './grid-state.ts'

/** Each list has a place of its own, kept while one reads a lead and comes back. */
export function useOwnPlace(text: string, scroller: RefObject<HTMLDivElement | null>): void {
  const shownText = useRef<string>(null)
  useEffect(() => {
    const element = scroller.current
    const { place, offset } = recall(text)
    moveTo(place)
    // The first time the virtualiser starts at the right place; afterwards another list comes into the same frame.
    if (shownText.current !== null && element) element.scrollTop = offset
    shownText.current = text
    // A list that is being taken away says 0 when asked where it stood.
    let now = offset
    const onScroll = () => (now = element?.scrollTop ?? 0)
    element?.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      element?.removeEventListener('scroll', onScroll)
      remember(text, now)
    }
  }, [text, scroller])
}
