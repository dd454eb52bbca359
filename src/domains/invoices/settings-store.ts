import type { Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'
import type { BillingSettings } from './contract.ts'

const columns = [
  'seller',
  'bank',
  'currency',
  'tax_percent',
  'number_prefix',
  'next_number',
  'due_days',
  'reminder_days',
  'note',
  'updated_at',
] as const satisfies (keyof BillingSettings)[]

export async function findSettings(ctx: Context): Promise<BillingSettings | undefined> {
  return ctx.first(db.selectFrom('billing_settings').select(columns).where('team_id', '=', ctx.team_id))
}

export async function lockSettings(ctx: Context): Promise<BillingSettings | undefined> {
  return ctx.first(
    db.selectFrom('billing_settings').select(columns).where('team_id', '=', ctx.team_id).forUpdate(),
  )
}

/** Of several who come first at once, one makes them and the others wait for it. */
export function addSettings(ctx: Context, initial: BillingSettings): void {
  ctx.later(
    db
      .insertInto('billing_settings')
      .values({ ...(written(initial) as BillingSettings), team_id: ctx.team_id })
      .onConflict(conflict => conflict.column('team_id').doNothing()),
  )
}

export function saveSettings(ctx: Context, changes: Partial<BillingSettings>): void {
  ctx.later(db.updateTable('billing_settings').set(written(changes)).where('team_id', '=', ctx.team_id))
}

/** JSON is written as text. */
function written(settings: Partial<BillingSettings>): Partial<BillingSettings> {
  const { seller, bank, reminder_days, ...rest } = settings
  return {
    ...rest,
    ...(bank !== undefined && { bank: bank && (JSON.stringify(bank) as never) }),
    ...(seller && { seller: JSON.stringify(seller) as never }),
    ...(reminder_days && { reminder_days: JSON.stringify(reminder_days) as never }),
  }
}

const db = tables<{ billing_settings: BillingSettings & { team_id: string } }>()
