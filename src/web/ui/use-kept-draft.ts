import { useEffect, useEffectEvent, useState } from 'react'
import { toastWithAction } from './toast.ts'

type Kept<Row> = {
  state: { get: () => { saving: string } }
  flush: () => Promise<boolean>
  seen: (row: Row) => void
}

/** Drafts that could not be saved when their page was left, by the id of what they are of; whoever comes back goes on with them. */
const unsaved = new Map<string, unknown>()

/** The draft of this record for as long as its page is open, whichever part of it is shown. `back` leads to that page. */
export function useKeptDraft<Row extends { id: string; name: string }, Draft extends Kept<Row>>(
  row: Row,
  make: (row: Row) => Draft,
  back: () => void,
): Draft {
  const { id, name } = row
  const [draft] = useState(() => (unsaved.get(id) as Draft | undefined) ?? make(row))
  const leave = useEffectEvent(async () => {
    unsaved.set(id, draft)
    if (await draft.flush()) unsaved.delete(id)
    else toastWithAction(`Your last changes of ${name} are not saved`, 'Go back', back)
  })
  useEffect(() => draft.seen(row), [draft, row])
  useEffect(() => {
    const hide = () => void (document.hidden && draft.flush())
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
