import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { difference } from '#platform/records.ts'
import { nextVersion, unchangedSince } from '#platform/version.ts'
import { getTeamName } from '#domains/identity/teams.ts'
import { DEFAULT_CURRENCY } from '#domains/opportunities/values.ts'
import { tidyBank } from './bank-details.ts'
import { billingSettingsChanged, type BillingSettings, type BillingSettingsChange } from './contract.ts'
import { addSettings, findSettings, lockSettings, saveSettings } from './settings-store.ts'
import {
  DEFAULT_DUE_DAYS,
  DEFAULT_NUMBER_PREFIX,
  DEFAULT_REMINDER_DAYS,
  DEFAULT_TAX_PERCENT,
  NUMBER_DIGITS_MIN,
  NUMBER_MAX,
} from './values.ts'

export async function getSettings(ctx: Context): Promise<BillingSettings> {
  return (await findSettings(ctx)) ?? initial(ctx)
}

export async function changeSettings(
  ctx: Context,
  { reminder_days, bank, ...change }: BillingSettingsChange,
  ifMatch?: string,
): Promise<BillingSettings> {
  const details = bank && tidyBank(bank)
  return ctx.transaction(async ctx => {
    const before = unchangedSince(await locked(ctx), ifMatch)
    // A number that was given is somebody's: nobody else gets it.
    if (change.next_number !== undefined && change.next_number < before.next_number)
      throw invalid([{ path: 'next_number', message: `can only go up: it is ${before.next_number}` }])
    const days = reminder_days && [...new Set(reminder_days)].toSorted((a, b) => a - b)
    const changes = difference(before, {
      ...change,
      ...(days && { reminder_days: days }),
      ...(bank !== undefined && { bank: details }),
    })
    if (!changes) return before
    const written = { ...changes.after, updated_at: nextVersion(before.updated_at, ctx.now()) }
    saveSettings(ctx, written)
    record(ctx, billingSettingsChanged, { kind: 'billing_settings', id: ctx.team_id }, changes)
    return { ...before, ...written }
  })
}

/**
 * Takes the next number and the billing settings. The next caller waits for the end of this transaction, and
 * if it fails the number is still free: there are no gaps. `isTaken` detects numbers used under another
 * prefix.
 */
export async function takeNumber(
  ctx: Context,
  isTaken: (number: string) => Promise<boolean>,
): Promise<BillingSettings & { number: string }> {
  const settings = await locked(ctx)
  for (let next = settings.next_number; next < NUMBER_MAX; next++) {
    const number = settings.number_prefix + String(next).padStart(NUMBER_DIGITS_MIN, '0')
    if (await isTaken(number)) continue
    saveSettings(ctx, { next_number: next + 1 })
    return { ...settings, number }
  }
  throw new Problem('conflict', 'No invoice numbers are left. Choose another prefix.', {
    code: 'numbers_used_up',
  })
}

/** Until the end of the transaction nobody else opens an invoice of the team. */
export async function locked(ctx: Context): Promise<BillingSettings> {
  const known = await lockSettings(ctx)
  if (known) return known
  addSettings(ctx, await initial(ctx))
  return (await lockSettings(ctx))!
}

async function initial(ctx: Context): Promise<BillingSettings> {
  return {
    seller: { name: await getTeamName(ctx, ctx.team_id), email: null, address: null, tax_id: null },
    bank: null,
    currency: DEFAULT_CURRENCY,
    tax_percent: DEFAULT_TAX_PERCENT,
    number_prefix: DEFAULT_NUMBER_PREFIX,
    next_number: 1,
    due_days: DEFAULT_DUE_DAYS,
    reminder_days: DEFAULT_REMINDER_DAYS,
    note: null,
    updated_at: new Date(0).toISOString(),
  }
}
