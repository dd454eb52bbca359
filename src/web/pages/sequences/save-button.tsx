import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { SequenceWithWarnings } from '#domains/sequences/contract.ts'
import { queryClient } from '../../query-client.ts'
import { useKeys } from '../../ui/keys.ts'
import { toast } from '../../ui/toast.ts'
import { plural } from '../../ui/words.ts'
import type { StepsDraft } from './draft.ts'
import { problemsOf } from './draft-problems.ts'
import { openStep } from './opened-step.ts'
import type { SequenceSearch } from '../../records/sequences/search.ts'
import { numbersQuery } from '../../records/sequences/sequences-cache.ts'
import classes from '../../ui/draft/save-state.module.css'

const SaveDialog = lazy(() => import('./save-dialog.tsx').then(({ SaveDialog }) => ({ default: SaveDialog })))

type Props = {
  sequence: SequenceWithWarnings
  draft: StepsDraft
  show: (search: SequenceSearch) => void
}

/** Saves the steps; asks first if leads are active in the sequence. */
export function SaveButton({ sequence, draft, show }: Props) {
  const saving = draft.state.use(state => state.saving)
  const numbers = useQuery(numbersQuery(sequence.id)).data
  const [asking, setAsking] = useState(false)
  useKeys({ 'mod+s': () => void (saving !== 'saved' && save()) })
  if (saving === 'saved') return null

  /** Opens the first step with an error. */
  function showProblem() {
    const problems = [...problemsOf(draft.state.get().history.now), ...draft.refused.get()]
    if (problems.length === 0) return
    show({})
    openStep(problems[0]!.id)
    toast(`Fix ${plural(problems.length, 'error')} to save`)
  }

  async function save() {
    if (!draft.check()) return showProblem()
    if (sequence.status !== 'DRAFT') {
      // A lead may have been enrolled just now.
      const now = await queryClient
        .fetchQuery({ ...numbersQuery(sequence.id), staleTime: 0 })
        .catch(() => numbers)
      if (now === undefined || now.active > 0) return setAsking(true)
    }
    if (await draft.save()) toast('Saved')
    else showProblem()
  }

  return (
    <>
      <span className={classes.saving} role="status">
        Not saved
      </span>
      <Button
        loading={saving === 'saving'}
        disabled={saving === 'conflict'}
        aria-keyshortcuts="Control+S"
        title="Save (Ctrl+S)"
        onClick={() => void save()}
      >
        Save
      </Button>
      {asking && (
        <Suspense fallback={null}>
          <SaveDialog
            sequence={sequence}
            active={numbers?.active ?? 0}
            draft={draft}
            close={() => setAsking(false)}
            refused={showProblem}
          />
        </Suspense>
      )}
    </>
  )
}
