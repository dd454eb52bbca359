import { useEffect } from 'react'

/** Sets the title of the page, for tab and history. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · Rapport` : 'Rapport'
  }, [title])
}
