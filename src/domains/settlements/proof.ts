import { PaymentFault } from './charge.ts'
import type { Parameters } from './challenge.ts'

/** A wallet that is deployed by its first signature sends its factory's call along: still far below this. */
export const PROOF_LENGTH_MAX = 8_000

export type Proof = {
  challenge: Parameters
  /** In lower case, as hashes and addresses are compared everywhere. */
  hash: string
  signature: string
  chainId: string
  payer: string
}

/** A credential of the Payment scheme, with or without its name before it. Whatever is not exactly one is refused. */
export function readProof(credential: string): Proof {
  const { challenge, payload, source, ...rest } = fieldsOf(decoded(credential), 'The credential')
  none(rest, 'the credential')
  const { type, hash, signature, ...others } = fieldsOf(payload, 'payload')
  none(others, 'payload')
  if (type !== 'hash') throw malformed('payload.type must be "hash"')
  const [, chainId, payer] = /^did:pkh:eip155:([1-9]\d{0,15}):(0x[0-9a-fA-F]{40})$/.exec(text(source)) ?? []
  if (!chainId || !payer) throw malformed('source must be like did:pkh:eip155:8453:0x…, the wallet that paid')
  if (!/^0x[0-9a-fA-F]{64}$/.test(text(hash)))
    throw malformed('payload.hash must be 0x followed by 64 hex digits')
  if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(text(signature)))
    throw malformed('payload.signature must be 0x followed by hex bytes')
  return {
    challenge: parametersOf(challenge),
    hash: text(hash).toLowerCase(),
    signature: text(signature).toLowerCase(),
    chainId,
    payer: payer.toLowerCase(),
  }
}

function decoded(credential: string): unknown {
  if (credential.length > PROOF_LENGTH_MAX) throw malformed(`It has more than ${PROOF_LENGTH_MAX} characters`)
  const [, encoded] = /^(?:payment +)?([A-Za-z0-9_-]+={0,2})$/i.exec(credential.trim()) ?? []
  if (encoded === undefined) throw malformed('It must be base64url')
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString())
  } catch {
    throw malformed('It must be JSON in base64url')
  }
}

const NAMES = ['id', 'realm', 'method', 'intent', 'request', 'expires', 'opaque'] as const

function parametersOf(value: unknown): Parameters {
  const fields = fieldsOf(value, 'challenge')
  const unknown = Object.keys(fields).find(name => !(NAMES as readonly string[]).includes(name))
  if (unknown !== undefined) throw malformed(`challenge.${unknown} is not part of a challenge`)
  const absent = NAMES.find(name => typeof fields[name] !== 'string')
  if (absent !== undefined) throw malformed(`challenge.${absent} must match the issued challenge`)
  return fields as Parameters
}

function fieldsOf(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw malformed(`${what} must be an object`)
}

function none(rest: Record<string, unknown>, where: string): void {
  const [name] = Object.keys(rest)
  if (name !== undefined) throw malformed(`${name} does not belong in ${where}`)
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function malformed(reason: string): PaymentFault {
  return new PaymentFault('malformed_proof', `The proof cannot be read. ${reason}.`)
}
