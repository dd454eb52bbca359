import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { raw } from './tables.ts'

/** Other fields for each of many rows of a team, in one statement for those that have the same ones. */
export function updateEach(
  ctx: Context,
  table: string,
  rows: readonly { id: string; fields: object }[],
): void {
  const target = sql.table(table)
  for (const group of Map.groupBy(rows, ({ fields }) => Object.keys(fields).toSorted().join()).values()) {
    const names = Object.keys(group[0]!.fields)
    const assignments = names.map(name => sql`${sql.ref(name)} = given.${sql.ref(name)}`)
    const given = JSON.stringify(group.map(({ id, fields }) => ({ ...fields, id })))
    // The table itself says of which types they are.
    ctx.later(
      raw(sql`update ${target} set ${sql.join(assignments)}
        from jsonb_populate_recordset(null::${target}, ${given}::jsonb) as given
        where ${target}.team_id = ${ctx.team_id} and ${target}.id = given.id`),
    )
  }
}
