import { hash, timingSafeEqual } from 'node:crypto'
import { keysFor } from '#platform/seal.ts'
import type { Settings } from '#platform/settings.ts'

const ID_BYTES = 12
const MAC_BYTES = 10
const BODY_BYTES = 2 * ID_BYTES + 1
const PURPOSE = 'message links'

/** What a link in an email means: an open, a click on one of its links, or an unsubscribe. */
export type Tracked = { team_id: string; message_id: string; link: number }

/** The picture and the unsubscribe link have a place beyond the links that a mail may have. */
export const OPEN_LINK = 254
export const UNSUBSCRIBE_LINK = 255
export const LINKS_MAX = 250

/** Signed, and not stored: its holder can do what the email lets its recipient do, and no more. */
export function tokenFor(settings: Settings, { team_id, message_id, link }: Tracked): string {
  const body = Buffer.concat([
    Buffer.from(team_id, 'hex'),
    Buffer.from(message_id, 'hex'),
    Buffer.from([link]),
  ])
  return Buffer.concat([body, macOf(signingKeys(settings)[0]!, body)]).toString('base64url')
}

/** Undefined when it is not one of ours. */
export function readToken(settings: Settings, token: string): Tracked | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== BODY_BYTES + MAC_BYTES) return undefined
  const body = bytes.subarray(0, BODY_BYTES)
  const mac = bytes.subarray(BODY_BYTES)
  if (!signingKeys(settings).some(key => timingSafeEqual(macOf(key, body), mac))) return undefined
  return {
    team_id: body.toString('hex', 0, ID_BYTES),
    message_id: body.toString('hex', ID_BYTES, 2 * ID_BYTES),
    link: body[2 * ID_BYTES]!,
  }
}

/** The two halves of an HMAC's key (RFC 2104), made once. */
type Key = { inner: Buffer; outer: Buffer }
const keys = new WeakMap<Settings, Key[]>()
const BLOCK_BYTES = 64
const INNER_PAD = 0x36
const OUTER_PAD = 0x5c

function signingKeys(settings: Settings): Key[] {
  let known = keys.get(settings)
  if (!known) keys.set(settings, (known = keysFor(settings, PURPOSE).map(halvesOf)))
  return known
}

function halvesOf(key: Buffer): Key {
  const padded = (pad: number) => Buffer.alloc(BLOCK_BYTES, pad).map((byte, at) => byte ^ (key[at] ?? 0))
  return { inner: Buffer.from(padded(INNER_PAD)), outer: Buffer.from(padded(OUTER_PAD)) }
}

/** HMAC-SHA256 by two plain hashes: every mail carries several, and an object for each costs ten times as much. */
function macOf({ inner, outer }: Key, body: Buffer): Buffer {
  const first = hash('sha256', Buffer.concat([inner, body]), 'buffer')
  return hash('sha256', Buffer.concat([outer, first]), 'buffer').subarray(0, MAC_BYTES)
}
