import { hashOf } from '#platform/bearer.ts'
import type { Context } from '#platform/context.ts'
import { isId } from '#platform/ids.ts'
import * as store from './address-store.ts'
import { invoiceOfPayToken, payToken } from './pay-token.ts'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** From now on the invoice has a page of its own. */
export function giveAddress(ctx: Context, invoice_id: string, number: string): string {
  const token = payToken(ctx.runtime.settings, invoice_id)
  store.insertAddress(ctx, { invoice_id, team_id: ctx.team_id, number, token_hash: hashOf(token) })
  return token
}

/** A link that was given out is known by its hash, also when the secret has changed since; a newer one by our key. */
export async function findAddress(ctx: Context, token: string): Promise<store.Address | undefined> {
  if (!TOKEN.test(token)) return undefined
  const given = await store.findByTokenHash(ctx, hashOf(token))
  if (given) return given
  const invoice_id = invoiceOfPayToken(ctx.runtime.settings, token)
  return invoice_id === undefined ? undefined : store.findById(ctx, invoice_id)
}

/** Whose invoice this is, by its id or its number; nobody's where two teams have the same number. */
export async function findTeamOfInvoice(ctx: Context, named: string): Promise<string | undefined> {
  if (isId(named)) return (await store.findById(ctx, named))?.team_id
  const found = await store.findByNumber(ctx, named)
  return found.length === 1 ? found[0]!.team_id : undefined
}

/** Where it is paid. */
export async function payUrlsOf(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const { settings } = ctx.runtime
  const addressed = await store.findAddressed(ctx, ids)
  return new Map(addressed.map(id => [id, `${settings.baseUrl}/i/${payToken(settings, id)}`]))
}
