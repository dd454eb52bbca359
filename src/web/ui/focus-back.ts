import { useEffect } from 'react'

/**
 * For a dialog that is mounted only while open: Mantine returns the focus when a dialog closes, but not when it
 * unmounts. If the focused element is gone too, the page's heading takes the focus.
 */
export function FocusBack() {
  useEffect(() => {
    const before = document.activeElement
    return () => {
      const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected
      const place = isThere ? before : document.querySelector<HTMLElement>('main h1')
      place?.focus({ preventScroll: true })
    }
  }, [])
  return null
}
