import { createHash, randomBytes } from 'node:crypto'
import type { Runtime } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import { seal, unseal } from '#platform/seal.ts'

/** About a second of a phone's time: nothing to a person, much to who sends thousands. */
export const PROOF_BITS = 16
export const PROOF_LIFE_MS = 600_000
/** What a client says that is able to work. */
export const ABLE = 'able'

const PURPOSE = 'form proof'
const PROOF_LENGTH_MAX = 1_000

/** Asks for work. The challenge travels in headers that pages of other sites may read as well. */
export function proofRequired(runtime: Runtime, form_id: string): Problem {
  return new Problem('forbidden', 'This looks automated. Send it again with a proof of work.', {
    code: 'proof_required',
    headers: {
      'proof-challenge': challengeFor(runtime, form_id),
      'proof-bits': String(PROOF_BITS),
      'access-control-expose-headers': 'proof-challenge, proof-bits',
    },
  })
}

/** `<challenge>.<anything>`: a challenge of ours for this form, still fresh, and a hash that begins with enough zeros. */
export function isProof({ settings, clock }: Runtime, form_id: string, proof: unknown): boolean {
  if (typeof proof !== 'string' || proof.length > PROOF_LENGTH_MAX) return false
  const [challenge = ''] = proof.split('.', 1)
  const [form, at] = (unseal(settings, PURPOSE, challenge) ?? '').split(' ')
  const ageMs = clock.now() - Number(at)
  if (form !== form_id || !(ageMs >= 0 && ageMs <= PROOF_LIFE_MS)) return false
  return leadingZeroBits(createHash('sha256').update(proof).digest()) >= PROOF_BITS
}

export function leadingZeroBits(hash: Uint8Array): number {
  const at = hash.findIndex(byte => byte !== 0)
  return at < 0 ? hash.length * 8 : at * 8 + Math.clz32(hash[at]!) - 24
}

function challengeFor({ settings, clock }: Runtime, form_id: string): string {
  return seal(settings, PURPOSE, [form_id, clock.now(), randomBytes(6).toString('base64url')].join(' '))
}
