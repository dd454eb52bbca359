/** An amount as people write it, in the token's smallest unit; undefined where it is none, or finer than the token. */
export function unitsOf(text: string, decimals: number): bigint | undefined {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined) return undefined
  const kept = fraction.slice(0, decimals).padEnd(decimals, '0')
  // What the token cannot express is refused: rounding would ask for less, or for nothing.
  if (/[^0]/.test(fraction.slice(decimals))) return undefined
  return BigInt(whole + kept)
}

/** With two digits after the point, more only where they say something. */
export function decimalOf(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${whole}.${fraction.padEnd(2, '0')}`
}

/** No sign, no exponent, no spaces, no leading zeros. */
const DECIMAL = /^(0|[1-9]\d{0,29})(?:\.(\d{1,30}))?$/
