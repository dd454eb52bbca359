import { systemActor, type Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { nextVersion } from '#platform/version.ts'
import { getTeam } from '#domains/identity/teams.ts'
import { creditEvents } from './contract.ts'
import {
  beginningOf,
  nextPeriod,
  periodAt,
  periodDue,
  renewal,
  resetDayOf,
  trialEnd,
  type Booking,
} from './model.ts'
import * as store from './store.ts'
import type { AccountRow } from './store.ts'
import type { Purse } from './values.ts'

export const TRIAL_ENDS_JOB = 'credits.trial_ends'

/** The current account: created if the team has none yet, renewed if it is due. */
export async function currentAccount(ctx: Context): Promise<AccountRow> {
  const account = await store.findAccount(ctx)
  if (account && !isDue(ctx, account)) return account
  return ctx.transaction(async ctx => (await lockCurrent(ctx)).account)
}

/** The same, and nobody else books until the transaction ends. */
export async function lockCurrent(ctx: Context): Promise<{ account: AccountRow; renewed: boolean }> {
  const account = (await store.lockAccount(ctx)) ?? (await make(ctx))
  return renew(ctx.as(systemActor), account)
}

/** The team's plan, without creating anything: for callers that only read. */
export async function findPlan(ctx: Context): Promise<Pick<AccountRow, 'plan' | 'trial_ends_at'>> {
  return (await store.findAccount(ctx)) ?? planOfNew(ctx, (await getTeam(ctx)).created_at)
}

export function quotaOf(ctx: Context, { monthly_quota }: AccountRow): number {
  return monthly_quota ?? ctx.runtime.settings.creditsMonthly
}

type What = { reference: string; note: string | null }

/** Adds to the ledger of an account that is locked, and to what the account holds. A booking may be of a thing of its own. */
export function book(
  ctx: Context,
  account: AccountRow,
  bookings: readonly (Booking & Partial<What>)[],
  what: What,
  changes: Partial<AccountRow> = {},
): AccountRow {
  const held: Record<Purse, number> = { monthly: account.monthly, purchased: account.purchased }
  const entries = bookings.map(({ kind, purse, amount, reference, note }, at) => {
    held[purse] += amount
    return {
      team_id: ctx.team_id,
      place: account.entries + at + 1,
      id: ctx.newId(),
      kind,
      purse,
      amount,
      balance: held.monthly + held.purchased,
      reference: reference ?? what.reference,
      note: note ?? what.note,
      actor_kind: ctx.actor.kind,
      actor_id: ctx.actor.id,
      created_at: ctx.now(),
    }
  })
  const written = {
    ...held,
    ...changes,
    entries: account.entries + entries.length,
    updated_at: nextVersion(account.updated_at, ctx.now()),
  }
  store.saveAccount(ctx, written)
  if (entries.length > 0) {
    store.insertEntries(ctx, entries)
    // The first credits are there from the beginning: nobody waits to hear of them.
    const data = { balance: held.monthly + held.purchased }
    if (account.entries > 0) record(ctx, creditEvents.changed, { kind: 'credits', id: ctx.team_id }, data)
  }
  return { ...account, ...written }
}

export function waitForTrialEnd(ctx: Context, trial_ends_at: string): void {
  enqueue(ctx, { kind: TRIAL_ENDS_JOB, run_at: trial_ends_at })
}

function isDue(ctx: Context, { period, reset_day }: AccountRow): boolean {
  return periodDue(period, ctx.now(), reset_day) !== undefined
}

/** Of several who come at once, one makes it and the others find it. A trial begins with the team, not with its first use. */
async function make(ctx: Context): Promise<AccountRow> {
  const { created_at } = await getTeam(ctx)
  const { plan, trial_ends_at } = planOfNew(ctx, created_at)
  const reset_day = resetDayOf(created_at)
  const isNew = await store.addAccount(ctx, {
    team_id: ctx.team_id,
    monthly: 0,
    purchased: 0,
    used: 0,
    monthly_quota: null,
    reset_day,
    period: null,
    resets_at: beginningOf(nextPeriod(periodAt(ctx.now(), reset_day), reset_day)),
    plan,
    trial_ends_at,
    entries: 0,
    updated_at: ctx.now(),
  })
  if (isNew && trial_ends_at !== null) waitForTrialEnd(ctx, trial_ends_at)
  return (await store.lockAccount(ctx))!
}

function planOfNew(ctx: Context, created_at: string): Pick<AccountRow, 'plan' | 'trial_ends_at'> {
  const { trialDays } = ctx.runtime.settings
  if (trialDays === undefined) return { plan: 'ACTIVE', trial_ends_at: null }
  return { plan: 'TRIAL', trial_ends_at: trialEnd(created_at, trialDays) }
}

/** Once for each period, however often it is called, and wherever the clock has been meanwhile. */
async function renew(ctx: Context, account: AccountRow): Promise<{ account: AccountRow; renewed: boolean }> {
  const { period: granted, reset_day } = account
  const period = periodDue(granted, ctx.now(), reset_day)
  if (period === undefined) return { account, renewed: false }
  const changes = { period, resets_at: beginningOf(nextPeriod(period, reset_day)) }
  const latest = granted === null ? undefined : await store.findLatestGrant(ctx, period)
  // The clock was set back to before there was an account: there is nothing to renew.
  if (granted !== null && period < granted && latest === undefined) return { account, renewed: false }
  const what = { reference: period, note: null }
  // The clock has been here before: what belongs to this period was granted then.
  if (latest === period) return { account: book(ctx, account, [], what, changes), renewed: false }
  const bookings = renewal(account.monthly, quotaOf(ctx, account))
  return { account: book(ctx, account, bookings, what, { ...changes, used: 0 }), renewed: true }
}
