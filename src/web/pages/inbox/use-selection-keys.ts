import { useEffect, useEffectEvent } from 'react'
import { isTyping } from '../../ui/keys.ts'
import { focusRowOf, idOf, rowHere, shownRows } from './rows.ts'
import { isOverlaid } from './use-escape.ts'
import type { Selection } from './use-selection.ts'

export type BulkAct = 'close' | 'snooze' | 'assign' | 'labels'

/** What was asked for by a key, and what to do when the open conversation is among those that are done. */
export type Bulk = {
  act: BulkAct | null
  setAct: (act: BulkAct | null) => void
  leave: (ids: ReadonlySet<string>) => void
}

/** As long as sequences of keys are waited for. */
const SEQUENCE_MS = 1_200

const acts: Record<string, BulkAct> = { e: 'close', s: 'snooze', a: 'assign', l: 'labels' }

/** X, Shift+J and K, Ctrl+A; while something is selected, also Escape and the keys of one conversation. */
export function useSelectionKeys(
  selection: Selection,
  isEnabled: boolean,
  act: (act: BulkAct) => void,
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    // The keys of the open conversation leave it alone then.
    if (isPressed(event, selection, act)) event.preventDefault()
  })
  useEffect(() => {
    if (!isEnabled) return
    let goesUntil = 0
    const onKeyDown = (event: KeyboardEvent) => {
      // "G L" goes to the leads.
      const goes = event.timeStamp < goesUntil
      goesUntil = event.key === 'g' && !isTyping(event.target) ? event.timeStamp + SEQUENCE_MS : 0
      if (goes || event.defaultPrevented || event.isComposing || event.altKey || isTyping(event.target))
        return
      if (isOverlaid() || document.querySelector('[role="dialog"][aria-modal="true"]')) return
      press(event)
    }
    addEventListener('keydown', onKeyDown, { capture: true })
    return () => removeEventListener('keydown', onKeyDown, { capture: true })
  }, [isEnabled])
}

/** Whether the key was meant for the list. */
function isPressed(
  { key, shiftKey, ctrlKey, metaKey, repeat }: KeyboardEvent,
  selection: Selection,
  act: (act: BulkAct) => void,
): boolean {
  const letter = key.toLowerCase()
  if (ctrlKey || metaKey) {
    if (letter !== 'a' || shiftKey || shownRows().length === 0) return false
    selection.selectAll()
    return true
  }
  if (shiftKey) {
    if (letter !== 'j' && letter !== 'k') return false
    extend(selection, letter === 'j' ? 1 : -1)
    return true
  }
  if (letter === 'x') {
    const row = rowHere() ?? shownRows()[0]
    if (!row || repeat) return row !== undefined
    selection.toggle(idOf(row))
    return true
  }
  if (key === 'Escape' && selection.isOn) {
    selection.clear()
    return true
  }
  const wanted = acts[letter]
  if (!wanted || selection.records.length === 0) return false
  act(wanted)
  return true
}

function extend(selection: Selection, by: 1 | -1): void {
  const here = rowHere() ?? shownRows()[0]
  if (!here) return
  const next = selection.step(by, idOf(here))
  if (next !== undefined) focusRowOf(next)
}
