import { inWords, isProblem } from '../problem.ts'
import { createStore } from './store.ts'

export type Toast = {
  id: number
  title?: string
  message: string
  tone: 'plain' | 'fault'
  action?: { label: string; act: () => void }
  lastsMs: number
}

const NOTICE_MS = 4_000
const FAULT_MS = 9_000
const ACTION_MS = 10_000
const SHOWN_MAX = 4
const UNDO_DEPTH_MAX = 20

/** Resolves to false if it failed and that was already shown. */
type Undo = () => Promise<unknown>

/** Newest last, as on the screen. */
export const toasts = createStore<readonly Toast[]>([])

/** Undo actions, also of toasts that are gone: Ctrl+Z uses them. */
const undoStack: { id: number; undo: Undo }[] = []

let lastId = 0

export function toast(message: string): void {
  show({ message, tone: 'plain', lastsMs: NOTICE_MS })
}

/** `again` is offered for temporary errors, so that no input is lost with the connection. */
export function toastFault(error: unknown, title?: string, again?: () => void): void {
  const retry = again && isPassing(error) ? again : undefined
  const id = show({
    message: inWords(error),
    tone: 'fault',
    lastsMs: retry ? ACTION_MS : FAULT_MS,
    ...(title && { title }),
    ...(retry && { action: { label: 'Try again', act: () => (dismiss(id), retry()) } }),
  })
}

function isPassing(error: unknown): boolean {
  return isProblem(error) && (error.status === 0 || error.status === 429 || error.status >= 500)
}

export function toastWithAction(message: string, label: string, act: () => void): number {
  const id = show({
    message,
    tone: 'plain',
    lastsMs: ACTION_MS,
    action: { label, act: () => (dismiss(id), act()) },
  })
  return id
}

export function toastWithUndo(message: string, undo: Undo): void {
  const id = toastWithAction(message, 'Undo', () => {
    const at = undoStack.findIndex(each => each.id === id)
    if (at < 0) return
    undoStack.splice(at, 1)
    void run(undo)
  })
  undoStack.push({ id, undo })
  if (undoStack.length > UNDO_DEPTH_MAX) undoStack.shift()
}

/** Undoes the last action, even if its toast is gone. */
export function undoLast(): void {
  const last = undoStack.pop()
  if (!last) return toast('Nothing to undo')
  dismiss(last.id)
  void run(last.undo)
}

export function dismiss(id: number): void {
  toasts.set(now => now.filter(each => each.id !== id))
}

function show(toast: Omit<Toast, 'id'>): number {
  const id = ++lastId
  toasts.set(now => [...now, { ...toast, id }].slice(-SHOWN_MAX))
  return id
}

async function run(undo: Undo): Promise<void> {
  try {
    if ((await undo()) !== false) toast('Undone')
  } catch (error) {
    toastFault(error, "Couldn't undo")
  }
}
