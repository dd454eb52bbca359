import { Link } from '@tanstack/react-router'
import type { MessageOutcome, MessageStatus } from '#domains/messages/values.ts'
import { patterns } from '../../paths.ts'
import { count, plural } from '../../ui/words.ts'
import type { DraftStep } from './draft-steps.ts'
import type { StepNumbers } from './numbers.ts'
import type { SequenceSearch } from '../../records/sequences/search.ts'
import classes from '../../records/sequences/steps.module.css'

type Props = { id: string; step: DraftStep; numbers: StepNumbers }

/** Step metrics; each links to the messages or leads it counts. */
export function StepFigures({ id, step, numbers }: Props) {
  const figures = figuresOf(step, numbers)
  if (figures.length === 0) return null
  const { step_index } = numbers
  return (
    <ul className={classes.figures} aria-label="Step performance">
      {figures.map(({ text, messages, leads }) => (
        <li key={text}>
          {messages ? (
            <Link to={patterns.outbox} search={{ source_id: id, step_index, ...messages }}>
              {text}
            </Link>
          ) : (
            <Link to={patterns.sequence} params={{ id }} search={leads ?? {}}>
              {text}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

/** A number, and the list it links to. */
type Figure = {
  text: string
  messages?: { outcome?: MessageOutcome; status?: MessageStatus }
  leads?: SequenceSearch
}

function figuresOf({ type }: DraftStep, numbers: StepNumbers): Figure[] {
  const { sent, waiting, skipped, tasks, failed, unknown, step_index } = numbers
  const figures: Figure[] = []
  if (waiting > 0)
    figures.push({
      text: `${count(waiting)} waiting`,
      leads: { tab: 'leads', active: true, step_index: String(step_index) },
    })
  if (sent > 0) {
    figures.push({ text: `${count(sent)} sent`, messages: { status: 'SENT' } })
    for (const outcome of type === 'sms' ? smsOutcomes : mailOutcomes)
      figures.push({
        text: `${count(numbers[outcome])} of ${count(sent)} ${outcome}`,
        messages: { outcome },
      })
  }
  if (failed > 0) figures.push({ text: `${count(failed)} failed`, messages: { status: 'FAILED' } })
  if (unknown > 0) figures.push({ text: `${count(unknown)} unknown`, messages: { status: 'UNKNOWN' } })
  if (tasks > 0)
    figures.push({ text: `${plural(tasks, 'task')} created`, leads: { tab: 'activity', decision: 'task' } })
  if (skipped > 0)
    figures.push({ text: `${count(skipped)} skipped`, leads: { tab: 'activity', decision: 'skipped' } })
  return figures
}

const mailOutcomes = ['opened', 'clicked', 'replied', 'bounced'] as const
const smsOutcomes = ['delivered', 'replied'] as const
