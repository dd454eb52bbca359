import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import { refOf, resultOf, type ToolResult } from './lines.ts'
import type { LineRow } from './line-store.ts'

export type Asked = { call_id: string; ref: string }

/** What came of tools that were asked for in any number of calls: those of which it is known by now. */
export async function findToolResults(
  ctx: Context,
  asked: readonly Asked[],
): Promise<{ asked: Asked; result: ToolResult }[]> {
  const rows = await ctx.all(
    raw<LineRow>(sql`select call_lines.* from call_lines
      join unnest(${asked.map(({ call_id }) => call_id)}::text[], ${asked.map(({ ref }) => refOf(ref))}::text[])
        as asked (call_id, ref) on asked.call_id = call_lines.call_id and asked.ref = call_lines.ref
      where call_lines.team_id = ${ctx.team_id} and call_lines.tool is not null`),
  )
  const known = new Map(rows.map(row => [`${row.call_id} ${row.ref}`, resultOf(row)]))
  return asked.flatMap(one => {
    const result = known.get(`${one.call_id} ${refOf(one.ref)}`)
    return result ? [{ asked: one, result }] : []
  })
}
