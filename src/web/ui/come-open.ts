import { useEffect, useRef, useState } from 'react'

/**
 * For a list that was fetched because somebody opened it: its button stands on the page anew and takes the focus it had,
 * and then the list opens. Closing it gives the focus back to where it was.
 */
export function useComeOpen() {
  const target = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    // Whatever took the focus meanwhile, like a menu that closed a moment before: this is what somebody opened.
    target.current?.focus({ preventScroll: true })
    // What opens remembers what had the focus: by then it is the button.
    const frame = requestAnimationFrame(() => setOpened(true))
    return () => cancelAnimationFrame(frame)
  }, [])
  return { target, opened, setOpened }
}
