import { useEffect, useRef, useState } from 'react'

/**
 * For a list that is loaded by opening it: its button is mounted again, takes back the focus, and then the list opens.
 * Closing it returns the focus.
 */
export function useComeOpen() {
  const target = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    // Even if something else took the focus meanwhile, such as a menu that just closed.
    target.current?.focus({ preventScroll: true })
    // On opening, the focused element is remembered: it must be the button.
    const frame = requestAnimationFrame(() => setOpened(true))
    return () => cancelAnimationFrame(frame)
  }, [])
  return { target, opened, setOpened }
}
