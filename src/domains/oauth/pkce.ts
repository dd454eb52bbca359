import { createHash, timingSafeEqual } from 'node:crypto'

/** RFC 7636: 43 to 128 characters of this small alphabet. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

export function isVerifier(text: string): boolean {
  return VERIFIER.test(text)
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

export function fits(verifier: string, challenge: string): boolean {
  const made = Buffer.from(challengeOf(verifier))
  const given = Buffer.from(challenge)
  return made.length === given.length && timingSafeEqual(made, given)
}
