import type { Context } from '#platform/context.ts'
import { isId, newSecret } from '#platform/ids.ts'
import * as store from './address-store.ts'

/** 256 random bits: who has the link was sent it. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** From now on the invoice has a page of its own. */
export function giveAddress(ctx: Context, invoice_id: string, number: string): string {
  const token = newSecret()
  store.insertAddress(ctx, { invoice_id, team_id: ctx.team_id, number, token })
  return token
}

export async function findAddress(ctx: Context, token: string): Promise<store.Address | undefined> {
  return TOKEN.test(token) ? store.findByToken(ctx, token) : undefined
}

/** Whose invoice this is, by its id or its number; nobody's where two teams have the same number. */
export async function findTeamOfInvoice(ctx: Context, named: string): Promise<string | undefined> {
  if (isId(named)) return (await store.findById(ctx, named))?.team_id
  const found = await store.findByNumber(ctx, named)
  return found.length === 1 ? found[0]!.team_id : undefined
}

/** Where it is paid. */
export async function payUrlsOf(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const tokens = await store.findTokens(ctx, ids)
  return new Map([...tokens].map(([id, token]) => [id, payUrl(ctx, token)]))
}

function payUrl(ctx: Context, token: string): string {
  return `${ctx.runtime.settings.baseUrl}/i/${token}`
}
