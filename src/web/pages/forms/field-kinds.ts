import { fieldTypes, type FieldType } from '#domains/forms/values.ts'
import { hasOptions, newId, type DraftContent, type DraftField } from './draft-content.ts'
import { keyFrom } from './field-keys.ts'

export const typeWords: Record<FieldType, { name: string; label: string; about: string }> = {
  text: { name: 'Text', label: 'New question', about: 'One line' },
  long_text: { name: 'Long text', label: 'Message', about: 'Multiple lines' },
  email: { name: 'Email', label: 'Email', about: 'An email address' },
  phone: { name: 'Phone', label: 'Phone', about: 'A phone number' },
  number: { name: 'Number', label: 'Number', about: 'Digits only' },
  choice: { name: 'Single choice', label: 'Choose one', about: 'One of several options' },
  choices: { name: 'Multiple choice', label: 'Choose any', about: 'Any number of options' },
  date: { name: 'Date', label: 'Date', about: 'A calendar date' },
  checkbox: { name: 'Checkbox', label: 'I agree', about: 'Yes or no, or consent' },
  hidden: { name: 'Hidden', label: 'Campaign', about: 'Filled from the URL' },
}
export { fieldTypes }

/** The lead field an answer of this type is mapped to, unless that is taken. */
const targets: Partial<Record<FieldType, string>> = { email: 'email', phone: 'phone' }

/** A new field of this type, with sensible defaults. */
export function newField(type: FieldType, content: DraftContent, step: number): DraftField {
  const { label } = typeWords[type]
  const target = targets[type]
  const isFree = target && !content.fields.some(field => field.target === target)
  return {
    ...blank,
    id: newId(),
    key: keyFrom(
      label,
      content.fields.map(({ key }) => key),
    ),
    type,
    label,
    options: hasOptions(type) ? ['Option 1', 'Option 2'] : [],
    step,
    target: isFree ? target : '',
  }
}

/** A copy without the mapping: only one field can fill a lead field. */
export function copyOf(field: DraftField, content: DraftContent): DraftField {
  const label = `${field.label} (copy)`
  const taken = content.fields.map(({ key }) => key)
  return { ...field, id: newId(), label, key: keyFrom(label, taken), target: '' }
}

const blank = {
  help: '',
  placeholder: '',
  required: false,
  default_value: '',
  prefill: false,
} as const
