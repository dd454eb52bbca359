import { useEffect } from 'react'

/** Each page has a name of its own, in the tab and in the history. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · Rapport` : 'Rapport'
  }, [title])
}
