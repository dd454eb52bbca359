import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconEye from 'icon:eye'
import IconPlus from 'icon:plus'
import { lazy, Suspense } from 'react'
import type { SequenceWithWarnings } from '#domains/sequences/contract.ts'
import { STEPS_MAX, type StepType } from '#domains/sequences/values.ts'
import { Bar } from '../../ui/states.tsx'
import { UndoButtons, useUndoKeys } from '../../ui/undo.tsx'
import { AddStep } from './add-step.tsx'
import type { StepsDraft } from './draft.ts'
import { newStep } from './draft-steps.ts'
import { NumbersStrip } from './numbers-strip.tsx'
import { openedStep, openStep } from './opened-step.ts'
import type { SequenceSearch } from '../../records/sequences/search.ts'
import { numbersQuery } from '../../records/sequences/sequences-cache.ts'
import { StepList } from './step-list.tsx'
import classes from '../../records/sequences/steps.module.css'
import pageClasses from '../../ui/page.module.css'
import panesClasses from '../../ui/panes.module.css'

const Preview = lazy(() => import('./preview.tsx').then(({ Preview }) => ({ default: Preview })))

type Props = {
  sequence: SequenceWithWarnings
  draft: StepsDraft
  search: SequenceSearch
  show: (search: SequenceSearch) => void
}

/** The steps in order, and beside them the preview for a lead. */
export function Steps({ sequence, draft, search, show }: Props) {
  const steps = draft.state.use(({ history }) => history.now)
  const numbers = useQuery(numbersQuery(sequence.id)).data
  useUndoKeys(draft, true)

  /** After the open step, else at the end. */
  function add(
    type: StepType,
    at = steps.findIndex(({ id }) => id === openedStep.get()) + 1 || steps.length,
  ) {
    const step = newStep(type)
    draft.act({ kind: 'add', step, at })
    openStep(step.id)
  }

  return (
    <div className={panesClasses.frame}>
      {numbers && numbers.enrolled > 0 && <NumbersStrip id={sequence.id} numbers={numbers} />}
      <div className={pageClasses.bar}>
        <AddStep add={add} isFull={steps.length >= STEPS_MAX}>
          <Button size="xs" leftSection={<IconPlus size={16} />}>
            Add step
          </Button>
        </AddStep>
        <UndoButtons draft={draft} />
        <Button
          size="xs"
          ml="auto"
          variant={search.preview ? 'light' : 'default'}
          aria-pressed={search.preview === true}
          leftSection={<IconEye size={16} />}
          onClick={() => show(search.preview ? {} : { preview: true })}
        >
          Preview
        </Button>
      </div>
      <div className={`${panesClasses.panes} ${classes.columns}`} data-preview={search.preview}>
        <StepList sequence={sequence} draft={draft} numbers={numbers} add={add} />
        {search.preview && (
          <Suspense fallback={<Bar width="100%" height={200} />}>
            <Preview sequence={sequence} draft={draft} search={search} show={show} />
          </Suspense>
        )}
      </div>
    </div>
  )
}
