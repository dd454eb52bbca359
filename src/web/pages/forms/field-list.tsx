import { Button, VisuallyHidden } from '@mantine/core'
import IconPlus from 'icon:plus'
import { useState } from 'react'
import { STEPS_MAX } from '#domains/forms/values.ts'
import { useKeepFocus } from '../../ui/keep-focus.ts'
import { Empty } from '../../ui/states.tsx'
import type { DraftContent, DraftField } from './draft-content.ts'
import type { DraftProblem } from './draft-problems.ts'
import { FieldItem, type ItemWays } from './field-item.tsx'
import { nextPlace, type Operation } from './operations.ts'
import { FORM_PART } from '../../records/forms/search.ts'
import { StepHead } from './step-head.tsx'
import { useFieldDrops, useStepTarget } from '../../ui/use-row-drag.ts'
import textClasses from '../../ui/text.module.css'
import classes from './builder.module.css'

type Props = {
  content: DraftContent
  problems: readonly DraftProblem[]
  selected: string | null
  canWrite: boolean
  select: (id: string) => void
  act: (operation: Operation) => void
  copy: (field: DraftField) => void
  remove: (field: DraftField) => void
}

/** The fields by step. Reordered by dragging, with Alt and the arrow keys, or in the field's menu. */
export function FieldList({ content, problems, selected, canWrite, select, act, copy, remove }: Props) {
  const keepFocus = useKeepFocus<HTMLDivElement>()
  const [said, setSaid] = useState('')
  useFieldDrops(canWrite, (id, step, before) => act({ kind: 'move', id, step, before }))

  function move(field: DraftField, way: 'up' | 'down') {
    const operation = nextPlace(content, field.id, way)
    if (!operation) return setSaid(`${field.label} is already ${way === 'up' ? 'first' : 'last'}`)
    act(operation)
    setSaid(`${field.label} moved ${way}`)
  }

  /** The focus moves to the field that takes the place of the removed one. */
  function removeAndGoOn(field: DraftField) {
    const at = content.fields.indexOf(field)
    const next = content.fields[at + 1] ?? content.fields[at - 1]
    remove(field)
    setTimeout(() => document.querySelector<HTMLElement>(`[data-focus="${next?.id}"]`)?.focus())
  }

  const ways: ItemWays = {
    canWrite,
    steps: content.steps,
    select,
    move,
    moveToStep: (field, step) => act({ kind: 'move', id: field.id, step, before: null }),
    copy,
    remove: removeAndGoOn,
  }
  const steps = content.steps.length === 0 ? [null] : content.steps
  const hasOwnProblem = problems.some(({ id }) => id === null)
  return (
    <section className={classes.fields} aria-label="Fields" {...keepFocus}>
      <button
        type="button"
        className={classes.formItem}
        aria-current={selected === FORM_PART || undefined}
        data-problem={hasOwnProblem || undefined}
        onClick={() => select(FORM_PART)}
      >
        <span className={`${textClasses.cut} ${classes.formTitle}`}>{content.title || 'Untitled'}</span>
        <span className={`${textClasses.meta} ${textClasses.cut} ${classes.dim}`}>
          Title, button and thank-you text
        </span>
      </button>
      {content.fields.length === 0 && (
        <Empty title="No fields yet" compact>
          Add your first field above.
        </Empty>
      )}
      {steps.map((title, step) => (
        <Step
          // A step is identified by its position only.
          // oxlint-disable-next-line react/no-array-index-key
          key={step}
          title={title}
          step={step}
          content={content}
          problems={problems}
          selected={selected}
          ways={ways}
          act={act}
        />
      ))}
      {canWrite && content.steps.length < STEPS_MAX && content.fields.length > 0 && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          className={classes.addStep}
          leftSection={<IconPlus size={14} />}
          onClick={() => act({ kind: 'add_step', title: `Step ${Math.max(2, content.steps.length + 1)}` })}
        >
          {content.steps.length === 0 ? 'Split into steps' : 'Add step'}
        </Button>
      )}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </section>
  )
}

type StepProps = {
  title: string | null
  step: number
  content: DraftContent
  problems: readonly DraftProblem[]
  selected: string | null
  ways: ItemWays
  act: (operation: Operation) => void
}

function Step({ title, step, content, problems, selected, ways, act }: StepProps) {
  const { ref, isOver } = useStepTarget(step, ways.canWrite)
  const own = content.fields.filter(field => field.step === step)
  return (
    <div ref={ref} className={classes.step} data-over={isOver || undefined}>
      {title !== null && (
        <StepHead title={title} step={step} problems={problems} canWrite={ways.canWrite} act={act} />
      )}
      <ol className={classes.items} aria-label={title === null ? 'All fields' : `Fields in ${title}`}>
        {own.map(field => (
          <FieldItem
            key={field.id}
            field={field}
            isSelected={field.id === selected}
            hasProblem={problems.some(({ id }) => id === field.id)}
            isFirst={field === content.fields[0] && step === 0}
            isLast={field === content.fields.at(-1) && step >= content.steps.length - 1}
            ways={ways}
          />
        ))}
      </ol>
      {own.length === 0 && title !== null && <p className={classes.emptyStep}>No fields in this step yet</p>}
    </div>
  )
}
