import { createHmac, timingSafeEqual } from 'node:crypto'

/** The parameters Twilio sends, as parsed from the form; a repeated name has a list. */
export type TwilioParams = Readonly<Record<string, string | readonly string[]>>

/**
 * Twilio signs the address it calls, to the letter, and after it every field of the form in the order of its name, name
 * and value without anything between; of several values of one name each counts once, in their order.
 */
export function twilioSignature(authToken: string, url: string, params: TwilioParams): string {
  const fields = Object.keys(params)
    .toSorted()
    .map(name => valuesOf(params[name]!).map(value => name + value))
  return createHmac('sha1', authToken)
    .update(url + fields.flat().join(''), 'utf8')
    .digest('base64')
}

/** In constant time: how much of a guess was right, nobody learns. */
export function isSignedByTwilio(
  authToken: string,
  url: string,
  params: TwilioParams,
  signature: string | undefined,
): boolean {
  const expected = Buffer.from(twilioSignature(authToken, url, params))
  const given = Buffer.from(signature ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function valuesOf(value: string | readonly string[]): string[] {
  return typeof value === 'string' ? [value] : [...new Set(value)].toSorted()
}
