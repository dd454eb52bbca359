import { createHmac, timingSafeEqual } from 'node:crypto'

/** What Meta sends in `x-hub-signature-256`: made with the app's secret over the very bytes of the body. */
export function whatsappSignature(appSecret: string, body: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(body, 'utf8').digest('hex')}`
}

/** In constant time. */
export function isSignedByWhatsApp(appSecret: string, body: string, signature: string | undefined): boolean {
  return isSameText(whatsappSignature(appSecret, body), signature ?? '')
}

/** In constant time, for texts of one length. */
export function isSameText(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
