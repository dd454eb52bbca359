import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import type { UsedLabel } from './contract.ts'
import { COUNTED_MAX, LABELS_LISTED_MAX } from './values.ts'

/** The labels in use, in their order: from each to the next by the index, however many conversations have it. */
export async function listLabels(ctx: Context): Promise<UsedLabel[]> {
  const { team_id } = ctx
  return ctx.all(
    raw<UsedLabel>(sql`with recursive used (label) as (
        (select label from conversation_labels where team_id = ${team_id} order by label limit 1)
        union all
        select (select next.label from conversation_labels as next
            where next.team_id = ${team_id} and next.label > used.label order by next.label limit 1)
          from used where used.label is not null)
      select label, (select count(*) from (select 1 from conversation_labels as one
            where one.team_id = ${team_id} and one.label = used.label limit ${COUNTED_MAX}) as counted)::int as count
        from used where label is not null limit ${LABELS_LISTED_MAX}`),
  )
}
