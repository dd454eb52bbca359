import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import { record, type Telling } from '#platform/events.ts'
import { difference, filledFields } from '#platform/records.ts'
import { nextVersion } from '#platform/version.ts'
import { leadChanged, leadCreated, type Lead } from './contract.ts'
import { recordStageChange } from './service.ts'
import { track } from './states.ts'
import { leadColumns, records } from './store.ts'

/** A field that tells leads apart: `email`, `phone`, `website` or `custom.<key>`. */
export type LeadKey = string

/** How two values of the field are the same: the case of letters and a slash at the end of an address do not count. */
export function sameness(key: LeadKey, value: string): string {
  if (key === 'phone') return value
  const lower = value.toLowerCase()
  return key === 'website' ? lower.replace(/\/+$/, '') : lower
}

/** The value of a lead by which it is known, or undefined where it has none. */
export function keyValueOf(lead: Partial<Lead>, key: LeadKey): string | undefined {
  const value = key.startsWith('custom.') ? lead.custom?.[key.slice(7)] : lead[key as 'email']
  return typeof value === 'string' && value !== '' ? sameness(key, value) : undefined
}

/** The active leads with one of these values, by value. If several share one, the oldest is used. */
export async function findByKey(
  ctx: Context,
  key: LeadKey,
  values: readonly string[],
  { lock }: { lock: boolean },
): Promise<Map<string, Lead>> {
  if (values.length === 0) return new Map()
  const leads = await ctx.all(
    raw<Lead>(sql`select ${sql.join(leadColumns.map(column => sql.ref(column)))} from leads
      where team_id = ${ctx.team_id} and deleted_at is null and ${comparedBy(key)} = any(${values}::text[])
      order by id ${lock ? sql`for no key update` : sql``}`),
  )
  return new Map(leads.toReversed().map(lead => [keyValueOf(lead, key)!, lead]))
}

export function addLeads(ctx: Context, leads: readonly Lead[], telling: Telling): void {
  records.insertAll(ctx, leads)
  for (const lead of leads)
    record(ctx, leadCreated, records.about(lead), { lead: filledFields(lead) }, telling)
}

/** What stays as it was is neither written nor told. */
export function changeLeads(
  ctx: Context,
  changes: readonly { before: Lead; after: Lead }[],
  telling: Telling,
): void {
  for (const { before, after } of changes) {
    const changed = difference(before, after)
    if (!changed) continue
    const updated_at = nextVersion(before.updated_at, ctx.now())
    records.update(ctx, before.id, { ...changed.after, updated_at })
    record(ctx, leadChanged, records.about(after), changed, telling)
    recordStageChange(ctx, before, after, telling)
    track(ctx, before, { ...after, updated_at })
  }
}

/** In the words of an index where there is one. */
function comparedBy(key: LeadKey): RawBuilder<unknown> {
  if (key === 'email') return sql`email_key`
  if (key === 'phone') return sql`phone`
  if (key === 'website') return sql`rtrim(lower(website), '/')`
  return sql`lower(custom ->> ${key.slice(7)}::text)`
}
