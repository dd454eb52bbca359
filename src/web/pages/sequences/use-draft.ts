import { useNavigate } from '@tanstack/react-router'
import type { SequenceWithWarnings } from '#domains/sequences/contract.ts'
import { patterns } from '../../paths.ts'
import { sequences } from '../../records/sequences/store.ts'
import { saveSteps } from '../../records/sequences/sequence-writes.ts'
import { useDraft } from '../../ui/draft/use-draft.ts'
import { createStepsDraft, type StepsDraft } from './draft.ts'

export function useStepsDraft(sequence: SequenceWithWarnings): StepsDraft {
  const { id } = sequence
  const navigate = useNavigate()
  return useDraft(sequence, newDraft, () => {
    void navigate({ to: patterns.sequence, params: { id }, search: {} })
  })
}

function newDraft(sequence: SequenceWithWarnings): StepsDraft {
  const { id } = sequence
  return createStepsDraft(sequence, {
    save: (steps, ifMatch) => saveSteps(id, steps, ifMatch),
    read: () => sequences.read(id),
  })
}
