import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import { keeper } from '#platform/records.ts'
import { templateEvents, type Template } from './contract.ts'

export const templateColumns = [
  'id',
  'name',
  'subject',
  'body',
  'format',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies (keyof Template)[]

export const records = keeper<Template>({
  noun: 'template',
  table: 'templates',
  columns: templateColumns,
  events: templateEvents,
  nameOf: ({ name }) => name,
  leadOf: () => null,
})

/** The active templates with one of these names. */
export async function findNamed(ctx: Context, names: readonly string[]): Promise<Template[]> {
  return ctx.all(
    db
      .selectFrom('templates')
      .select(templateColumns)
      .where('team_id', '=', ctx.team_id)
      .where('deleted_at', 'is', null)
      .where('name', '=', sql<string>`any(${names}::text[])`),
  )
}

/** Until the transaction ends nobody else of the team decides on a name. */
export async function lockNames(ctx: Context): Promise<void> {
  await ctx.run(raw(sql`select pg_advisory_xact_lock(hashtextextended(${`${ctx.team_id} templates`}, 13))`))
}

/** Whether the team begins here and now. */
export async function begin(ctx: Context): Promise<boolean> {
  const begun = await ctx.run(
    db
      .insertInto('template_starts')
      .values({ team_id: ctx.team_id, at: ctx.now() })
      .onConflict(conflict => conflict.doNothing()),
  )
  return begun > 0
}

const db = tables<{
  templates: Template & { team_id: string }
  template_starts: { team_id: string; at: string }
}>()
