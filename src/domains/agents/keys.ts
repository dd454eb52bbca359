import { createHmac, timingSafeEqual } from 'node:crypto'
import { hashOf } from '#platform/bearer.ts'
import { keysFor } from '#platform/seal.ts'
import type { Settings } from '#platform/settings.ts'

const PREFIX = 'rpd_'
const PURPOSE = 'deployment key'
const RECEIPT_LENGTH_MAX = 4_000

/**
 * The key of what was bought. It follows from the settlement and our secret, so that the same proof brings the same receipt
 * however often it is shown, and only its hash need be kept.
 */
export function keyOf(settings: Settings, settlement_id: string): string {
  return keysOf(settings, settlement_id)[0]!
}

/** While secrets are changed: the one that was given out. Undefined when its secret is gone. */
export function keyGivenOut(settings: Settings, settlement_id: string, key_hash: string): string | undefined {
  return keysOf(settings, settlement_id).find(key => hashOf(key) === key_hash)
}

/** In constant time, whether there is something to compare with or not. */
export function fits(key: string | undefined, key_hash: string | undefined): boolean {
  const same = timingSafeEqual(Buffer.from(hashOf(key ?? '')), Buffer.from(key_hash ?? NOBODYS_HASH))
  return same && key !== undefined && key_hash !== undefined
}

type Headers = Record<string, string | undefined>

/** What a caller shows: the receipt of the purchase, or the key in it. Undefined where neither is. */
export function keyShown({ authorization, 'payment-receipt': receipt }: Headers): string | undefined {
  const bearer = /^Bearer +(rpd_[\w-]{1,200})$/i.exec(authorization ?? '')?.[1]
  return bearer ?? (receipt === undefined ? undefined : keyIn(receipt))
}

/** A receipt that cannot be read shows a key that fits nothing. */
function keyIn(receipt: string): string {
  if (receipt.length > RECEIPT_LENGTH_MAX) return ''
  try {
    const { externalId } = JSON.parse(Buffer.from(receipt, 'base64url').toString()) as {
      externalId?: unknown
    }
    return typeof externalId === 'string' ? externalId : ''
  } catch {
    return ''
  }
}

const NOBODYS_HASH = hashOf('')

function keysOf(settings: Settings, settlement_id: string): string[] {
  return keysFor(settings, PURPOSE).map(
    secret => PREFIX + createHmac('sha256', secret).update(settlement_id).digest('base64url'),
  )
}
