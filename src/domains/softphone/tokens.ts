import { createHmac, timingSafeEqual } from 'node:crypto'
import { keysFor } from '#platform/seal.ts'
import type { Settings } from '#platform/settings.ts'

const ID_BYTES = 12
const MAC_BYTES = 16
const PURPOSE = 'outgoing calls'

export type Named = { team_id: string; call_id: string }

/**
 * Identifies an outgoing call on its way through the phone network, so we recognize it when it comes back to
 * us. Signed, because callers can put anything into the headers of a call.
 */
export function callToken(settings: Settings, { team_id, call_id }: Named): string {
  const body = Buffer.from(team_id + call_id, 'hex')
  return Buffer.concat([body, macOf(keysFor(settings, PURPOSE)[0]!, body)]).toString('base64url')
}

/** Undefined when it is not one of ours. */
export function readCallToken(settings: Settings, token: string): Named | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== 2 * ID_BYTES + MAC_BYTES) return undefined
  const body = bytes.subarray(0, 2 * ID_BYTES)
  const mac = bytes.subarray(2 * ID_BYTES)
  if (!keysFor(settings, PURPOSE).some(key => timingSafeEqual(macOf(key, body), mac))) return undefined
  return { team_id: body.toString('hex', 0, ID_BYTES), call_id: body.toString('hex', ID_BYTES) }
}

function macOf(key: Buffer, body: Buffer): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, MAC_BYTES)
}
