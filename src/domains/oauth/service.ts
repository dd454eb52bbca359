import type { Context } from '#platform/context.ts'
import { RETRY_MS } from './refresh.ts'
import { deleteUnusedClients } from './store.ts'
import { deleteExpired } from './token-store.ts'

/** A used code is kept for a day: a late replay still revokes its tokens. */
const CODES_KEPT_MS = 86_400_000
const UNUSED_CLIENTS_KEPT_MS = 30 * 86_400_000

/** Expired rows, and self-registered clients that no one ever authorized. */
export async function tidyOauth(ctx: Context): Promise<number> {
  const expired = await deleteExpired(ctx, {
    codesBefore: ctx.in(-CODES_KEPT_MS),
    successorsBefore: ctx.in(-RETRY_MS),
  })
  return expired + (await deleteUnusedClients(ctx, ctx.in(-UNUSED_CLIENTS_KEPT_MS)))
}
