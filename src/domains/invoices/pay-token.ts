import { createHmac, timingSafeEqual } from 'node:crypto'
import { keysFor } from '#platform/seal.ts'
import type { Settings } from '#platform/settings.ts'

const ID_BYTES = 12
const MAC_BYTES = 20
const PURPOSE = 'pay links of invoices'

/** The link of an invoice follows from its id and our key: it can be shown again, and is kept nowhere. */
export function payToken(settings: Settings, invoice_id: string): string {
  const id = Buffer.from(invoice_id, 'hex')
  return Buffer.concat([id, macOf(keysFor(settings, PURPOSE)[0]!, id)]).toString('base64url')
}

/** Undefined when we did not make it, or made it with a secret that is gone. */
export function invoiceOfPayToken(settings: Settings, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== ID_BYTES + MAC_BYTES || bytes.toString('base64url') !== token) return undefined
  const [id, mac] = [bytes.subarray(0, ID_BYTES), bytes.subarray(ID_BYTES)]
  const isOurs = keysFor(settings, PURPOSE).some(key => timingSafeEqual(macOf(key, id), mac))
  return isOurs ? id.toString('hex') : undefined
}

function macOf(key: Buffer, id: Buffer): Buffer {
  return createHmac('sha256', key).update(id).digest().subarray(0, MAC_BYTES)
}
