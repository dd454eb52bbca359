import { useEffect, useRef, type FocusEvent } from 'react'

/**
 * An item that moves within its list loses the focus, and with it the keyboard's place. Elements in the list carry a
 * `data-focus` name; whoever had the focus before a render has it afterwards.
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
      // Gone elsewhere on purpose, not lost.
      if (event.relatedTarget) name.current = undefined
    },
  }
}
