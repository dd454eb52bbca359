import type { Answers, FormContent, FormField } from './contract.ts'

/** Answers that somebody might have given, for trying out what listens. */
export function madeUpAnswers({ fields }: Pick<FormContent, 'fields'>): Answers {
  return Object.fromEntries(fields.map(field => [field.key, madeUpAnswer(field)]))
}

function madeUpAnswer({ type, label, options = [], default_value }: FormField): Answers[string] {
  switch (type) {
    case 'email':
      return 'ada@example.com'
    case 'phone':
      return '+4930123456'
    case 'number':
      return 42
    case 'date':
      return '2026-03-31'
    case 'checkbox':
      return true
    case 'choice':
      return options[0] ?? ''
    case 'choices':
      return options.slice(0, 1)
    default:
      return default_value ?? `Test: ${label}`
  }
}
