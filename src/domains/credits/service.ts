import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { Problem } from '#platform/problem.ts'
import { book, currentAccount, lockCurrent, quotaOf } from './account.ts'
import type { CreditEntry, Credits, ListEntries } from './contract.ts'
import { givenBack, planAt, takenBy, type Booking } from './model.ts'
import { trialExpired } from './plan.ts'
import * as store from './store.ts'
import { CREDITS_MAX } from './values.ts'

const ENTRIES_SHOWN = 20

/** What something costs or brings: `reference` names it, and the same thing is booked once. */
export type Booked = { amount: number; reference: string; note: string | null }

/** Books credits that were bought, in the caller's transaction. False: that reference was booked before. */
export async function grantPurchase(ctx: Context, purchase: Booked): Promise<boolean> {
  return add(ctx, { kind: 'purchase', purse: 'purchased', amount: purchase.amount }, purchase)
}

/** Credits that somebody gives the team, like the operator. They last, as those that were bought do. */
export async function grantCredits(ctx: Context, grant: Booked): Promise<boolean> {
  return add(ctx, { kind: 'grant', purse: 'purchased', amount: grant.amount }, grant)
}

/**
 * Takes credits, those of the month first. A reference that was booked before costs nothing again, even if it was given
 * back since: another try has another reference. Where there are too few, nothing is taken: Problem `out_of_credits`.
 */
export async function useCredits(ctx: Context, use: Booked): Promise<void> {
  requireAmount(use.amount)
  await ctx.transaction(async ctx => {
    const { account } = await lockCurrent(ctx)
    if ((await store.findEntries(ctx, use.reference, ['use'])).length > 0) return
    if (planAt(account, ctx.now()) === 'EXPIRED') throw trialExpired()
    const bookings = takenBy(account, use.amount)
    if (!bookings) throw outOfCredits(use.amount, account)
    book(ctx, account, bookings, use, { used: account.used + use.amount })
  })
}

/**
 * The same for many new things that cost something each, told as one change: from the first on as many as there are credits
 * for. Answers for how many that is. Their references are not looked for: one that was booked before is refused by the ledger.
 */
export async function useCreditsForMany(ctx: Context, uses: readonly Booked[]): Promise<number> {
  for (const { amount } of uses) requireAmount(amount)
  return ctx.transaction(async ctx => {
    const { account } = await lockCurrent(ctx)
    if (planAt(account, ctx.now()) === 'EXPIRED') throw trialExpired()
    const purses = { monthly: account.monthly, purchased: account.purchased }
    const bookings: (Booking & Omit<Booked, 'amount'>)[] = []
    let [paid, used] = [0, account.used]
    for (const { amount, reference, note } of uses) {
      const taken = takenBy(purses, amount)
      if (!taken) break
      for (const booking of taken) {
        purses[booking.purse] += booking.amount
        bookings.push({ ...booking, reference, note })
      }
      used += amount
      paid++
    }
    if (paid > 0) book(ctx, account, bookings, uses[0]!, { used })
    return paid
  })
}

/** Gives back what a use took, once. False: there is nothing to give back, or it was given back before. */
export async function refundCredits(
  ctx: Context,
  refund: { reference: string; note: string | null },
): Promise<boolean> {
  return ctx.transaction(async ctx => {
    const { account } = await lockCurrent(ctx)
    const before = await store.findEntries(ctx, refund.reference, ['use', 'refund'])
    if (before.some(({ kind }) => kind === 'refund')) return false
    const bookings = givenBack(before, account.period!)
    if (bookings.length === 0) return false
    const amount = bookings.reduce((sum, booking) => sum + booking.amount, 0)
    book(ctx, account, bookings, refund, { used: Math.max(0, account.used - amount) })
    return true
  })
}

export async function readCredits(ctx: Context): Promise<Credits> {
  const account = await currentAccount(ctx)
  const { monthly, purchased, resets_at, trial_ends_at, used } = account
  const entries = await store.listEntries(ctx, { limit: ENTRIES_SHOWN })
  return {
    balance: monthly + purchased,
    monthly,
    purchased,
    monthly_quota: quotaOf(ctx, account),
    resets_at,
    plan: planAt(account, ctx.now()),
    trial_ends_at,
    used_this_period: used,
    entries: entries.map(shown),
  }
}

export async function listEntries(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor, ...filters }: ListEntries,
): Promise<{ data: CreditEntry[]; next_cursor: string | null }> {
  const after_id = cursor === undefined ? {} : { after_id: decodeInstantCursor(cursor)[1] }
  await currentAccount(ctx)
  const rows = await store.listEntries(ctx, { ...filters, ...after_id, limit: limit + 1 })
  const { data, next_cursor } = pageOf(rows, limit)
  return { data: data.map(shown), next_cursor }
}

async function add(ctx: Context, booking: Booking, booked: Booked): Promise<boolean> {
  requireAmount(booking.amount)
  return ctx.transaction(async ctx => {
    const { account } = await lockCurrent(ctx)
    if ((await store.findEntries(ctx, booked.reference, [booking.kind])).length > 0) return false
    book(ctx, account, [booking], booked)
    return true
  })
}

function requireAmount(amount: number): void {
  if (Number.isInteger(amount) && amount > 0 && amount <= CREDITS_MAX) return
  throw new Error(`${amount} is not a valid number of credits`)
}

function outOfCredits(wanted: number, { monthly, purchased, resets_at }: store.AccountRow): Problem {
  const has = monthly + purchased
  const lack = `This costs ${counted(wanted)}, but the team has ${has === 0 ? 'none' : has} left.`
  const more = `Monthly credits renew on ${resets_at.slice(0, 10)}. To get more sooner, buy credits or contact the administrator of this installation.`
  return new Problem('payment_required', `${lack} ${more}`, { code: 'out_of_credits' })
}

function counted(credits: number): string {
  return credits === 1 ? '1 credit' : `${credits} credits`
}

function shown(row: store.EntryRow): CreditEntry {
  const { id, kind, purse, amount, balance, reference, note, actor_kind, actor_id, created_at } = row
  const actor = { kind: actor_kind, id: actor_id }
  return { id, kind, purse, amount, balance, reference, note, actor, created_at }
}
