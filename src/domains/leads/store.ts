import { sql, type Generated } from 'kysely'
import type { Context } from '#platform/context.ts'
import { inserter } from '#platform/database/insert.ts'
import { tables } from '#platform/database/tables.ts'
import type { Lead, LeadSettings } from './contract.ts'

type LeadRow = Lead & {
  team_id: string
  last_name_key: Generated<string>
  company_key: Generated<string>
  email_key: Generated<string>
  activity_key: Generated<string>
}
type SettingsRow = LeadSettings & { team_id: string }

export const db = tables<{ leads: LeadRow; lead_settings: SettingsRow }>()

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

const insertLeads = inserter<Lead & { team_id: string }>('leads', ['team_id', ...leadColumns])

export function insertLead(ctx: Context, lead: Lead): void {
  ctx.later(insertLeads([{ team_id: ctx.team_id, ...forWriting(lead) }]))
}

/** Rows that are about to be changed, locked in the order of their ids so that two bulk changes cannot deadlock. */
export async function lockLeads(ctx: Context, ids: readonly string[]): Promise<Lead[]> {
  return ctx.all(
    db
      .selectFrom('leads')
      .select(leadColumns)
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', sql<string>`any(${ids}::text[])`)
      .orderBy('id')
      .forUpdate(),
  )
}

export async function findLead(ctx: Context, id: string): Promise<Lead | undefined> {
  return ctx.first(
    db.selectFrom('leads').select(leadColumns).where('team_id', '=', ctx.team_id).where('id', '=', id),
  )
}

export function updateLead(ctx: Context, id: string, fields: Partial<Lead>): void {
  ctx.later(
    db.updateTable('leads').set(forWriting(fields)).where('team_id', '=', ctx.team_id).where('id', '=', id),
  )
}

/** Something happened with the lead: it moves up in "last activity", and is otherwise the same version. */
export function touchLead(ctx: Context, id: string, at: string): void {
  ctx.later(
    db
      .updateTable('leads')
      .set({ last_activity_at: sql`greatest(last_activity_at, ${at}::timestamptz)` })
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id),
  )
}

export async function purgeTrash(ctx: Context, before: string): Promise<number> {
  return ctx.run(db.deleteFrom('leads').where('team_id', '=', ctx.team_id).where('deleted_at', '<', before))
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

export async function countInStages(ctx: Context, stages: readonly string[]) {
  return ctx.all(
    db
      .selectFrom('leads')
      .select(['pipeline_stage', sql<number>`count(*)`.as('count')])
      .where('team_id', '=', ctx.team_id)
      .where('deleted_at', 'is', null)
      .where('pipeline_stage', '=', sql<string>`any(${stages}::text[])`)
      .groupBy('pipeline_stage'),
  )
}

function forWriting<Fields extends Partial<Lead>>(fields: Fields): Fields {
  const row = { ...fields }
  if (row.utm) row.utm = asJson(row.utm)
  if (row.custom) row.custom = asJson(row.custom)
  return row
}

function asJson<Value>(value: Value): Value {
  return JSON.stringify(value) as Value
}
