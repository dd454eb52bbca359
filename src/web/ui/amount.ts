/** An amount as people write it, `1,250.50` or `1250,5`, as the API keeps it; undefined: not one. */
export function parseAmount(typed: string): string | null | undefined {
  const text = typed.replaceAll(/[\s'_]/g, '')
  if (text === '') return null
  const plain = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text.replace(',', '.')
  return /^\d{1,15}(\.\d{1,4})?$/.test(plain) ? plain : undefined
}

export const AMOUNT_WORDS = 'Enter an amount, like 1,250.50'

/** All that browsers know by name, the likeliest first. */
export function currencies(chosen: string): string[] {
  return [...new Set([chosen, 'USD', 'EUR', 'GBP', 'CHF', ...Intl.supportedValuesOf('currency')])]
}
