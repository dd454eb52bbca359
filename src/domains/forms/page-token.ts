import { randomBytes } from 'node:crypto'
import { seal, unseal } from '#platform/seal.ts'
import type { Runtime } from '#platform/context.ts'

/** Nobody reads and fills in a form faster than this. */
export const PAGE_MIN_MS = 2_000
/** A page that was open for longer is not sent by who opened it. */
export const PAGE_MAX_MS = 24 * 3_600_000

const PURPOSE = 'form page'
const TOKEN_LENGTH_MAX = 1_000

/** What a page carries so that we know it again: for which form, when, and which page of all. */
export function pageToken({ settings, clock }: Runtime, form_id: string): string {
  const key = randomBytes(12).toString('base64url')
  return seal(settings, PURPOSE, [form_id, clock.now(), key].join(' '))
}

export type PageSeen = { key: string; ageMs: number }

/** Undefined where it was not given out by us for this form. */
export function openToken(
  { settings, clock }: Runtime,
  form_id: string,
  token: string,
): PageSeen | undefined {
  if (token.length > TOKEN_LENGTH_MAX) return undefined
  const [form, at, key] = (unseal(settings, PURPOSE, token) ?? '').split(' ')
  return key && form === form_id ? { key, ageMs: clock.now() - Number(at) } : undefined
}
