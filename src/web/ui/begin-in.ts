import { useEffect, useEffectEvent, type RefObject } from 'react'

/**
 * Puts the keyboard into the field of a list that has just opened. The list is placed first: focusing earlier would scroll
 * the page to where it is not yet. A field that is not shown yet takes no focus, so this is tried until it does.
 */
export function useBeginIn(field: RefObject<HTMLElement | null>, begun: () => void): void {
  const begin = useEffectEvent((): boolean => {
    field.current?.focus({ preventScroll: true })
    if (field.current === null || document.activeElement !== field.current) return false
    begun()
    return true
  })
  useEffect(() => {
    const attempt = () => {
      if (!begin()) frame = requestAnimationFrame(attempt)
    }
    let frame = requestAnimationFrame(attempt)
    return () => cancelAnimationFrame(frame)
  }, [])
}
