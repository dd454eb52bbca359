import { useEffect } from 'react'

/** What is worked on here or elsewhere, as far as these keys need to know it. */
type Undoable = {
  state: { get: () => { history: { past: readonly unknown[]; future: readonly unknown[] } } }
  undo: () => void
  redo: () => void
}

/**
 * Ctrl+Z takes back the last edit wherever the focus is: what is typed into its fields are edits of the draft too, and
 * the browser's own undo knows one field at a time.
 */
export function useUndoKeys(draft: Undoable, canWrite: boolean): void {
  useEffect(() => {
    if (!canWrite) return
    function listen(event: KeyboardEvent) {
      const way = wayOf(event)
      if (!way || document.querySelector('[role="dialog"][aria-modal="true"]')) return
      const { past, future } = draft.state.get().history
      if ((way === 'undo' ? past : future).length === 0) return
      event.preventDefault()
      draft[way]()
    }
    document.addEventListener('keydown', listen, { capture: true })
    return () => document.removeEventListener('keydown', listen, { capture: true })
  }, [draft, canWrite])
}

function wayOf(event: KeyboardEvent): 'undo' | 'redo' | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing) return undefined
  const key = event.key.toLowerCase()
  if (key === 'z') return event.shiftKey ? 'redo' : 'undo'
  return key === 'y' && !event.shiftKey ? 'redo' : undefined
}
