import { useEffect } from 'react'
import { opened } from '../ui/opened.ts'

type New = 'new-form' | 'new-sequence' | 'new-workflow' | 'new-agent' | 'new-call' | 'new-candidates'

/** Whether a new one is asked for, which the palette does from every page, and how to ask for it here. */
export function useAsked(what: New): [isAsked: boolean, ask: () => void] {
  const isAsked = opened.use(now => now === what)
  // Whoever goes back while it is open does not want it when they come again.
  useEffect(() => () => opened.set(now => (now === what ? null : now)), [what])
  return [isAsked, () => opened.set(what)]
}
