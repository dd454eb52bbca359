import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { batchesOf } from '#platform/database/insert.ts'
import { raw } from '#platform/database/tables.ts'
import type { TemplatePart } from '#platform/ports/whatsapp.ts'
import { WHATSAPP_TEMPLATES_MAX } from './values.ts'

export type TemplateRow = {
  id: string
  name: string
  language: string
  category: string
  header: string | null
  body: string
  footer: string | null
  source: 'synced' | 'entered'
  created_at: string
  updated_at: string
}

const columns = sql`id, name, language, category, header, body, footer, source, created_at, updated_at`

export async function listTemplates(
  ctx: Context,
  after: [string, string] | undefined,
  limit: number,
): Promise<TemplateRow[]> {
  const older = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]})` : sql``
  return ctx.all(
    raw<TemplateRow>(sql`select ${columns} from whatsapp_templates where team_id = ${ctx.team_id} ${older}
      order by created_at desc, id desc limit ${limit}`),
  )
}

export async function findTemplate(ctx: Context, id: string): Promise<TemplateRow | undefined> {
  return ctx.first(
    raw<TemplateRow>(
      sql`select ${columns} from whatsapp_templates where team_id = ${ctx.team_id} and id = ${id}`,
    ),
  )
}

export async function findNamed(
  ctx: Context,
  name: string,
  language: string,
): Promise<TemplateRow | undefined> {
  return ctx.first(
    raw<TemplateRow>(sql`select ${columns} from whatsapp_templates
      where team_id = ${ctx.team_id} and name = ${name} and language = ${language}`),
  )
}

/** Whether name and language were free. */
export async function insertTemplate(ctx: Context, row: TemplateRow): Promise<boolean> {
  const added = await ctx.run(
    raw(sql`insert into whatsapp_templates (team_id, ${columns})
      values (${ctx.team_id}, ${row.id}, ${row.name}, ${row.language}, ${row.category}, ${row.header}, ${row.body},
        ${row.footer}, ${row.source}, ${row.created_at}, ${row.updated_at}) on conflict do nothing`),
  )
  return added > 0
}

/** What was entered by hand under the same name is synced from now on. */
export function saveSynced(ctx: Context, rows: readonly TemplateRow[]): void {
  for (const batch of batchesOf(rows)) {
    const values = batch.map(
      row => sql`(${ctx.team_id}, ${row.id}, ${row.name}, ${row.language}, ${row.category}, ${row.header}, ${row.body},
        ${row.footer}, ${row.source}, ${row.created_at}, ${row.updated_at})`,
    )
    ctx.later(
      raw(sql`insert into whatsapp_templates (team_id, ${columns}) values ${sql.join(values)}
        on conflict (team_id, name, language) do update set category = excluded.category, header = excluded.header,
          body = excluded.body, footer = excluded.footer, source = excluded.source, updated_at = excluded.updated_at`),
    )
  }
}

/** Those that WhatsApp no longer has. */
export function deleteSyncedBefore(ctx: Context, updated_at: string): void {
  ctx.later(
    raw(sql`delete from whatsapp_templates
      where team_id = ${ctx.team_id} and source = 'synced' and updated_at < ${updated_at}::timestamptz`),
  )
}

export function deleteTemplate(ctx: Context, id: string): void {
  ctx.later(raw(sql`delete from whatsapp_templates where team_id = ${ctx.team_id} and id = ${id}`))
}

/** Whether the team has as many as it may. */
export async function isFull(ctx: Context): Promise<boolean> {
  const rows = await ctx.all(
    raw(sql`select from whatsapp_templates where team_id = ${ctx.team_id} limit ${WHATSAPP_TEMPLATES_MAX}`),
  )
  return rows.length === WHATSAPP_TEMPLATES_MAX
}

/** Which template a message of ours is. */
export type TemplateUseRow = {
  message_id: string
  conversation_id: string
  name: string
  language: string
  parameters: { part: TemplatePart; name: string | null; value: string }[]
}

export function insertUse(ctx: Context, use: TemplateUseRow): void {
  ctx.later(
    raw(sql`insert into conversation_template_uses (team_id, message_id, conversation_id, name, language, parameters)
      values (${ctx.team_id}, ${use.message_id}, ${use.conversation_id}, ${use.name}, ${use.language},
        ${JSON.stringify(use.parameters)})`),
  )
}

export async function findUses(
  ctx: Context,
  message_ids: readonly string[],
): Promise<Map<string, TemplateUseRow>> {
  if (message_ids.length === 0) return new Map()
  const rows = await ctx.all(
    raw<TemplateUseRow>(sql`select message_id, conversation_id, name, language, parameters from conversation_template_uses
      where team_id = ${ctx.team_id} and message_id = any(${message_ids}::text[])`),
  )
  return new Map(rows.map(row => [row.message_id, row]))
}
