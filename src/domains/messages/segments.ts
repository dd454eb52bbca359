const SEVEN_BIT_ONE = 160
const SEVEN_BIT_PART = 153
const WIDE_ONE = 70
const WIDE_PART = 67

/** The alphabet of GSM 03.38, and the characters of it that take two places. */
const NARROW =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const DOUBLE = '\f^{}\\[~]|€'
const places = new Map<string, number>([
  ...[...NARROW].map(char => [char, 1] as const),
  ...[...DOUBLE].map(char => [char, 2] as const),
])

/** How many text messages a text is sent and paid as: one character outside the small alphabet makes all of it wide. */
export function segmentsOf(text: string): number {
  const narrow = [...text].reduce((sum, char) => sum + (places.get(char) ?? Infinity), 0)
  if (narrow !== Infinity) return partsOf(narrow, SEVEN_BIT_ONE, SEVEN_BIT_PART)
  return partsOf(text.length, WIDE_ONE, WIDE_PART)
}

function partsOf(length: number, one: number, part: number): number {
  return length <= one ? 1 : Math.ceil(length / part)
}
