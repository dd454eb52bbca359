import { useEffect, useEffectEvent, useState } from 'react'
import { toastWithAction } from '../toast.ts'
import type { Draft } from './draft.ts'

type Kept<Row> = Pick<Draft<Row, unknown>, 'leave' | 'seen'> & { state: { get: () => { saving: string } } }

/** Drafts that were unsaved when their page was left, by record ID: returning continues them. */
const unsaved = new Map<string, unknown>()

/** The draft of this record while its page is open, in any of its tabs. `back` returns to that page. */
export function useDraft<Row extends { id: string; name: string }, Own extends Kept<Row>>(
  row: Row,
  make: (row: Row) => Own,
  back: () => void,
): Own {
  const { id, name } = row
  const [draft] = useState(() => (unsaved.get(id) as Own | undefined) ?? make(row))
  const leave = useEffectEvent(async () => {
    unsaved.set(id, draft)
    if (await draft.leave()) unsaved.delete(id)
    else toastWithAction(`Your last changes to ${name} are not saved`, 'Go back', back)
  })
  useEffect(() => draft.seen(row), [draft, row])
  useEffect(() => {
    const hide = () => void (document.hidden && draft.leave())
    const warn = (event: BeforeUnloadEvent) => {
      if (draft.state.get().saving !== 'saved') event.preventDefault()
    }
    document.addEventListener('visibilitychange', hide)
    addEventListener('beforeunload', warn)
    return () => {
      document.removeEventListener('visibilitychange', hide)
      removeEventListener('beforeunload', warn)
      void leave()
    }
  }, [draft])
  return draft
}
