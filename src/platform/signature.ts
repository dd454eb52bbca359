import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'

/** The doors of the service that providers knock at; each has its own secrets. */
export const signedEndpoints = ['payment', 'voice', 'email', 'realtime'] as const
export type SignedEndpoint = (typeof signedEndpoints)[number]
export type SigningKeys = Readonly<Record<SignedEndpoint, readonly KeyObject[]>>

/** How far a message's time may be from ours, either way. */
export const SIGNATURE_TOLERANCE_MS = 300_000
/** A sender that rotates its secret sends a signature of each; more than this is no honest sender. */
const SIGNATURES_MAX = 20

/** The three headers of Standard Webhooks, under either of the names they are sent by. */
export type SignatureHeaders = { id: string; timestamp: string; signature: string }

type Headers = Record<string, string | string[] | undefined>

/** Undefined when one of them is missing or given twice. `svix-…` is the same thing by an older name. */
export function signatureHeaders(headers: Headers): SignatureHeaders | undefined {
  for (const prefix of ['webhook', 'svix']) {
    const [id, timestamp, signature] = [
      headers[`${prefix}-id`],
      headers[`${prefix}-timestamp`],
      headers[`${prefix}-signature`],
    ]
    if (typeof id === 'string' && typeof timestamp === 'string' && typeof signature === 'string' && id)
      return { id, timestamp, signature }
  }
  return undefined
}

export function isTimely({ timestamp }: SignatureHeaders, nowMs: number): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false
  return Math.abs(nowMs - Number(timestamp) * 1000) <= SIGNATURE_TOLERANCE_MS
}

/** Made once per secret: with a key object a signature costs a quarter of what it costs with the bare bytes. */
export function signingKey(secret: string): KeyObject {
  const bytes = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
  return createSecretKey(bytes)
}

/** Whether one of the signatures was made with one of the keys over exactly these bytes. In constant time. */
export function isSigned(keys: readonly KeyObject[], headers: SignatureHeaders, body: Buffer): boolean {
  const given = headers.signature
    .split(' ', SIGNATURES_MAX)
    .filter(part => part.startsWith('v1,'))
    .map(part => Buffer.from(part.slice(3), 'base64'))
  return keys.some(key => {
    const expected = digest(key, headers.id, headers.timestamp, body)
    return given.some(bytes => bytes.length === expected.length && timingSafeEqual(bytes, expected))
  })
}

/** The headers a message of ours goes out with, signed by each of the keys. */
export function signedHeaders(
  keys: readonly KeyObject[],
  id: string,
  atMs: number,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000))
  const bytes = Buffer.from(body)
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys
      .map(key => `v1,${digest(key, id, timestamp, bytes).toString('base64')}`)
      .join(' '),
  }
}

function digest(key: KeyObject, id: string, timestamp: string, body: Buffer): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
}
