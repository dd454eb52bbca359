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

const kept = keeper<Lead>({
  noun: 'lead',
  table: 'leads',
  columns: leadColumns,
  json: ['utm', 'custom'],
  events: { changed: leadChanged, trashed: leadTrashed, restored: leadRestored },
  leadOf: lead => lead.id,
  tally: track,
})

/**
 * Leads as this transaction sees them. Activity that it has noted of leads it holds is in what it reads and in the next
 * change it writes; before anything else is done with leads, it is written.
 */
export const records = {
  ...kept,
  findAll: async (ctx: Context, ids: readonly string[]) => withActivity(ctx, await kept.findAll(ctx, ids)),
  lockAll: async (ctx: Context, ids: readonly string[]) => withActivity(ctx, await kept.lockAll(ctx, ids)),
  updateEach: writeEach,
  find: afterActivity(kept.find),
  get: afterActivity(kept.get),
  getForChange: afterActivity(kept.getForChange),
  update: afterActivity(kept.update),
  updateAll: afterActivity(kept.updateAll),
  change: afterActivity(kept.change),
  write: afterActivity(kept.write),
  trash: afterActivity(kept.trash),
  restore: afterActivity(kept.restore),
}

type Activity = Partial<Pick<Lead, 'status' | 'call_status' | 'last_activity_at' | 'updated_at'>>
/** Without fields: what was noted before has been written. */
type Noted = { id: string; fields: Activity | undefined }
const NOTED = {}

/**
 * Activity of leads that this transaction holds. It is written together with the next change of the lead or, without one,
 * with the commit: an update writes to all indexes of a lead, and a call that starts a workflow was two.
 */
export function noteActivity(ctx: Context, rows: readonly { id: string; fields: Activity }[]): void {
  const { items, isNew } = ctx.transactionOrThrow().gather<Noted>(NOTED)
  items.push(...rows)
  if (!isNew) return
  ctx.beforeCommit(() => {
    writeActivity(ctx)
    return []
  })
}

function writeActivity(ctx: Context): void {
  writeEach(
    ctx,
    [...activityIn(ctx).keys()].map(id => ({ id, fields: {} })),
  )
}

function writeEach(ctx: Context, rows: readonly { id: string; fields: Partial<Lead> }[]): void {
  const noted = activityIn(ctx)
  kept.updateEach(
    ctx,
    rows.map(({ id, fields }) => ({ id, fields: { ...noted.get(id), ...fields } })),
  )
  if (noted.size === 0) return
  const { items } = ctx.transactionOrThrow().gather<Noted>(NOTED)
  for (const { id } of rows) if (noted.has(id)) items.push({ id, fields: undefined })
}

/** A failed attempt takes back what it noted, and that it wrote something: so nothing is ever removed from the list. */
function activityIn(ctx: Context): Map<string, Activity> {
  const noted = new Map<string, Activity>()
  for (const { id, fields } of ctx.tx?.gatheredBy<Noted>(NOTED) ?? []) {
    if (fields) noted.set(id, { ...noted.get(id), ...fields })
    else noted.delete(id)
  }
  return noted
}

function withActivity(ctx: Context, leads: Lead[]): Lead[] {
  const noted = activityIn(ctx)
  return noted.size === 0 ? leads : leads.map(lead => ({ ...lead, ...noted.get(lead.id) }))
}

function afterActivity<Rest extends unknown[], Result>(work: (ctx: Context, ...rest: Rest) => Result) {
  return (ctx: Context, ...rest: Rest): Result => {
    if (ctx.tx) writeActivity(ctx)
    return work(ctx, ...rest)
  }
}

/** Something happened with the lead: it moves up in "last activity", and is otherwise the same version. */
export function touchLead(ctx: Context, id: string, at: string): void {
  writeActivity(ctx)
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
