import { parseAmount } from './amount.ts'

/** Numbers as people write them, as the API keeps them; undefined: not one. */
export function readPrice(typed: string): string | undefined {
  const text = parseAmount(typed)
  return text ? plain(text) : undefined
}

export function readQuantity(typed: string): string | undefined {
  const text = readPrice(typed)
  return text && /^\d{1,9}(\.|$)/.test(text) ? text : undefined
}

/** Nothing is no tax. */
export function readPercent(typed: string): string | undefined {
  const typedAlone = typed.replace('%', '').trim()
  if (typedAlone === '') return '0'
  const text = readPrice(typedAlone)
  return text && /^(?:100|\d{1,2})(?:\.\d{1,2})?$/.test(text) && Number(text) <= 100 ? text : undefined
}

/** Without the zeros that say nothing before it. */
function plain(text: string): string {
  return text.replace(/^0+(?=\d)/, '')
}
