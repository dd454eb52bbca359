import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import type { SequenceWithWarnings } from '#domains/sequences/contract.ts'
import { api } from '../../api.ts'
import { patterns } from '../../paths.ts'
import { toastWithAction } from '../../ui/toast.ts'
import { createDraft, type Draft } from './draft.ts'
import { saveSteps } from '../../records/sequences/sequence-writes.ts'

/** Steps that were not saved when their page was left; whoever comes back goes on with them. */
const unsaved = new Map<string, Draft>()

/** The draft of this sequence for as long as its page is open, whichever part of it is shown. */
export function useDraft(sequence: SequenceWithWarnings): Draft {
  const { id, name } = sequence
  const navigate = useNavigate()
  const [draft] = useState(() => unsaved.get(id) ?? newDraft(sequence))
  const leave = useEffectEvent(() => {
    unsaved.delete(id)
    if (draft.state.get().saving === 'saved') return
    unsaved.set(id, draft)
    toastWithAction(`The steps of ${name} are not saved`, 'Go back', () => {
      void navigate({ to: patterns.sequence, params: { id }, search: {} })
    })
  })
  useEffect(() => draft.seen(sequence), [draft, sequence])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (draft.state.get().saving !== 'saved') event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => {
      removeEventListener('beforeunload', warn)
      leave()
    }
  }, [draft])
  return draft
}

function newDraft(sequence: SequenceWithWarnings): Draft {
  const { id } = sequence
  return createDraft(sequence, {
    save: (steps, ifMatch) => saveSteps(id, steps, ifMatch),
    read: () => api('GET /api/outreach/sequences/:id', { params: { id: id } }),
  })
}
