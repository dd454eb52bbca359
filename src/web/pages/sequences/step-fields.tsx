import { Autocomplete, Checkbox, Textarea, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { SMS_LENGTH_MAX } from '#domains/messages/values.ts'
import { segmentsOf } from '#domains/messages/segments.ts'
import { CONDITION_LENGTH_MAX } from '#domains/sequences/values.ts'
import { plural } from '../../ui/words.ts'
import { messageAt, readCondition, type StepField, type StepProblem } from './draft-problems.ts'
import type { DraftStep } from './draft-steps.ts'
import type { Operation } from './operations.ts'
import { PlaceholderMenu } from '../../records/sequences/placeholder-menu.tsx'
import { TemplateInput } from '../../records/sequences/template-input.tsx'
import classes from '../../records/sequences/steps.module.css'

const DESCRIPTION_LENGTH_MAX = 2_000

type Props = {
  step: DraftStep
  problems: readonly StepProblem[]
  showsMissing: boolean
  act: (operation: Operation) => void
}

/** The fields of one step. */
export function StepFields({ step, problems, showsMissing, act }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const change = (change: Partial<Omit<DraftStep, 'id' | 'type'>>) =>
    act({ kind: 'change', id: step.id, change })
  const fault = (field: StepField) => {
    const isMissing = field !== 'condition' && field !== 'days' && step[field].trim() === ''
    return isMissing && !showsMissing ? undefined : messageAt(problems, step.id, field)
  }
  // Focuses the first field, unless something inside was clicked.
  useEffect(() => {
    if (document.activeElement instanceof HTMLElement && root.current?.contains(document.activeElement))
      return
    root.current?.querySelector<HTMLElement>('[data-first]')?.focus({ preventScroll: false })
  }, [step.id])

  return (
    <div ref={root} className={classes.form}>
      {step.type === 'email' && (
        <>
          <TemplateInput
            value={step.template}
            fault={fault('template')}
            set={template => change({ template })}
          />
          <Checkbox
            label="Start with an AI-written icebreaker about the lead"
            description="Inserted at {{icebreaker}} in the template."
            checked={step.icebreaker}
            onChange={event => change({ icebreaker: event.currentTarget.checked })}
          />
        </>
      )}
      {step.type === 'sms' && (
        <Written
          label="Text"
          value={step.message}
          fault={fault('message')}
          maxLength={SMS_LENGTH_MAX}
          about={`${plural(step.message.length, 'character')}, sent as ${plural(segmentsOf(step.message), 'text message')}. Placeholders may make it longer.`}
          set={message => change({ message })}
        />
      )}
      {step.type === 'task' && (
        <Written
          label="Task"
          value={step.description}
          fault={fault('description')}
          maxLength={DESCRIPTION_LENGTH_MAX}
          about="Assigned to the lead owner. The first line becomes the task title."
          set={description => change({ description })}
        />
      )}
      <TextInput
        label="Wait (days)"
        description={step.type === 'delay' ? undefined : '0: right after the previous step.'}
        inputMode="numeric"
        value={step.days}
        error={fault('days')}
        maxLength={3}
        w={170}
        data-first={step.type === 'delay' || undefined}
        onChange={event => change({ days: event.currentTarget.value.trim() })}
      />
      {step.type === 'email' && (
        <ConditionInput
          value={step.condition}
          fault={fault('condition')}
          set={condition => change({ condition })}
        />
      )}
    </div>
  )
}

/** Suggestions; other conditions can be typed. */
const usual = [
  'not previous.opened',
  'previous.opened',
  'not previous.clicked',
  'previous.opened and not previous.clicked',
  'lead.title == "CEO"',
]

type ConditionProps = { value: string; fault: string | undefined; set: (value: string) => void }

function ConditionInput({ value, fault, set }: ConditionProps) {
  const { words } = readCondition(value)
  return (
    <Autocomplete
      label="Only if"
      placeholder="Always"
      description={words ? `Sent ${words}.` : 'For example: not previous.opened'}
      data={usual}
      value={value}
      error={fault}
      maxLength={CONDITION_LENGTH_MAX}
      spellCheck={false}
      openOnFocus={false}
      onChange={set}
      comboboxProps={{ withinPortal: false }}
      withScrollArea={false}
    />
  )
}

type WrittenProps = {
  label: string
  value: string
  fault: string | undefined
  maxLength: number
  about: string
  set: (value: string) => void
}

/** A text field with a placeholder menu. */
function Written({ label, value, fault, maxLength, about, set }: WrittenProps) {
  const field = useRef<HTMLTextAreaElement>(null)

  function insert(placeholder: string) {
    const element = field.current
    const [from, to] = [element?.selectionStart ?? value.length, element?.selectionEnd ?? value.length]
    set(value.slice(0, from) + placeholder + value.slice(to))
    setTimeout(() => {
      element?.focus()
      element?.setSelectionRange(from + placeholder.length, from + placeholder.length)
    })
  }

  return (
    <div className={classes.written}>
      <Textarea
        ref={field}
        label={label}
        description={about}
        value={value}
        error={fault}
        rows={4}
        maxLength={maxLength}
        data-first
        onChange={event => set(event.currentTarget.value)}
      />
      <PlaceholderMenu insert={insert} />
    </div>
  )
}
