import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, encodeCursor } from '#platform/cursor.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { raw, tables } from '#platform/database/tables.ts'
import { idFrom } from '#platform/ids.ts'
import { isAnyOf } from '#platform/listing.ts'
import type { ListRuns } from './run-contract.ts'
import type { Entry, State } from './state.ts'
import { shownTrace, storedTrace, type StoredEntry } from './trace-format.ts'
import type { RunStatus } from './values.ts'

export type RunRow = {
  team_id: string
  id: string
  workflow_id: string
  version: number
  status: RunStatus
  lead_id: string | null
  event_key: string
  event_id: string | null
  once_key: string | null
  /** Of one that is over, the log has it: see `forWriting`. */
  event: Record<string, unknown> | null
  subject_kind: string | null
  subject_id: string | null
  state: State
  wait_id: string | null
  next_at: string | null
  chain: number
  /** Into how many parts its trace was committed. */
  parts: number
  /** The first of them, where the run ended with it: most do, and need no row of `workflow_traces`. */
  trace: string | null
  error: string | null
  failed_path: string | null
  created_at: string
  updated_at: string
  ended_at: string | null
}

const columns = [
  'team_id',
  'id',
  'workflow_id',
  'version',
  'status',
  'lead_id',
  'event_key',
  'event_id',
  'once_key',
  'event',
  'subject_kind',
  'subject_id',
  'state',
  'wait_id',
  'next_at',
  'chain',
  'parts',
  'trace',
  'error',
  'failed_path',
  'created_at',
  'updated_at',
  'ended_at',
] as const satisfies (keyof RunRow)[]
const insertRows = inserter<RunRow>('workflow_runs', columns)

export function insertRuns(ctx: Context, rows: readonly RunRow[]): void {
  for (const batch of batchesOf(rows)) ctx.later(insertRows(batch.map(forWriting)))
}

/** What changes in the life of a run, with the type of its column. */
const mutable = {
  version: 'int',
  status: 'text',
  lead_id: 'text',
  once_key: 'text',
  state: 'jsonb',
  wait_id: 'text',
  next_at: 'timestamptz',
  parts: 'int',
  error: 'text',
  failed_path: 'text',
  updated_at: 'timestamptz',
  ended_at: 'timestamptz',
} as const satisfies Partial<Record<keyof RunRow, string>>

/** Many in one statement. */
export function updateRuns(ctx: Context, rows: readonly RunRow[]): void {
  if (rows.length === 0) return
  const written = rows.map(forWriting)
  const names = Object.keys(mutable) as (keyof typeof mutable)[]
  const over = written.filter(({ event }) => event === null).map(({ id }) => id)
  const values = names.map(name => sql`${written.map(row => row[name])}::${sql.raw(mutable[name])}[]`)
  const ids = rows.map(({ id }) => id)
  ctx.later(
    raw(sql`update workflow_runs set ${sql.join(names.map(name => sql`${sql.ref(name)} = fresh.${sql.ref(name)}`))},
        event = case when workflow_runs.id = any(${over}::text[]) then null else event end
      from unnest(${ids}::text[], ${sql.join(values)}) as fresh (id, ${sql.join(names.map(name => sql.ref(name)))})
      where workflow_runs.team_id = ${ctx.team_id} and workflow_runs.id = fresh.id
        and workflow_runs.id = any(${ids}::text[])`),
  )
}

type Part = { team_id: string; run_id: string; part: number; entries: (StoredEntry | Entry)[] }
const insertParts = inserter<Part>('workflow_traces', ['team_id', 'run_id', 'part', 'entries'])

export function insertTraces(
  ctx: Context,
  parts: readonly { run_id: string; part: number; entries: readonly Entry[] }[],
): void {
  const rows = parts.map(part => ({
    ...part,
    team_id: ctx.team_id,
    entries: JSON.stringify(storedTrace(part.entries)) as unknown as StoredEntry[],
  }))
  for (const batch of batchesOf(rows)) ctx.later(insertParts(batch))
}

/** The whole trace, oldest first. */
export async function findTrace(ctx: Context, { id, trace, parts }: RunRow): Promise<Entry[]> {
  const first = trace === null ? [] : (JSON.parse(trace) as StoredEntry[])
  if (parts === (trace === null ? 0 : 1)) return shownTrace(first)
  const further = await ctx.all(
    db
      .selectFrom('workflow_traces')
      .select('entries')
      .where('team_id', '=', ctx.team_id)
      .where('run_id', '=', id)
      .orderBy('part'),
  )
  return [first, ...further.map(({ entries }) => entries)].flatMap(shownTrace)
}

export type Begun = Pick<RunRow, 'workflow_id' | 'event_key' | 'once_key'>

/** Which of these a workflow has been set off by already, or has done for the lead it is to be done for once. */
export async function findBegun(
  ctx: Context,
  wanted: readonly { workflow_id: string; event_key: string; once_key: string | null }[],
): Promise<Begun[]> {
  const ids = wanted.map(({ workflow_id }) => workflow_id)
  const byEvent = sql`select runs.workflow_id, runs.event_key, runs.once_key
    from unnest(${ids}::text[], ${wanted.map(({ event_key }) => event_key)}::text[]) as wanted (workflow_id, event_key)
    join workflow_runs as runs on runs.team_id = ${ctx.team_id} and runs.workflow_id = wanted.workflow_id
      and runs.event_key = wanted.event_key`
  const once = wanted.filter(({ once_key }) => once_key !== null)
  if (once.length === 0) return ctx.all(raw<Begun>(byEvent))
  return ctx.all(
    raw<Begun>(sql`${byEvent} union
      select runs.workflow_id, runs.event_key, runs.once_key
      from unnest(${once.map(({ workflow_id }) => workflow_id)}::text[], ${once.map(({ once_key }) => once_key)}::text[])
        as wanted (workflow_id, once_key)
      join workflow_runs as runs on runs.team_id = ${ctx.team_id} and runs.workflow_id = wanted.workflow_id
        and runs.once_key = wanted.once_key and runs.once_key is not null`),
  )
}

