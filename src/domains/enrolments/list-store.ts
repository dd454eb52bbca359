import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, encodeCursor } from '#platform/cursor.ts'
import { raw } from '#platform/database/tables.ts'
import { notBefore } from '#platform/ids.ts'
import { isAnyOf } from '#platform/listing.ts'
import type { Enrolment, ListEnrolments, TraceEntry } from './contract.ts'
import { enrolmentColumns } from './store.ts'
import type { Decision } from './values.ts'

const columns = sql.join(enrolmentColumns.map(column => sql.ref(column)))

export async function listEnrolments(ctx: Context, query: ListEnrolments) {
  const { active, step_index, reached } = query
  return page<Enrolment>(ctx, query, sql`select ${columns} from enrolments`, [
    ...isAnyOf('lead_id', query.lead_id),
    ...isAnyOf('sequence_id', query.sequence_id),
    ...isAnyOf('status', query.status),
    ...isAnyOf('held', query.held),
    ...isAnyOf('stop_reason', query.stop_reason),
    ...(step_index === undefined ? [] : [sql`step_index = ${step_index}`]),
    ...(active === undefined ? [] : [active ? sql`ended_at is null` : sql`ended_at is not null`]),
    ...(reached
      ? [
          sql`(${sql.join(
            reached.map(name => sql`${sql.ref(`${name}_at`)} is not null`),
            sql` or `,
          )})`,
        ]
      : []),
  ])
}

type TraceQuery = { limit?: number; cursor?: string }
const traceColumns = sql`id, enrolment_id, lead_id, sequence_id, step_index, decision, reason, message_id, until, at`

export async function listTrace(ctx: Context, enrolment_id: string, query: TraceQuery) {
  const own = [sql`enrolment_id = ${enrolment_id}`, sql`id >= ${notBefore(enrolment_id)}`]
  return page<TraceEntry>(ctx, query, sql`select ${traceColumns} from enrolment_trace`, own)
}

export async function listSequenceTrace(
  ctx: Context,
  sequence_id: string,
  query: TraceQuery & { decision?: Decision[] },
) {
  const own = [sql`sequence_id = ${sequence_id}`, ...isAnyOf('decision', query.decision)]
  return page<TraceEntry>(ctx, query, sql`select ${traceColumns} from enrolment_trace`, own)
}

/** Newest first: ids are in the order of time. */
async function page<Row extends { id: string; at?: string; created_at?: string }>(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string },
  select: RawBuilder<unknown>,
  conditions: readonly RawBuilder<unknown>[],
): Promise<{ data: Row[]; next_cursor: string | null }> {
  const after = cursor ? [sql`id < ${decodeInstantCursor(cursor)[1]}`] : []
  const where = sql.join([sql`team_id = ${ctx.team_id}`, ...conditions, ...after], sql` and `)
  const rows = await ctx.all(raw<Row>(sql`${select} where ${where} order by id desc limit ${limit + 1}`))
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return {
    data,
    next_cursor: rows.length > limit && last ? encodeCursor([last.at ?? last.created_at!, last.id]) : null,
  }
}
