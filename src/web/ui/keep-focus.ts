import { useEffect, useRef, type FocusEvent } from 'react'

/**
 * An item that moves within its list loses the focus. Elements with a `data-focus` name get it back after a
 * render.
 */
export function useKeepFocus<T extends HTMLElement>() {
  const list = useRef<T>(null)
  const name = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (name.current === undefined || document.activeElement !== document.body) return
    const named = [...(list.current?.querySelectorAll<HTMLElement>('[data-focus]') ?? [])]
    named.find(element => element.dataset.focus === name.current)?.focus()
  })
  return {
    ref: list,
    onFocus: (event: FocusEvent) => {
      name.current = (event.target as HTMLElement).dataset.focus
    },
    onBlur: (event: FocusEvent) => {
      // The focus was moved on purpose, not lost.
      if (event.relatedTarget) name.current = undefined
    },
  }
}
