/** Parses a typed amount, `1,250.50` or `1250,5`, into the format of the API; undefined: not an amount. */
export function parseAmount(typed: string): string | null | undefined {
  const text = typed.replaceAll(/[\s'_]/g, '')
  if (text === '') return null
  const plain = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text.replace(',', '.')
  return /^\d{1,15}(\.\d{1,4})?$/.test(plain) ? plain : undefined
}

export const AMOUNT_WORDS = 'Enter an amount, like 1,250.50'

/** All currencies the browser knows, the most common first. */
export function currencies(chosen: string): string[] {
  return [...new Set([chosen, 'USD', 'EUR', 'GBP', 'CHF', ...Intl.supportedValuesOf('currency')])]
}
