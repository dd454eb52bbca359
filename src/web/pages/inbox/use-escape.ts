import { useEffect, useRef } from 'react'
import { useKeys } from '../../ui/keys.ts'

const OVERLAYS = '[data-portal] :is([role=menu], [role=listbox], [role=dialog])'

/** Escape leads back, unless it has just closed something that lay over the page. */
export function useEscape(back: () => void): void {
  const wasOverlaid = useRef(false)
  useEffect(() => {
    // Before anything can close.
    const look = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') wasOverlaid.current = isOverlaid()
    }
    addEventListener('keydown', look, { capture: true })
    return () => removeEventListener('keydown', look, { capture: true })
  }, [])
  useKeys({ Escape: () => wasOverlaid.current || back() })
}

/** Whether a menu, a list or a dialog lies over the page. */
export function isOverlaid(): boolean {
  return [...document.querySelectorAll(OVERLAYS)].some(each => each.checkVisibility())
}
