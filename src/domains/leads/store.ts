import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import { keeper } from '#platform/records.ts'
import { leadChanged, leadRestored, leadTrashed, type Lead, type LeadSettings } from './contract.ts'
import { track, trackActivity } from './states.ts'

type SettingsRow = LeadSettings & { team_id: string }

const db = tables<{ lead_settings: SettingsRow }>()

export const leadColumns = [
  'id',
  'first_name',
  'last_name',
  'email',
  'phone',
  'company',
  'title',
  'website',
  'timezone',
  'owner_id',
  'account_id',
  'status',
  'call_status',
  'pipeline_stage',
  'source',
  'utm',
  'custom',
  'last_activity_at',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies (keyof Lead)[]

export const records = keeper<Lead>({
  noun: 'lead',
  table: 'leads',
  columns: leadColumns,
  json: ['utm', 'custom'],
  events: { changed: leadChanged, trashed: leadTrashed, restored: leadRestored },
  leadOf: lead => lead.id,
  tally: track,
})

/** Something happened with the lead: it moves up in "last activity", and is otherwise the same version. */
export function touchLead(ctx: Context, id: string, at: string): void {
  ctx.later(
    raw(sql`update leads set last_activity_at = greatest(last_activity_at, ${at}::timestamptz)
      where team_id = ${ctx.team_id} and id = ${id}`),
  )
  trackActivity(ctx, id)
}

export async function findSettings(ctx: Context): Promise<LeadSettings | undefined> {
  return ctx.first(
    db
      .selectFrom('lead_settings')
      .select(['pipeline_stages', 'custom_fields', 'updated_at'])
      .where('team_id', '=', ctx.team_id),
  )
}

export async function lockSettings(ctx: Context): Promise<void> {
  await ctx.all(
    db.selectFrom('lead_settings').select('updated_at').where('team_id', '=', ctx.team_id).forUpdate(),
  )
}

export function saveSettings(ctx: Context, settings: LeadSettings): void {
  const row = {
    pipeline_stages: asJson(settings.pipeline_stages),
    custom_fields: asJson(settings.custom_fields),
    updated_at: settings.updated_at,
  }
  ctx.later(
    db
      .insertInto('lead_settings')
      .values({ team_id: ctx.team_id, ...row })
      .onConflict(conflict => conflict.column('team_id').doUpdateSet(row)),
  )
}

function asJson<Value>(value: Value): Value {
  return JSON.stringify(value) as Value
}

/** Searched in every team: the caller does not know whose it is. */
export async function findTeamOfLead(ctx: Context, id: string): Promise<string | undefined> {
  const row = await ctx.first(raw<{ team_id: string | null }>(sql`select team_of_lead(${id}) as team_id`))
  return row?.team_id ?? undefined
}

/** Those alive who have this address, in lower case, or this number. */
export async function findLeadIdsByAddress(
  ctx: Context,
  channel: 'email' | 'phone',
  address: string,
): Promise<string[]> {
  const column = channel === 'email' ? sql`email_key` : sql`phone`
  const rows = await ctx.all(
    raw<{ id: string }>(sql`select id from leads where team_id = ${ctx.team_id} and ${column} = ${address}
      and deleted_at is null`),
  )
  return rows.map(({ id }) => id)
}

/** Which of these another lead has as well, in the trash or out of it. */
export async function findShared(
  ctx: Context,
  id: string,
  { email, phone, name }: { email: string | null; phone: string | null; name: string | null },
) {
  const row = await ctx.first(
    raw<{ email: boolean; phone: boolean; name: boolean }>(sql`select
        coalesce(bool_or(lower(email) = lower(${email}::text)), false) as email,
        coalesce(bool_or(phone = ${phone}::text), false) as phone,
        coalesce(bool_or(lower(first_name || ' ' || last_name) = lower(${name}::text)), false) as name
      from leads where team_id = ${ctx.team_id} and id <> ${id}
        and (lower(email) = lower(${email}::text) or phone = ${phone}::text
          or lower(first_name || ' ' || last_name) = lower(${name}::text))`),
  )
  return row!
}

/** Of these, those that are alive. */
export async function findLiving(ctx: Context, ids: readonly string[]): Promise<string[]> {
  const rows = await ctx.all(
    raw<{ id: string }>(sql`select id from leads where team_id = ${ctx.team_id} and id = any(${ids}::text[])
      and deleted_at is null`),
  )
  return rows.map(({ id }) => id)
}

/** Where they are, and nothing else of them: for work that goes through many. */
export async function findTimezones(ctx: Context, ids: readonly string[]) {
  return ctx.all(
    raw<Pick<Lead, 'id' | 'timezone'>>(sql`select id, timezone from leads
      where team_id = ${ctx.team_id} and id = any(${ids}::text[])`),
  )
}
