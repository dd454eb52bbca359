import { Select, TextInput } from '@mantine/core'
import type { ComponentType } from 'react'
import { TemplateInput } from '../../records/sequences/template-input.tsx'
import { inPlainWords } from '../../ui/words.ts'
import { Agent } from './agent.tsx'
import { ConversationAgent } from './conversation-agent.tsx'
import { Comparisons } from './comparisons.tsx'
import type { ControlProps } from './control-props.ts'
import { Duration } from './duration.tsx'
import { FieldName, LeadFieldName } from './field-name.tsx'
import { Hours } from './hours.tsx'
import { Paths } from './paths.tsx'
import { Member, Members, Recipient } from './people.tsx'
import { Retry } from './retry.tsx'
import { Value } from './value.tsx'
import { Written } from './written.tsx'

/** The widget for a field of a node, as given by its schema. */
export function Control(props: ControlProps) {
  const Widget = widgets[props.schema.control ?? 'text'] ?? Written
  return <Widget {...props} />
}

const widgets: Record<string, ComponentType<ControlProps>> = {
  text: Written,
  long_text: Written,
  duration: Duration,
  field: FieldName,
  lead_field: LeadFieldName,
  value: Value,
  template: Template,
  agent: Agent,
  conversation_agent: ConversationAgent,
  member: Member,
  members: Members,
  recipient: Recipient,
  stage: Stage,
  url: Address,
  money: Written,
  currency: Currency,
  window: Hours,
  choice: Choice,
  number: Numeric,
  comparisons: Comparisons,
  retry: Retry,
  paths: Paths,
}

function Template({ value, set, fault }: ControlProps) {
  return <TemplateInput value={text(value)} fault={fault} set={name => set(name || undefined)} />
}

function Stage({ label, value, set, fault, around }: ControlProps) {
  const stages = around.catalog.lead_fields.find(({ field }) => field === 'pipeline_stage')?.options ?? []
  return (
    <Select
      label={label}
      data={stages.map(stage => ({ value: stage, label: inPlainWords(stage) }))}
      value={text(value) || null}
      error={fault}
      comboboxProps={{ shadow: 'md' }}
      onChange={stage => set(stage ?? undefined)}
    />
  )
}

function Address({ label, schema, value, set, fault }: ControlProps) {
  return (
    <TextInput
      label={label}
      description={schema.description}
      inputMode="url"
      placeholder="https://example.com/hook"
      value={text(value)}
      error={fault}
      maxLength={2000}
      autoComplete="off"
      onChange={event => set(event.currentTarget.value.trim() || undefined)}
    />
  )
}

function Currency({ label, schema, value, set, fault }: ControlProps) {
  return (
    <TextInput
      label={label}
      description={schema.description}
      value={text(value)}
      error={fault}
      maxLength={3}
      autoComplete="off"
      onChange={event => set(event.currentTarget.value.toUpperCase() || undefined)}
    />
  )
}

/** Labels of the choices; the first is the default. */
const choiceWords: Record<string, Record<string, string>> = {
  match: { all: 'All conditions', any: 'Any condition' },
  wait: { all: 'All paths', any: 'First path to finish' },
  on_error: { stop: 'Stop the run', continue: 'Continue the run' },
  record: {
    lead: 'Lead',
    opportunity: 'Related deal',
    task: 'Related task',
    account: 'Related account',
  },
  state: { KEEP: 'Unchanged', CLOSED: 'Closed', OPEN: 'Open' },
}

function Choice({ label, path, schema, value, set, fault }: ControlProps) {
  const choices = schema.enum ?? []
  const words = choiceWords[path.split('.').at(-1) ?? ''] ?? {}
  return (
    <Select
      label={label}
      data={choices.map(choice => ({ value: choice, label: words[choice] ?? inPlainWords(choice) }))}
      value={text(value) || (choices[0] ?? null)}
      error={fault}
      allowDeselect={false}
      comboboxProps={{ shadow: 'md' }}
      onChange={choice => set(choice === choices[0] ? undefined : (choice ?? undefined))}
    />
  )
}

function Numeric({ label, schema, value, set, fault }: ControlProps) {
  return (
    <TextInput
      label={label}
      description={schema.description}
      inputMode="numeric"
      value={text(value)}
      error={fault}
      maxLength={6}
      autoComplete="off"
      onChange={event => set(numberIn(event.currentTarget.value))}
    />
  )
}

function numberIn(typed: string): number | string | undefined {
  const trimmed = typed.trim()
  return trimmed === '' ? undefined : /^\d+$/.test(trimmed) ? Number(trimmed) : trimmed
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
