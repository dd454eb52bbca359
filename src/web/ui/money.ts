const formats = new Map<string, Intl.NumberFormat>()

/** `1250.50`, `EUR` → "€1,250.50"; whole amounts without decimals. */
export function money(amount: string, currency: string): string {
  const value = Number(amount)
  const key = `${currency} ${Number.isInteger(value)}`
  let format = formats.get(key)
  if (!format) formats.set(key, (format = formatOf(currency, Number.isInteger(value))))
  return format.format(value)
}

/** As on an invoice: `1250`, `EUR` → "€1,250.00", exact at any size and precision. */
export function exactMoney(amount: string, currency: string): string {
  const fine = amount.split('.')[1]?.length ?? 0
  const key = `${currency} exact ${fine}`
  let format = formats.get(key)
  if (!format) formats.set(key, (format = exactFormatOf(currency, fine)))
  return format.format(amount as Intl.StringNumericLiteral)
}

/** Amounts in different currencies are listed, never added up. */
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

/** With the currency's decimals, or more if significant. */
function exactFormatOf(currency: string, fine: number): Intl.NumberFormat {
  const format = formatOf(currency, false)
  if (fine <= (format.resolvedOptions().maximumFractionDigits ?? 0)) return format
  return new Intl.NumberFormat('en', { style: 'currency', currency, minimumFractionDigits: fine })
}
