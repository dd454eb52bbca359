import { ActionIcon, type ActionIconVariant } from '@mantine/core'
import IconArrowBackUp from 'icon:arrow-back-up'
import IconArrowForwardUp from 'icon:arrow-forward-up'
import { useEffect } from 'react'

type Edited = { history: { past: readonly unknown[]; future: readonly unknown[] } }

/** The part of a draft these keys and buttons need. */
export type Undoable = {
  state: { get: () => Edited; use: <Part>(select: (now: Edited) => Part) => Part }
  undo: () => void
  redo: () => void
}

/**
 * Ctrl+Z undoes the last edit of the draft wherever the focus is, also in fields: the browser's own undo covers only
 * one field.
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

type Props = { draft: Undoable; variant?: ActionIconVariant }

const SIDE_BY_SIDE = { display: 'inline-flex', gap: 2 }

/** Buttons for the same. */
export function UndoButtons({ draft, variant }: Props) {
  const past = draft.state.use(({ history }) => history.past.length)
  const future = draft.state.use(({ history }) => history.future.length)
  const look = variant && { variant }
  return (
    <span style={SIDE_BY_SIDE}>
      <ActionIcon
        {...look}
        aria-label="Undo"
        title="Undo (Ctrl+Z)"
        aria-keyshortcuts="Control+Z"
        disabled={past === 0}
        onClick={draft.undo}
      >
        <IconArrowBackUp size={16} />
      </ActionIcon>
      <ActionIcon
        {...look}
        aria-label="Redo"
        title="Redo (Ctrl+Shift+Z)"
        aria-keyshortcuts="Control+Shift+Z"
        disabled={future === 0}
        onClick={draft.redo}
      >
        <IconArrowForwardUp size={16} />
      </ActionIcon>
    </span>
  )
}

function wayOf(event: KeyboardEvent): 'undo' | 'redo' | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing) return undefined
  const key = event.key.toLowerCase()
  if (key === 'z') return event.shiftKey ? 'redo' : 'undo'
  return key === 'y' && !event.shiftKey ? 'redo' : undefined
}
