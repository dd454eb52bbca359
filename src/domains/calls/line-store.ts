import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { raw } from '#platform/database/tables.ts'
import type { CallLine } from './contract.ts'

export type LineRow = CallLine & { call_id: string; ref: string }

const names = ['call_id', 'id', 'ref', 'speaker', 'text', 'tool', 'at'] as const
const columns = sql.raw(names.join(', '))
const insertNew = inserter<Record<(typeof names)[number] | 'team_id', unknown>>(
  'call_lines',
  ['team_id', ...names],
  `on conflict (team_id, call_id, ref) do nothing returning ${names.join(', ')}`,
)

/** Those that are new. One that its call has already, by its `ref`, stays as it is. */
export async function insertLines(ctx: Context, rows: readonly LineRow[]): Promise<LineRow[]> {
  const { team_id } = ctx
  const given = rows.map(row => ({ ...row, team_id, tool: row.tool && JSON.stringify(row.tool) }))
  const added = await Promise.all(batchesOf(given).map(batch => ctx.all<LineRow>(insertNew(batch))))
  return added.flat()
}

export async function countLines(ctx: Context, call_ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await ctx.all(
    raw<{ call_id: string; count: number }>(sql`select call_id, count(*) as count from call_lines
      where team_id = ${ctx.team_id} and call_id = any(${call_ids}::text[]) group by call_id`),
  )
  return new Map(rows.map(({ call_id, count }) => [call_id, count]))
}

export async function findLine(ctx: Context, call_id: string, ref: string): Promise<LineRow | undefined> {
  return ctx.first(
    raw<LineRow>(sql`select ${columns} from call_lines
      where team_id = ${ctx.team_id} and call_id = ${call_id} and ref = ${ref}`),
  )
}

export async function lockLine(ctx: Context, call_id: string, ref: string): Promise<LineRow | undefined> {
  return ctx.first(
    raw<LineRow>(sql`select ${columns} from call_lines
      where team_id = ${ctx.team_id} and call_id = ${call_id} and ref = ${ref} for no key update`),
  )
}

export function updateLine(
  ctx: Context,
  { call_id, ref }: Pick<LineRow, 'call_id' | 'ref'>,
  { text, tool }: Pick<LineRow, 'text' | 'tool'>,
): void {
  ctx.later(
    raw(sql`update call_lines set text = ${text}, tool = ${JSON.stringify(tool)}::jsonb
      where team_id = ${ctx.team_id} and call_id = ${call_id} and ref = ${ref}`),
  )
}

/** In the order in which they were said. */
export async function findLines(ctx: Context, call_id: string): Promise<LineRow[]> {
  return ctx.all(
    raw<LineRow>(sql`select ${columns} from call_lines
      where team_id = ${ctx.team_id} and call_id = ${call_id} order by at, id`),
  )
}

/** How many of its lines somebody has said. */
export async function countSpoken(ctx: Context, call_id: string): Promise<number> {
  const row = await ctx.first(
    raw<{ count: number }>(sql`select count(*) as count from call_lines
      where team_id = ${ctx.team_id} and call_id = ${call_id} and tool is null`),
  )
  return row!.count
}
