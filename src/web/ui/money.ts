const formats = new Map<string, Intl.NumberFormat>()

/** `1250.50`, `EUR` → "€1,250.50"; whole amounts go without their zeros. */
export function money(amount: string, currency: string): string {
  const value = Number(amount)
  const key = `${currency} ${Number.isInteger(value)}`
  let format = formats.get(key)
  if (!format) formats.set(key, (format = formatOf(currency, Number.isInteger(value))))
  return format.format(value)
}

/** Amounts of several currencies are never added up, only told side by side. */
export function moneyList(sums: readonly { amount: string; currency: string }[]): string {
  return sums.map(({ amount, currency }) => money(amount, currency)).join(' + ')
}

function formatOf(currency: string, whole: boolean): Intl.NumberFormat {
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    ...(whole && { maximumFractionDigits: 0 }),
  })
}
