import type { Step } from '#domains/sequences/contract.ts'
import type { StepType } from '#domains/sequences/values.ts'

/** A step being edited: what was typed, and an ID that stays when it moves. */
export type DraftStep = {
  id: string
  type: StepType
  /** Days to wait before it, as typed. */
  days: string
  template: string
  icebreaker: boolean
  condition: string
  description: string
  message: string
}

let last = 0

function newId(): string {
  return `step${++last}`
}

export function newStep(type: StepType): DraftStep {
  return {
    id: newId(),
    type,
    days: type === 'delay' ? '3' : '0',
    template: '',
    icebreaker: false,
    condition: '',
    description: '',
    message: '',
  }
}

export function copyOf(step: DraftStep): DraftStep {
  return { ...step, id: newId() }
}

/** The server's steps, with the IDs the page already uses. */
export function draftFrom(steps: readonly Step[], known: readonly DraftStep[] = []): DraftStep[] {
  return steps.map((step, place) => ({
    id: known[place]?.id ?? newId(),
    type: step.type,
    days: String(step.delay_days ?? 0),
    template: step.template ?? '',
    icebreaker: step.ai_personalization ?? false,
    condition: step.condition ?? '',
    description: step.description ?? '',
    message: step.message ?? '',
  }))
}

/** As the server takes it: only the fields of its type, and no empty ones. */
export function stepsOf(draft: readonly DraftStep[]): Step[] {
  return draft.map(step => ({
    type: step.type,
    delay_days: Number(step.days),
    ...ownFields(step),
  }))
}

function ownFields(step: DraftStep): Partial<Step> {
  const { type, template, icebreaker, condition, description, message } = step
  switch (type) {
    case 'email':
      return {
        ...(template.trim() && { template: template.trim() }),
        ...(icebreaker && { ai_personalization: true }),
        ...(condition.trim() && { condition: condition.trim() }),
      }
    case 'task':
      return description.trim() ? { description: description.trim() } : {}
    case 'sms':
      return message.trim() ? { message: message.trim() } : {}
    case 'delay':
      return {}
  }
}

/** Whether both mean the same to the server. */
export function isSameSteps(one: readonly Step[], other: readonly Step[]): boolean {
  return textOf(one) === textOf(other)
}

function textOf(steps: readonly Step[]): string {
  return JSON.stringify(stepsOf(draftFrom(steps)))
}
