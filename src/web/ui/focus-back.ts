import { useEffect } from 'react'

/**
 * Stands beside a dialog that is drawn only while it is open: Mantine gives the focus back when a dialog closes, but not
 * when it goes away. What had the focus may be gone too, with its row; then the page's heading takes it.
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
