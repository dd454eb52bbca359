import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { raw } from '#platform/database/tables.ts'

export type ResponseRow = {
  response_id: string
  agent_id: string | null
  call_id: string | null
  status: 'completed' | 'failed'
  latency_ms: number | null
  error_code: string | null
  input_tokens: number | null
  output_tokens: number | null
  at: string
}

/** One for each answer of a model. Told a second time, it brings what was not known before. */
export function saveResponses(ctx: Context, rows: readonly ResponseRow[]): void {
  // Two of one name in a statement would be one too many for it.
  const firsts = [...new Map(rows.map(row => [row.response_id, row])).values()]
  if (firsts.length === 0) return
  // In one order, so that two who save the same ones do not wait for each other in a circle.
  const given = firsts
    .toSorted((a, b) => (a.response_id < b.response_id ? -1 : 1))
    .map(row => ({ ...row, team_id: ctx.team_id, id: ctx.newId() }))
  for (const batch of batchesOf(given)) ctx.later(upsertRows(batch))
}

const KNOWN_LATER = [
  'agent_id',
  'call_id',
  'latency_ms',
  'error_code',
  'input_tokens',
  'output_tokens',
] as const
const upsertRows = inserter<ResponseRow & { team_id: string; id: string }>(
  'model_responses',
  ['team_id', 'id', 'response_id', 'status', 'at', ...KNOWN_LATER],
  `on conflict (team_id, response_id) do update set
    ${KNOWN_LATER.map(name => `${name} = coalesce(model_responses.${name}, excluded.${name})`).join(', ')}`,
)

export type Window = { from: string; until: string; agent_id?: string | undefined }

export type AgentResponses = {
  agent_id: string | null
  responses: number
  failed: number
  latency_p50_ms: number | null
  latency_p95_ms: number | null
}

export async function responsesByAgent(ctx: Context, window: Window): Promise<AgentResponses[]> {
  return ctx.all(
    raw<AgentResponses>(sql`select agent_id, count(*) as responses,
        count(*) filter (where status = 'failed') as failed,
        percentile_cont(0.5) within group (order by latency_ms) as latency_p50_ms,
        percentile_cont(0.95) within group (order by latency_ms) as latency_p95_ms
      from model_responses where ${within(ctx, window)} group by agent_id`),
  )
}

export type Bucket = {
  at: string
  agent_id: string | null
  responses: number
  failed: number
  latency_p50_ms: number | null
}

export async function responsesByTime(ctx: Context, window: Window, unit: 'hour' | 'day'): Promise<Bucket[]> {
  return ctx.all(
    raw<Bucket>(sql`select date_trunc(${unit}, at, 'UTC') as at, agent_id, count(*) as responses,
        count(*) filter (where status = 'failed') as failed,
        percentile_cont(0.5) within group (order by latency_ms) as latency_p50_ms
      from model_responses where ${within(ctx, window)} group by 1, 2 order by 1, 2`),
  )
}

function within(ctx: Context, { from, until, agent_id }: Window) {
  const one = agent_id === undefined ? sql`` : sql`and agent_id = ${agent_id}`
  return sql`team_id = ${ctx.team_id} and at >= ${from} and at < ${until} ${one}`
}
