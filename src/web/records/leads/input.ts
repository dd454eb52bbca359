import type { Field, Value } from './fields.ts'

export type Parsed = { value: Value } | { fault: string }

/** Turns typed text into an API value. Catches simple mistakes only; the server decides. */
export function parseInput(field: Pick<Field, 'kind' | 'nullable' | 'label'>, typed: string): Parsed {
  const text = typed.trim()
  if (text === '') return field.nullable ? { value: null } : { fault: `${field.label} cannot be empty` }
  switch (field.kind) {
    case 'email':
      return /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+$/.test(text)
        ? { value: text }
        : { fault: 'Enter a valid email address' }
    case 'phone':
      return parsePhone(text)
    case 'url':
      return parseAddress(text)
    case 'number': {
      const number = Number(text.replace(',', '.'))
      return Number.isFinite(number) ? { value: number } : { fault: 'Enter a number' }
    }
    case 'checkbox':
      return { value: text === 'true' }
    default:
      return { value: text }
  }
}

/** People write phone numbers with spaces and dashes; the API keeps E.164. */
function parsePhone(text: string): Parsed {
  const digits = text.replaceAll(/[\s().\-/]/g, '').replace(/^00/, '+')
  return /^\+[1-9]\d{6,14}$/.test(digits)
    ? { value: digits }
    : { fault: 'Include the country code, like +49 30 1234567' }
}

function parseAddress(text: string): Parsed {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  return /^https?:\/\/[^\s<>".]+\.[^\s<>"]+$/i.test(address)
    ? { value: address }
    : { fault: 'Enter a valid URL' }
}
