const formats = new Map<string, Intl.NumberFormat>()

/** `1250.50`, `EUR` → "€1,250.50"; whole amounts go without their zeros. */
export function money(amount: string, currency: string): string {
  const value = Number(amount)
  const key = `${currency} ${Number.isInteger(value)}`
  let format = formats.get(key)
  if (!format) formats.set(key, (format = formatOf(currency, Number.isInteger(value))))
  return format.format(value)
}

/** As it stands on paper: `1250`, `EUR` → "€1,250.00", exact however large or fine it is. */
export function exactMoney(amount: string, currency: string): string {
  const fine = amount.split('.')[1]?.length ?? 0
  const key = `${currency} exact ${fine}`
  let format = formats.get(key)
  if (!format) formats.set(key, (format = exactFormatOf(currency, fine)))
  return format.format(amount as Intl.StringNumericLiteral)
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

/** With the currency's own digits, and with more where they say something. */
function exactFormatOf(currency: string, fine: number): Intl.NumberFormat {
  const format = formatOf(currency, false)
  if (fine <= (format.resolvedOptions().maximumFractionDigits ?? 0)) return format
  return new Intl.NumberFormat('en', { style: 'currency', currency, minimumFractionDigits: fine })
}
