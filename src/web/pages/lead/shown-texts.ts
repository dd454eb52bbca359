import { createStore } from '../../ui/store.ts'

type Said = { text: string; at: string }

/** An email has the time at which it was sent, its event the one at which it came in. */
const APART_MS = 86_400_000

/** What the page shows of the conversation: its timeline need not say it again. */
const shown = createStore<readonly Said[]>([])

export const showTexts: (entries: readonly Said[]) => void = shown.set

/** Whether that text is on the page already; events may have only the beginning of it. */
export function useIsShown(text: string, at: string): boolean {
  return shown.use(now => now.some(said => isSame(said, text, at)))
}

function isSame(said: Said, text: string, at: string): boolean {
  return said.text.trim().startsWith(text) && Math.abs(Date.parse(said.at) - Date.parse(at)) < APART_MS
}
