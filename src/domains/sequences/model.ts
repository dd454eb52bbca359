import type { Fault } from '#platform/problem.ts'
import { FAULTS_MAX } from '#platform/schema-check.ts'
import { placeholderFaults } from '#domains/templates/merge.ts'
import { ConditionFault, parseCondition } from './condition.ts'
import type { NewSequence, Sequence, SequenceSettings, Step } from './contract.ts'
import type { StepType } from './values.ts'

export const initialSettings: SequenceSettings = {
  window: null,
  timezone: null,
  daily_cap: null,
  delay_unit: 'calendar_days',
  stop_rules: { reply: true, meeting_booked: true },
  track_opens: true,
  track_clicks: true,
  review_icebreakers: false,
}

/** What belongs to which type of step, and what each cannot do without. */
const fieldsOf: Record<StepType, { own: readonly (keyof Step)[]; needs?: keyof Step }> = {
  email: { own: ['template', 'ai_personalization', 'condition'], needs: 'template' },
  delay: { own: [] },
  task: { own: ['description'], needs: 'description' },
  sms: { own: ['message'], needs: 'message' },
}

/** With complete steps a new sequence is active for enrolled leads; without any it is a draft. */
export function newSequence(input: NewSequence, { id, at }: { id: string; at: string }): Sequence {
  const { steps = [], settings = {} } = input
  const sequence_id = input.sequence_id ?? id
  return {
    id,
    sequence_id,
    name: input.name ?? input.sequence_id ?? 'Untitled sequence',
    steps: steps.map(tidyStep),
    status: input.status ?? (steps.length > 0 ? 'ACTIVE' : 'DRAFT'),
    settings: { ...initialSettings, ...settings },
    version: 1,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  }
}

export function tidyStep(step: Step): Step {
  return { ...step, delay_days: step.delay_days ?? 0 }
}

/** The faults of the steps, by the path of each, as many as anybody reads. `custom`: the keys of the team's own fields. */
export function stepFaults(steps: readonly Step[], custom: readonly string[]): Fault[] {
  const faults: Fault[] = []
  for (const [at, step] of steps.entries()) {
    if (faults.length >= FAULTS_MAX) break
    for (const { path, message } of faultsOf(step, custom))
      faults.push({ path: `steps[${at}].${path}`, message })
  }
  return faults.slice(0, FAULTS_MAX)
}

export function settingsFaults({ window }: SequenceSettings): Fault[] {
  if (!window || window.from < window.until) return []
  return [{ path: 'settings.window.until', message: 'must be later than from' }]
}

/** The names of the templates that the steps send. */
export function templatesOf(steps: readonly Step[]): string[] {
  return [...new Set(steps.flatMap(({ type, template }) => (type === 'email' && template ? [template] : [])))]
}

function faultsOf(step: Step, custom: readonly string[]): Fault[] {
  const { own, needs } = fieldsOf[step.type]
  const strange = (Object.keys(step) as (keyof Step)[]).filter(
    field => field !== 'type' && field !== 'delay_days' && !own.includes(field),
  )
  return [
    ...strange.map(path => ({ path, message: `is not allowed in a step of type ${step.type}` })),
    ...(needs && step[needs] === undefined
      ? [{ path: needs, message: `is required in a step of type ${step.type}` }]
      : []),
    ...conditionFaults(step.condition),
    ...textFaults('message', step.message, custom),
    ...textFaults('description', step.description, custom),
  ]
}

function conditionFaults(condition: string | undefined): Fault[] {
  if (condition === undefined) return []
  try {
    parseCondition(condition)
    return []
  } catch (error) {
    if (error instanceof ConditionFault) return [{ path: 'condition', message: error.message }]
    throw error
  }
}

function textFaults(path: string, text: string | undefined, custom: readonly string[]): Fault[] {
  return text === undefined ? [] : placeholderFaults(text, custom).map(message => ({ path, message }))
}
