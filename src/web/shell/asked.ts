import { useEffect } from 'react'
import { opened } from '../ui/opened.ts'

type New = 'new-form' | 'new-sequence' | 'new-workflow' | 'new-agent' | 'new-call' | 'new-candidates'

/** Whether the dialog for a new record was requested, also from the palette, and how to request it here. */
export function useAsked(what: New): [isAsked: boolean, ask: () => void] {
  const isAsked = opened.use(now => now === what)
  // Leaving the page closes it for good.
  useEffect(() => () => opened.set(now => (now === what ? null : now)), [what])
  return [isAsked, () => opened.set(what)]
}
