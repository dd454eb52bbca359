import { hashOf } from '#platform/bearer.ts'
import type { Context } from '#platform/context.ts'
import { isId } from '#platform/ids.ts'
import * as store from './address-store.ts'
import { invoiceOfPayToken, payToken } from './pay-token.ts'
import { newPaymentReference, readPaymentReference } from './payment-reference.ts'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Registers the invoice's public page and its payment reference. */
export function giveAddress(ctx: Context, invoice_id: string, number: string): void {
  const token_hash = hashOf(payToken(ctx.runtime.settings, invoice_id))
  const reference = newPaymentReference()
  store.insertAddress(ctx, { invoice_id, team_id: ctx.team_id, number, token_hash, reference })
}

/** An issued link is recognized by its hash, even if the secret has changed since; a newer one by our key. */
export async function findAddress(ctx: Context, token: string): Promise<store.Address | undefined> {
  if (!TOKEN.test(token)) return undefined
  const given = await store.findByTokenHash(ctx, hashOf(token))
  if (given) return given
  const invoice_id = invoiceOfPayToken(ctx.runtime.settings, token)
  return invoice_id === undefined ? undefined : store.findById(ctx, invoice_id)
}

/** The team of an invoice, by its ID, reference or number; none if two teams have the same number. */
export async function findTeamOfInvoice(ctx: Context, named: string): Promise<string | undefined> {
  if (isId(named)) return (await store.findById(ctx, named))?.team_id
  const reference = readPaymentReference(named)
  const referenced = reference && (await store.findByReference(ctx, reference))
  if (referenced) return referenced.team_id
  const found = await store.findByNumber(ctx, named)
  return found.length === 1 ? found[0]!.team_id : undefined
}

/** The team's invoice with this reference. */
export async function findReferenced(ctx: Context, named: string): Promise<string | undefined> {
  const reference = readPaymentReference(named)
  const found = reference && (await store.findByReference(ctx, reference))
  return found && found.team_id === ctx.team_id ? found.invoice_id : undefined
}

/** Payment page URL and payment reference of each invoice. */
export async function payAddressesOf(ctx: Context, ids: readonly string[]) {
  const addresses = await store.findAddresses(ctx, ids)
  const { settings } = ctx.runtime
  return (id: string) => {
    const address = addresses.get(id)
    return {
      pay_url: address ? `${settings.baseUrl}/i/${payToken(settings, id)}` : null,
      payment_reference: address?.reference ?? null,
    }
  }
}
