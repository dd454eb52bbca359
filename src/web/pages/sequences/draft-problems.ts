import { ConditionFault, inWords, parseCondition } from '#domains/sequences/condition.ts'
import { DELAY_DAYS_MAX } from '#domains/sequences/values.ts'
import type { FieldFault } from '../../problem.ts'
import type { DraftStep } from './draft-steps.ts'

export type StepField = 'days' | 'template' | 'condition' | 'description' | 'message'

/** An error that keeps the steps from being saved, and the field to fix. */
export type StepProblem = { id: string; field: StepField; message: string }

export function problemsOf(steps: readonly DraftStep[]): StepProblem[] {
  return steps.flatMap(step => {
    const found: StepProblem[] = []
    const say = (field: StepField, message: string) => found.push({ id: step.id, field, message })
    if (!/^\d{1,3}$/.test(step.days) || Number(step.days) > DELAY_DAYS_MAX)
      say('days', `Enter a number of days from 0 to ${DELAY_DAYS_MAX}`)
    if (step.type === 'email' && !step.template.trim()) say('template', 'Choose a template')
    if (step.type === 'task' && !step.description.trim()) say('description', 'Describe the task')
    if (step.type === 'sms' && !step.message.trim()) say('message', 'Write a message')
    const condition = step.type === 'email' ? readCondition(step.condition) : undefined
    if (condition?.fault) say('condition', condition.fault)
    return found
  })
}

export function messageAt(
  problems: readonly StepProblem[],
  id: string,
  field: StepField,
): string | undefined {
  return problems.find(problem => problem.id === id && problem.field === field)?.message
}

/** An expression in words, or its error; empty if there is none. */
export function readCondition(text: string): { words?: string; fault?: string } {
  if (!text.trim()) return {}
  try {
    return { words: inWords(parseCondition(text.trim())) }
  } catch (error) {
    if (error instanceof ConditionFault) return { fault: error.message }
    throw error
  }
}

const fields: Record<string, StepField> = {
  delay_days: 'days',
  template: 'template',
  condition: 'condition',
  description: 'description',
  message: 'message',
}
const PATH = /^steps(?:\[(\d+)\]|\.(\d+))(?:\.(\w+))?/

/** Errors from the server, assigned to their steps. */
export function serverProblems(errors: readonly FieldFault[], steps: readonly DraftStep[]): StepProblem[] {
  return errors.flatMap(({ path, message }) => {
    const [, one, other, field = ''] = PATH.exec(path) ?? []
    const step = steps[Number(one ?? other)]
    return step ? [{ id: step.id, field: fields[field] ?? ownField(step), message: capital(message) }] : []
  })
}

/** An error of the whole step is shown at its main field. */
function ownField({ type }: DraftStep): StepField {
  return ({ email: 'template', task: 'description', sms: 'message', delay: 'days' } as const)[type]
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
