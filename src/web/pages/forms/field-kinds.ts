import { fieldTypes, type FieldType } from '#domains/forms/values.ts'
import { hasOptions, newId, type DraftContent, type DraftField } from './draft-content.ts'
import { keyFrom } from './field-keys.ts'

export const typeWords: Record<FieldType, { name: string; label: string; about: string }> = {
  text: { name: 'Text', label: 'New question', about: 'One line' },
  long_text: { name: 'Long text', label: 'Message', about: 'Several lines' },
  email: { name: 'E-mail', label: 'E-mail', about: 'Checked for an @' },
  phone: { name: 'Phone', label: 'Phone', about: 'A telephone number' },
  number: { name: 'Number', label: 'Number', about: 'Digits only' },
  choice: { name: 'Choice', label: 'Choose one', about: 'One of several options' },
  choices: { name: 'Several choices', label: 'Choose any', about: 'Any of several options' },
  date: { name: 'Date', label: 'Date', about: 'A day' },
  checkbox: { name: 'Checkbox', label: 'I agree', about: 'Yes or no, or a consent' },
  hidden: { name: 'Hidden', label: 'Campaign', about: 'Filled in by the link' },
}
export { fieldTypes }

/** Where an answer of this type belongs, unless something else goes there already. */
const targets: Partial<Record<FieldType, string>> = { email: 'email', phone: 'phone' }

/** A field of this type that asks something sensible from the beginning. */
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
    options: hasOptions(type) ? ['First', 'Second'] : [],
    step,
    target: isFree ? target : '',
  }
}

/** The same question once more; an answer can only fill the lead's field once. */
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
