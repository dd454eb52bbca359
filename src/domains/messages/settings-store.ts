import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import type { OutreachSettings } from './contract.ts'

/** What a team keeps of its own; the rest of the settings is the operator's. */
export type SettingsRow = Omit<OutreachSettings, 'from' | 'mail' | 'sms' | 'whatsapp' | 'replies' | 'writer'>

const columns = [
  'from_name',
  'reply_to',
  'signature',
  'postal_address',
  'meeting_url',
  'sms_quiet_from',
  'sms_quiet_until',
  'paused_at',
  'updated_at',
] as const satisfies (keyof SettingsRow)[]

export async function findSettings(ctx: Context): Promise<SettingsRow | undefined> {
  return ctx.first(db.selectFrom('outreach_settings').select(columns).where('team_id', '=', ctx.team_id))
}

/** Made where there is none yet, so that there is something to lock: the first two changes wait for each other too. */
export async function lockSettings(ctx: Context, initial: SettingsRow): Promise<SettingsRow> {
  ctx.later(
    db
      .insertInto('outreach_settings')
      .values({ team_id: ctx.team_id, ...initial })
      .onConflict(conflict => conflict.column('team_id').doNothing()),
  )
  const row = await ctx.first(
    db.selectFrom('outreach_settings').select(columns).where('team_id', '=', ctx.team_id).forUpdate(),
  )
  return row!
}

export function saveSettings(ctx: Context, changes: Partial<SettingsRow>): void {
  ctx.later(db.updateTable('outreach_settings').set(changes).where('team_id', '=', ctx.team_id))
}

/** From the table, whatever anybody remembers: nothing goes out after the button was pressed. */
export async function findPaused(ctx: Context): Promise<boolean> {
  const paused = async (locked: boolean) => {
    const row = await ctx.first(
      raw<{ paused_at: string | null }>(sql`select paused_at from outreach_settings
        where team_id = ${ctx.team_id} ${locked ? sql`for share` : sql``}`),
    )
    return Boolean(row?.paused_at)
  }
  // Who releases the button waits for those who are about to say that they wait, and then wakes them all.
  return (await paused(false)) && paused(true)
}

const db = tables<{ outreach_settings: SettingsRow & { team_id: string } }>()
