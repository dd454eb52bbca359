import type { FormContent, FormField } from '#domains/forms/contract.ts'
import { STEPS_MAX, type FieldType } from '#domains/forms/values.ts'

/**
 * A field while it is edited: with an id that stays when its key changes, with the lead field it is mapped to, and with
 * empty strings for absent values.
 */
export type DraftField = {
  id: string
  key: string
  type: FieldType
  label: string
  help: string
  placeholder: string
  required: boolean
  /** As typed, one per line; empty lines are kept while typing. */
  options: string[]
  default_value: string
  prefill: boolean
  step: number
  /** `email`, `custom.size`, or empty. */
  target: string
}

export type DraftContent = {
  title: string
  description: string
  fields: DraftField[]
  steps: string[]
  submit_label: string
  thank_you: string
  redirect_url: string
}

export type DraftTexts = Omit<DraftContent, 'fields' | 'steps'>

let lastId = 0

export function newId(): string {
  return `f${++lastId}`
}

/** The draft of what the server has. Known fields keep their id. */
export function draftFrom(content: FormContent, known: readonly DraftField[] = []): DraftContent {
  const ids = new Map(known.map(({ key, id }) => [key, id]))
  return inStepOrder({
    title: content.title,
    description: content.description ?? '',
    fields: content.fields.map(field => draftField(field, content, ids.get(field.key))),
    steps: [...content.steps],
    submit_label: content.submit_label,
    thank_you: content.thank_you,
    redirect_url: content.redirect_url ?? '',
  })
}

/** The draft as the API takes it: empty values are left out. */
export function contentOf(draft: DraftContent): FormContent {
  const { title, description, fields, steps, submit_label, thank_you, redirect_url } = draft
  return {
    title: title.trim(),
    description: description.trim() || null,
    fields: fields.map(field => formField(field, steps.length > 0)),
    steps: steps.map(step => step.trim()),
    submit_label: submit_label.trim(),
    thank_you: thank_you.trim(),
    redirect_url: redirect_url.trim() || null,
    field_mapping: Object.fromEntries(
      fields.filter(({ target }) => target).map(({ key, target }) => [key, target]),
    ) as FormContent['field_mapping'],
  }
}

export function hasOptions(type: FieldType): boolean {
  return type === 'choice' || type === 'choices'
}

export function cleanOptions(options: readonly string[]): string[] {
  return [...new Set(options.map(option => option.trim()).filter(Boolean))]
}

/** Sorts fields by step, so that their order in the list is their order on the page. */
export function inStepOrder(draft: DraftContent): DraftContent {
  const last = Math.max(0, Math.min(draft.steps.length, STEPS_MAX) - 1)
  const fields = draft.fields.map(field => (field.step > last ? { ...field, step: last } : field))
  return { ...draft, fields: fields.toSorted((a, b) => a.step - b.step) }
}

function draftField(field: FormField, content: FormContent, id = newId()): DraftField {
  return {
    id,
    key: field.key,
    type: field.type,
    label: field.label,
    help: field.help ?? '',
    placeholder: field.placeholder ?? '',
    required: field.required ?? false,
    options: field.options ?? [],
    default_value: field.default_value ?? '',
    prefill: field.prefill ?? false,
    step: field.step ?? 0,
    target: content.field_mapping[field.key] ?? '',
  }
}

function formField(field: DraftField, inSteps: boolean): FormField {
  const { key, type, label, help, placeholder, required, options, default_value, prefill, step } = field
  return {
    key,
    type,
    label: label.trim(),
    ...(help.trim() && { help: help.trim() }),
    ...(placeholder.trim() && { placeholder: placeholder.trim() }),
    ...(required && { required }),
    ...(hasOptions(type) && { options: cleanOptions(options) }),
    ...(default_value.trim() && { default_value: default_value.trim() }),
    ...(prefill && { prefill }),
    ...(inSteps && { step }),
  }
}
