import type { Context } from '#platform/context.ts'
import { RETRY_MS } from './refresh.ts'
import { deleteUnusedClients } from './store.ts'
import { deleteExpired } from './token-store.ts'

/** A used code is remembered for a day: whoever replays it late still ends what came of it. */
const CODES_KEPT_MS = 86_400_000
const UNUSED_CLIENTS_KEPT_MS = 30 * 86_400_000

/** What has run out, and clients that came by themselves and that nobody ever allowed anything. */
export async function tidyOauth(ctx: Context): Promise<number> {
  const expired = await deleteExpired(ctx, {
    codesBefore: ctx.in(-CODES_KEPT_MS),
    successorsBefore: ctx.in(-RETRY_MS),
  })
  return expired + (await deleteUnusedClients(ctx, ctx.in(-UNUSED_CLIENTS_KEPT_MS)))
}
