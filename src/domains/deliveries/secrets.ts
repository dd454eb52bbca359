import { randomBytes, type KeyObject } from 'node:crypto'
import type { Context } from '#platform/context.ts'
import { seal, unseal } from '#platform/seal.ts'
import { signingKey } from '#platform/signature.ts'
import type { SealedSecret } from './store.ts'

const PURPOSE = 'webhook secret'
const SECRET_BYTES = 32

export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

export function sealSecret(ctx: Context, secret: string): SealedSecret {
  return { sealed: seal(ctx.runtime.settings, PURPOSE, secret), until: null }
}

/** As the receiver knows it; undefined when the session secret it was sealed under is gone. */
export function openSecret(ctx: Context, { sealed }: SealedSecret): string | undefined {
  return unseal(ctx.runtime.settings, PURPOSE, sealed)
}

/** Those whose time is not over, the newest first. */
export function secretsInUse(secrets: readonly SealedSecret[], now: string): SealedSecret[] {
  return secrets.filter(({ until }) => until === null || until > now)
}

/** With what a message is signed. Undefined when the newest cannot be opened: a receiver may know no other. */
export function signingKeys(ctx: Context, secrets: readonly SealedSecret[]): KeyObject[] | undefined {
  const [newest, ...others] = secretsInUse(secrets, ctx.now()).map(secret => openSecret(ctx, secret))
  if (newest === undefined) return undefined
  return [newest, ...others.filter(secret => secret !== undefined)].map(signingKey)
}
