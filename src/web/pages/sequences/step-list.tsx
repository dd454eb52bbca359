import { ActionIcon, Button, VisuallyHidden } from '@mantine/core'
import IconPlus from 'icon:plus'
import { useState } from 'react'
import type { SequenceNumbers } from '#domains/enrolments/contract.ts'
import type { SequenceWithWarnings } from '#domains/sequences/contract.ts'
import { STEPS_MAX, type StepType } from '#domains/sequences/values.ts'
import { useKeepFocus } from '../../ui/keep-focus.ts'
import { Empty } from '../../ui/states.tsx'
import { toastWithUndo } from '../../ui/toast.ts'
import { useFieldDrops, useStepTarget } from '../../ui/use-row-drag.ts'
import { AddStep } from './add-step.tsx'
import type { StepsDraft } from './draft.ts'
import { problemsOf, serverProblems } from './draft-problems.ts'
import { copyOf, stepsOf, type DraftStep } from './draft-steps.ts'
import { openedStep, openStep } from './opened-step.ts'
import { nextPlace } from './operations.ts'
import { StepCard, type CardWays } from './step-card.tsx'
import { delayInWords, stepTitle } from '../../records/sequences/words.ts'
import classes from '../../records/sequences/steps.module.css'

type Props = {
  sequence: SequenceWithWarnings
  draft: StepsDraft
  numbers: SequenceNumbers | undefined
  add: (type: StepType, at?: number) => void
}

/** One card per step with the delays between them. Steps are moved by dragging, with Alt+arrow keys, or from the menu. */
export function StepList({ sequence, draft, numbers, add }: Props) {
  const { history, saved, saving } = draft.state.use(state => state)
  const refused = draft.refused.use(problems => problems)
  const tried = draft.tried.use(is => is)
  const opened = openedStep.use(id => id)
  const keepFocus = useKeepFocus<HTMLElement>()
  const [said, setSaid] = useState('')
  const target = useStepTarget(0, true)
  useFieldDrops(true, (id, _step, before) => draft.act({ kind: 'move', id, before }))
  const steps = history.now
  const problems = [...refused, ...problemsOf(steps)]
  // They refer to the saved steps; unsaved edits may have fixed them.
  const warnings = saving === 'saved' ? serverProblems(sequence.warnings, saved) : []
  const unit = sequence.settings.delay_unit

  function move(step: DraftStep, way: 'up' | 'down') {
    const operation = nextPlace(steps, step.id, way)
    const name = nameOf(step)
    if (!operation) return setSaid(`${name} is already ${way === 'up' ? 'first' : 'last'}`)
    draft.act(operation)
    setSaid(`${name} moved ${way}`)
  }

  function copy(step: DraftStep) {
    const added = copyOf(step)
    draft.act({ kind: 'add', step: added, at: steps.indexOf(step) + 1 })
    openStep(added.id)
  }

  /** The focus moves to the step that takes its place. */
  function remove(step: DraftStep) {
    const at = steps.indexOf(step)
    const next = steps[at + 1] ?? steps[at - 1]
    draft.act({ kind: 'remove', id: step.id })
    toastWithUndo(`Removed ${nameOf(step)}`, async () => draft.act({ kind: 'add', step, at }))
    setTimeout(() => document.querySelector<HTMLElement>(`[data-focus="${next?.id}"]`)?.focus())
  }

  const ways: CardWays = { act: draft.act, move, copy, remove }
  return (
    <section className={classes.steps} aria-label="Steps" {...keepFocus}>
      {steps.length === 0 && (
        <Empty
          title="No steps yet"
          compact
          action={
            <AddStep add={type => add(type, 0)} isFull={false}>
              <Button>Add the first step</Button>
            </AddStep>
          }
        >
          An email, a text message or a task, each with its own delay.
        </Empty>
      )}
      <div ref={target.ref}>
        <ol aria-label="Steps in order">
          {steps.map((step, at) => {
            const place = saved.findIndex(({ id }) => id === step.id)
            return (
              <StepCard
                key={step.id}
                step={step}
                at={at}
                count={steps.length}
                isOpen={opened === step.id}
                problems={problems.filter(({ id }) => id === step.id)}
                warnings={warnings.filter(({ id }) => id === step.id)}
                showsMissing={tried}
                unit={unit}
                sequence={sequence}
                numbers={place < 0 ? undefined : numbers?.steps.find(each => each.step_index === place)}
                ways={ways}
                before={
                  <Between
                    words={betweenWords(step, at, unit)}
                    add={type => add(type, at)}
                    isFull={steps.length >= STEPS_MAX}
                    where={at === 0 ? 'before the first step' : `between step ${at} and ${at + 1}`}
                  />
                }
              />
            )
          })}
        </ol>
      </div>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </section>
  )
}

type BetweenProps = { words: string; add: (type: StepType) => void; isFull: boolean; where: string }

/** The line between two steps, with the delay and a button to insert a step. */
function Between({ words, add, isFull, where }: BetweenProps) {
  return (
    <div className={classes.between}>
      <span>{words}</span>
      <AddStep add={add} isFull={isFull}>
        <ActionIcon size="sm" variant="default" className={classes.plus} aria-label={`Add a step ${where}`}>
          <IconPlus size={14} />
        </ActionIcon>
      </AddStep>
    </div>
  )
}

/** A wait step shows its own delay. */
function betweenWords(step: DraftStep, at: number, unit: 'calendar_days' | 'working_days'): string {
  const days = Number(step.days)
  if (step.type === 'delay') return at === 0 ? 'starts with' : 'then'
  if (!Number.isInteger(days)) return 'wait'
  if (at === 0) return days === 0 ? 'immediately on enrolment' : delayInWords(days, unit)
  return delayInWords(days, unit)
}

function nameOf(step: DraftStep): string {
  return stepTitle(stepsOf([step])[0]!)
}
