import { useMemo, useRef, type FocusEvent, type RefObject } from 'react'

export type FocusKeeper = {
  /** The card to focus as soon as it is rendered. */
  wanted: () => string | null
  want: (id: string) => void
  /** Called after every render. */
  settle: () => void
  onFocus: (event: FocusEvent) => void
  onBlur: (event: FocusEvent) => void
}

/** A card moved to another column is mounted again there: the focus follows, whoever moved it. */
export function useCardFocus(root: RefObject<HTMLElement | null>): FocusKeeper {
  const wanted = useRef<string | null>(null)
  const had = useRef<string | null>(null)
  return useMemo(
    () => ({
      wanted: () => wanted.current,
      want: id => {
        wanted.current = id
      },
      settle: () => {
        const id = wanted.current ?? (document.activeElement === document.body ? had.current : null)
        const card = id && root.current?.querySelector<HTMLElement>(`[data-card="${id}"] [data-main]`)
        if (!card) return
        wanted.current = null
        card.focus()
      },
      onFocus: event => {
        const card = (event.target as HTMLElement).closest<HTMLElement>('[data-card]')
        had.current = card?.dataset.card ?? null
      },
      onBlur: event => {
        // The focus was moved on purpose, not lost.
        if (event.relatedTarget) had.current = null
      },
    }),
    [root],
  )
}
