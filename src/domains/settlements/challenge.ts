import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { ChainTerms } from '#platform/ports/chain.ts'
import { keysFor } from '#platform/seal.ts'
import type { Settings } from '#platform/settings.ts'
import { unitsOf } from './amount.ts'
import { PaymentFault, type Challenge, type Charge } from './charge.ts'

export const CHALLENGE_LIFE_MS = 15 * 60_000

export const METHOD = 'evm'
export const INTENT = 'charge'
const PURPOSE = 'payment challenge'

/** The scheme's parameters as in the header; they come back in a credential. */
export type Parameters = {
  id: string
  realm: string
  method: string
  intent: string
  request: string
  expires: string
  opaque: string
}

/** What a challenge of ours asked for. */
export type Asked = {
  id: string
  realm: string
  purpose: string
  subject_id: string
  chainId: string
  token: string
  recipient: string
  /** As in the body of the 402, and in the token's smallest unit. */
  amount: string
  units: bigint
  issuedAt: number
  expiresAt: number
}

/** It contains everything it promises, and its id is an HMAC over that: nothing is stored. */
export function makeChallenge(settings: Settings, terms: ChainTerms, charge: Charge, now: number): Challenge {
  const { recipient, network, token, decimals } = terms
  const { amount, purpose, subject_id } = charge
  const units = unitsOf(amount, decimals)
  if (!units) throw new PaymentFault('chain_not_configured', `${amount} cannot be paid with this token.`)
  const realm = realmOf(settings.baseUrl)
  const expires = new Date(now + CHALLENGE_LIFE_MS).toISOString()
  const request = encoded({
    amount: units.toString(),
    currency: addressOf(token),
    methodDetails: { chainId: Number(chainIdOf(network)), decimals },
    recipient,
  })
  const opaque = encoded({ amount, purpose, subject: subject_id })
  const rest = { realm, method: METHOD, intent: INTENT, request, expires, opaque }
  const id = idOf(signingKeys(settings)[0]!, rest)
  return {
    body: { recipient, amount, network, token },
    header: `Payment id="${id}", realm="${realm}", method="${METHOD}", intent="${INTENT}", request="${request}", expires="${expires}", opaque="${opaque}"`,
    id,
    realm,
    expires,
  }
}

/** What it asked for, if it is one of ours and as we made it. */
export function openChallenge(settings: Settings, parameters: Parameters): Asked | undefined {
  const id = Buffer.from(parameters.id)
  const isOurs = signingKeys(settings).some(key => {
    const own = Buffer.from(idOf(key, parameters))
    return own.length === id.length && timingSafeEqual(own, id)
  })
  // Below this line every word is our own.
  if (!isOurs) return undefined
  const request = decoded<Request>(parameters.request)
  const { amount, purpose, subject } = decoded<Opaque>(parameters.opaque)
  const expiresAt = Date.parse(parameters.expires)
  return {
    id: parameters.id,
    realm: parameters.realm,
    purpose,
    subject_id: subject,
    chainId: String(request.methodDetails.chainId),
    token: request.currency,
    recipient: request.recipient,
    amount,
    units: BigInt(request.amount),
    issuedAt: expiresAt - CHALLENGE_LIFE_MS,
    expiresAt,
  }
}

/** eip155:8453 → 8453. */
export function chainIdOf(network: string): string {
  return network.slice(network.lastIndexOf(':') + 1)
}

/** eip155:8453/erc20:0x… → 0x…. */
export function addressOf(token: string): string {
  return token.slice(token.lastIndexOf(':') + 1)
}

type Request = {
  amount: string
  currency: string
  recipient: string
  methodDetails: { chainId: number; decimals: number }
}
type Opaque = { amount: string; purpose: string; subject: string }

/** The names are written in the order of the alphabet: that is canonical JSON (RFC 8785), which clients make of it again. */
function encoded(value: Request | Opaque): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decoded<Value>(text: string): Value {
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as Value
}

/** Made once: from bytes, a key costs more each time than all the rest of a challenge. */
const keys = new WeakMap<Settings, KeyObject[]>()

function signingKeys(settings: Settings): KeyObject[] {
  let known = keys.get(settings)
  if (!known) keys.set(settings, (known = keysFor(settings, PURPOSE).map(key => createSecretKey(key))))
  return known
}

/** The seven places of the draft, in its order; ours has no digest of a body. */
function idOf(key: KeyObject, { realm, method, intent, request, expires, opaque }: Omit<Parameters, 'id'>) {
  return createHmac('sha256', key)
    .update([realm, method, intent, request, expires, '', opaque].join('|'))
    .digest('base64url')
}

function realmOf(baseUrl: string): string {
  return baseUrl.slice(baseUrl.indexOf('//') + 2)
}
