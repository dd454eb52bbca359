import { hash } from 'node:crypto'
import type { Context, Principal } from './context.ts'
import type { Statement } from './database/flush.ts'

/**
 * The caller of a credential, and a statement that raises by `refuse_caller()` once it is no longer valid.
 */
export type Found = { principal: Principal; guard: (now: string) => Statement }

/** A kind of `Authorization: Bearer …` a domain gives out, told from the others by its first characters. */
export type BearerKind = {
  prefix: string
  /** At this moment; undefined when it is unknown, revoked or has run out. */
  find(ctx: Context, token_hash: string): Promise<Found | undefined>
}

/** Secrets of 256 random bits are stored by a plain hash: there is nothing to guess, and so nothing to slow down. */
export function hashOf(secret: string): string {
  return hash('sha256', secret)
}
