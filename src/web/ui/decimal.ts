import { parseAmount } from './amount.ts'

/** Parses typed numbers into the format of the API; undefined: not a number. */
export function readPrice(typed: string): string | undefined {
  const text = parseAmount(typed)
  return text ? plain(text) : undefined
}

export function readQuantity(typed: string): string | undefined {
  const text = readPrice(typed)
  return text && /^\d{1,9}(\.|$)/.test(text) ? text : undefined
}

/** Empty means no tax. */
export function readPercent(typed: string): string | undefined {
  const typedAlone = typed.replace('%', '').trim()
  if (typedAlone === '') return '0'
  const text = readPrice(typedAlone)
  return text && /^(?:100|\d{1,2})(?:\.\d{1,2})?$/.test(text) && Number(text) <= 100 ? text : undefined
}

/** Without leading zeros. */
function plain(text: string): string {
  return text.replace(/^0+(?=\d)/, '')
}
