import { useEffect, useRef } from 'react'

/** `{ n: …, 'g l': …, 'mod+k': … }`: single keys, sequences, and with Ctrl or ⌘. */
export type Bindings = Record<string, () => void>

const SEQUENCE_MS = 1_200

const bound: { current: Bindings }[] = []
let prefix = ''
let prefixTimer: ReturnType<typeof setTimeout> | undefined

/** Keys of a page take precedence over those of the frame. */
export function useKeys(bindings: Bindings, owner: 'page' | 'frame' = 'page'): void {
  const latest = useRef(bindings)
  useEffect(() => {
    latest.current = bindings
  })
  useEffect(() => {
    if (owner === 'page') bound.push(latest)
    else bound.unshift(latest)
    if (bound.length === 1) document.addEventListener('keydown', listen)
    return () => {
      bound.splice(bound.indexOf(latest), 1)
      if (bound.length === 0) document.removeEventListener('keydown', listen)
    }
  }, [owner])
}

function listen(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return
  const mod = event.ctrlKey || event.metaKey
  if (!mod && (isTyping(event.target) || dialogIsOpen())) return
  if (mod && event.key.toLowerCase() === 'z' && isTyping(event.target)) return
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const stroke = mod ? `mod+${key}` : key
  const sequence = prefix ? `${prefix} ${stroke}` : stroke
  clearTimeout(prefixTimer)
  prefix = ''
  const act = find(sequence) ?? find(stroke)
  if (act) {
    event.preventDefault()
    act()
  } else if (isPrefix(stroke)) {
    prefix = stroke
    prefixTimer = setTimeout(() => (prefix = ''), SEQUENCE_MS)
  }
}

function find(sequence: string): (() => void) | undefined {
  return bound.findLast(({ current }) => Object.hasOwn(current, sequence))?.current[sequence]
}

function isPrefix(stroke: string): boolean {
  return bound.some(({ current }) => Object.keys(current).some(keys => keys.startsWith(`${stroke} `)))
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.tagName === 'TEXTAREA' || target.tagName === 'SELECT') return true
  return (
    target.tagName === 'INPUT' && !['checkbox', 'radio', 'button'].includes((target as HTMLInputElement).type)
  )
}

function dialogIsOpen(): boolean {
  return document.querySelector('[role="dialog"][aria-modal="true"]') !== null
}
