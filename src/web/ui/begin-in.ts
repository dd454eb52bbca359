import { useEffect, useEffectEvent, type RefObject } from 'react'

/**
 * Focuses the field of a list that has just opened. The list must be positioned first: focusing earlier would scroll
 * the page. A field that is not visible yet takes no focus, so this is retried until it does.
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