/** How far the chain had come of the runs that these workflows began because of these events. */
export async function findChains(
  ctx: Context,
  causes: readonly { workflow_id: string; event_key: string }[],
): Promise<Pick<RunRow, 'workflow_id' | 'event_key' | 'chain'>[]> {
  return ctx.all(
    raw<
      Pick<RunRow, 'workflow_id' | 'event_key' | 'chain'>
    >(sql`select runs.workflow_id, runs.event_key, runs.chain
      from unnest(${causes.map(({ workflow_id }) => workflow_id)}::text[], ${causes.map(({ event_key }) => event_key)}::text[])
        as wanted (workflow_id, event_key)
      join workflow_runs as runs on runs.team_id = ${ctx.team_id} and runs.workflow_id = wanted.workflow_id
        and runs.event_key = wanted.event_key`),
  )
}

/** Locked in the order of ids, so that two who change several of them cannot wait for each other in a circle. */
export async function lockRuns(ctx: Context, ids: readonly string[]): Promise<RunRow[]> {
  return ctx.all(
    raw<RunRow>(sql`select * from workflow_runs where team_id = ${ctx.team_id} and id = any(${ids}::text[])
      order by id for no key update`),
  )
}

export async function findRun(ctx: Context, id: string): Promise<RunRow | undefined> {
  return ctx.first(
    db.selectFrom('workflow_runs').selectAll().where('team_id', '=', ctx.team_id).where('id', '=', id),
  )
}

/** Newest first: ids are in the order of time. */
export async function listRuns(ctx: Context, workflow_id: string, query: ListRuns) {
  const { limit = LIST_LIMIT_DEFAULT, cursor, status, lead_id, version, from, until } = query
  const conditions: RawBuilder<unknown>[] = [
    sql`team_id = ${ctx.team_id}`,
    sql`workflow_id = ${workflow_id}`,
    ...isAnyOf('status', status),
    ...(status?.every(isHalted) ? [sql`halted`] : []),
    ...(lead_id === undefined ? [] : [sql`lead_id = ${lead_id}`]),
    ...(version === undefined ? [] : [sql`version = ${version}`]),
    ...(from === undefined ? [] : [sql`created_at >= ${from} and id >= ${idFrom(from, 0)}`]),
    ...(until === undefined ? [] : [sql`created_at < ${until} and id < ${idFrom(until, 1)}`]),
    ...(cursor === undefined ? [] : [sql`id < ${decodeInstantCursor(cursor)[1]}`]),
  ]
  const rows = await ctx.all(
    raw<RunRow>(sql`select id, workflow_id, version, status, lead_id, error, failed_path, next_at, created_at, updated_at,
        ended_at from workflow_runs where ${sql.join(conditions, sql` and `)} order by id desc limit ${limit + 1}`),
  )
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: rows.length > limit && last ? encodeCursor([last.created_at, last.id]) : null }
}

function isHalted(status: RunRow['status']): boolean {
  return status === 'FAILED' || status === 'PAUSED'
}

/** How many runs of each workflow have failed, most first; of one in the trash nobody wants to know. */
export async function countFailed(
  ctx: Context,
  since: string,
): Promise<{ id: string; name: string; runs: number }[]> {
  return ctx.all(
    raw<{ id: string; name: string; runs: number }>(sql`select workflows.id, workflows.name, failed.runs
      from (select workflow_id, count(*) as runs from workflow_runs
        where team_id = ${ctx.team_id} and halted and status = 'FAILED' and id >= ${idFrom(since, 0)} group by workflow_id) as failed
      join workflows on workflows.team_id = ${ctx.team_id} and workflows.id = failed.workflow_id
      where workflows.deleted_at is null order by failed.runs desc, workflows.id`),
  )
}

/** Paused runs of a deleted workflow: they will never be resumed. Running ones end when they wake. */
export function cancelPaused(ctx: Context, workflow_id: string, error: string): void {
  ctx.later(
    raw(sql`update workflow_runs set status = 'CANCELLED', state = '{}', event = case when event_id is null then event end, error = ${error}, ended_at = ${ctx.now()}, updated_at = ${ctx.now()}
      where team_id = ${ctx.team_id} and workflow_id = ${workflow_id} and halted and status = 'PAUSED'`),
  )
}

/**
 * A run that is over is only looked at: it has nothing to remember, and what triggered it is read from the log instead of
 * being kept a second time.
 */
function forWriting(row: RunRow): RunRow {
  const isOver = row.status === 'DONE' || row.status === 'CANCELLED'
  return {
    ...row,
    event: isOver && row.event_id !== null ? null : (JSON.stringify(row.event) as unknown as RunRow['event']),
    state: (isOver ? '{}' : JSON.stringify(row.state)) as unknown as State,
  }
}

const db = tables<{ workflow_runs: RunRow; workflow_traces: Part }>()
