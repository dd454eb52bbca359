import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Context } from '#platform/context.ts'
import { findFact, keepFact, replaceFact } from '#platform/installation.ts'
import { seal, unseal } from '#platform/seal.ts'
import type { Settings } from '#platform/settings.ts'

const FACT = 'vapid_key'
const PURPOSE = 'vapid key'
/** A push service takes at most a day. */
const TOKEN_LIFE_S = 12 * 3_600

export type VapidKeys = { privateKey: KeyObject; publicKey: string }

/** Who we are to push services: made once for the installation, since browsers subscribe to this very key. */
export async function vapidKeys(ctx: Context): Promise<VapidKeys> {
  const { settings } = ctx.runtime
  const known = remembered.get(settings) ?? (await read(ctx))
  remembered.set(settings, known)
  return known
}
const remembered = new WeakMap<Settings, VapidKeys>()

/** Tells the service of this address that the message is ours (RFC 8292). */
export async function vapidHeader(ctx: Context, endpoint: string): Promise<string> {
  const { privateKey, publicKey } = await vapidKeys(ctx)
  const nowS = Math.floor(ctx.runtime.clock.now() / 1_000)
  const token = await new SignJWT({ sub: contactOf(ctx.runtime.settings.emailFrom) })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(new URL(endpoint).origin)
    .setExpirationTime(nowS + TOKEN_LIFE_S)
    .sign(privateKey)
  return `vapid t=${token}, k=${publicKey}`
}

async function read(ctx: Context): Promise<VapidKeys> {
  const { settings } = ctx.runtime
  const kept = await findFact(ctx, FACT)
  const opened = kept === undefined ? undefined : unseal(settings, PURPOSE, kept)
  if (opened !== undefined) return keysFrom(opened)
  // None yet, or sealed under a lost secret: browsers then subscribe again on their next visit.
  const sealed = seal(settings, PURPOSE, newKey())
  if (kept === undefined) await keepFact(ctx, FACT, sealed)
  else await replaceFact(ctx, FACT, kept, sealed)
  // Of two processes that do so at once one has won.
  return keysFrom(unseal(settings, PURPOSE, (await findFact(ctx, FACT))!)!)
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return JSON.stringify(privateKey.export({ format: 'jwk' }))
}

function keysFrom(text: string): VapidKeys {
  const key = JSON.parse(text) as { x: string; y: string }
  const point = [Buffer.from([4]), Buffer.from(key.x, 'base64url'), Buffer.from(key.y, 'base64url')]
  return {
    privateKey: createPrivateKey({ key, format: 'jwk' }),
    publicKey: Buffer.concat(point).toString('base64url'),
  }
}

/** Contact address for the operators of a push service. */
function contactOf(emailFrom: string): string {
  return `mailto:${/<([^<>]+)>\s*$/.exec(emailFrom)?.[1] ?? emailFrom}`
}
