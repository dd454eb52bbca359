import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Settings } from './settings.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Text that must be readable again, but not by who reads the table or a backup: AES-256-GCM under the session secret. */
export function seal(settings: Settings, purpose: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keysFor(settings, purpose)[0]!, nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
}

/** Undefined when it was sealed under a secret that is gone, or was tampered with. */
export function unseal(settings: Settings, purpose: string, text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64')
  for (const key of keysFor(settings, purpose)) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([opened, decipher.final()]).toString('utf8')
    } catch {
      // Another key may fit.
    }
  }
  return undefined
}

const cache = new WeakMap<Settings, Map<string, Buffer[]>>()

/** One key per purpose, so that a text sealed for one is worth nothing in the place of another. */
export function keysFor(settings: Settings, purpose: string): Buffer[] {
  const known = cache.get(settings) ?? new Map<string, Buffer[]>()
  cache.set(settings, known)
  let keys = known.get(purpose)
  if (!keys) {
    keys = settings.sessionSecrets.map(secret =>
      Buffer.from(hkdfSync('sha256', secret, '', `rapport ${purpose}`, 32)),
    )
    known.set(purpose, keys)
  }
  return keys
}
