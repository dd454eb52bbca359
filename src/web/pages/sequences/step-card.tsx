import { ActionIcon } from '@mantine/core'
import IconAlertTriangle from 'icon:alert-triangle'
import IconChevronDown from 'icon:chevron-down'
import IconDots from 'icon:dots'
import IconGripVertical from 'icon:grip-vertical'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useId, type KeyboardEvent, type ReactNode } from 'react'
import type { SequenceWithWarnings } from '#domains/sequences/contract.ts'
import { ButtonMenu } from '../../ui/menu.tsx'
import { Bar } from '../../ui/states.tsx'
import { useRowDrag } from '../../ui/use-row-drag.ts'
import { readCondition, type StepProblem } from './draft-problems.ts'
import { stepsOf, type DraftStep } from './draft-steps.ts'
import type { StepNumbers } from './numbers.ts'
import { openStep } from './opened-step.ts'
import type { Operation } from './operations.ts'
import { templateNamesQuery } from '../../records/sequences/sequences-cache.ts'
import { stepIcons } from './step-icons.ts'
import { StepFigures } from './step-figures.tsx'
import { stepTitle, stepWords } from '../../records/sequences/words.ts'
import classes from '../../records/sequences/steps.module.css'
import panesClasses from '../../ui/panes.module.css'

const PREPARE_MS = 300
const fields = () => import('./step-fields.tsx')
const StepFields = lazy(() => fields().then(({ StepFields }) => ({ default: StepFields })))
// Preloads the fields after the steps are shown, before anyone can open one.
setTimeout(() => void fields().catch(() => {}), PREPARE_MS)

export type CardWays = {
  act: (operation: Operation) => void
  move: (step: DraftStep, way: 'up' | 'down') => void
  copy: (step: DraftStep) => void
  remove: (step: DraftStep) => void
}

type Props = {
  step: DraftStep
  at: number
  count: number
  isOpen: boolean
  problems: readonly StepProblem[]
  /** What keeps the sequence from being activated. */
  warnings: readonly StepProblem[]
  /** Missing values count as errors only after an attempt to save. */
  showsMissing: boolean
  unit: 'calendar_days' | 'working_days'
  sequence: SequenceWithWarnings
  numbers: StepNumbers | undefined
  ways: CardWays
  before: ReactNode
}

/** A step: its summary, its metrics, and when open its fields. */
export function StepCard(props: Props) {
  const { step, at, count, isOpen, problems, warnings, showsMissing, unit, sequence, numbers, ways, before } =
    props
  const { ref, isDragged, edge } = useRowDrag(step.id, !isOpen)
  const id = useId()
  const Shape = stepIcons[step.type]
  const title = stepTitle(stepsOf([step])[0]!, unit)

  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>) {
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault()
      const way = event.key === 'ArrowUp' ? 'up' : 'down'
      if (event.altKey) ways.move(step, way)
      else focusBeside(event.currentTarget, way)
    } else if (event.key === 'Delete') ways.remove(step)
  }

  return (
    <li
      ref={ref}
      className={classes.item}
      data-field={step.id}
      data-dragged={isDragged || undefined}
      data-edge={edge}
    >
      {before}
      <article
        className={classes.card}
        data-open={isOpen || undefined}
        aria-label={`Step ${at + 1}: ${title}`}
      >
        <div className={classes.head}>
          <span className={`${panesClasses.grip} ${classes.grip}`} aria-hidden>
            <IconGripVertical size={16} />
          </span>
          <button
            type="button"
            className={panesClasses.main}
            data-focus={step.id}
            data-item
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Delete"
            title="Alt+↑ or Alt+↓ moves it, Delete removes it"
            onClick={() => openStep(isOpen ? null : step.id)}
            onKeyDown={onKeyDown}
          >
            <Shape size={16} role="img" aria-label={stepWords[step.type].name} />
            <span className={panesClasses.what}>
              <span className={classes.title}>
                <span className={classes.number}>{at + 1}</span> {title}
              </span>
              <Summary step={step} problems={problems} warnings={warnings} />
            </span>
            <IconChevronDown size={16} className={classes.chevron} aria-hidden />
          </button>
          <CardMenu step={step} title={title} isFirst={at === 0} isLast={at === count - 1} ways={ways} />
        </div>
        {isOpen && (
          <div id={id} className={classes.fields}>
            <Suspense fallback={<Bar width="100%" height={120} />}>
              <StepFields step={step} problems={problems} showsMissing={showsMissing} act={ways.act} />
            </Suspense>
          </div>
        )}
        {numbers && <StepFigures id={sequence.id} step={step} numbers={numbers} />}
      </article>
    </li>
  )
}

/** The condition and icebreaker, or what needs fixing. */
function Summary({ step, problems, warnings }: Pick<Props, 'step' | 'problems' | 'warnings'>) {
  const known = useQuery({ ...templateNamesQuery, enabled: step.type === 'email' }).data
  const [problem] = problems
  if (problem) return <span className={classes.problem}>{problem.message}</span>
  const isUnknown = step.type === 'email' && known && !known.some(({ name }) => name === step.template.trim())
  const warned = warnings.map(({ message }) => message)
  if (isUnknown && warned.length === 0) warned.push('There is no template with this name yet')
  const { words } = step.type === 'email' ? readCondition(step.condition) : {}
  const about = [words, step.type === 'email' && step.icebreaker && 'with an icebreaker'].filter(Boolean)
  return (
    <>
      {warned.map(message => (
        <span key={message} className={classes.warning}>
          <IconAlertTriangle size={14} aria-hidden /> {message}
        </span>
      ))}
      {about.length > 0 && <span className={classes.dim}>{about.join(', ')}</span>}
    </>
  )
}

type MenuProps = { step: DraftStep; title: string; isFirst: boolean; isLast: boolean; ways: CardWays }

function CardMenu({ step, title, isFirst, isLast, ways }: MenuProps) {
  return (
    <ButtonMenu
      button={
        <ActionIcon size="sm" aria-label={`More actions for ${title}`} data-focus={`${step.id} menu`}>
          <IconDots size={16} />
        </ActionIcon>
      }
      items={[
        { label: 'Move up', disabled: isFirst, run: () => ways.move(step, 'up') },
        { label: 'Move down', disabled: isLast, run: () => ways.move(step, 'down') },
        { label: 'Duplicate', run: () => ways.copy(step) },
        'divider',
        { label: 'Delete', danger: true, run: () => ways.remove(step) },
      ]}
    />
  )
}

function focusBeside(from: HTMLElement, way: 'up' | 'down'): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-item]')]
  all[all.indexOf(from) + (way === 'up' ? -1 : 1)]?.focus()
}
