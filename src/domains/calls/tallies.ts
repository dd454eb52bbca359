import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'

export type Tally = {
  agent_id: string | null
  calls: number
  connected: number
  minutes: number
  meetings: number
}

/** What agents did on the telephone within a time, by agent. Calls that still wait are not counted. */
export async function tallyAgents(
  ctx: Context,
  { from, until, agent_id }: { from: string; until: string; agent_id?: string | undefined },
): Promise<Tally[]> {
  const one = agent_id === undefined ? sql`` : sql`and agent_id = ${agent_id}`
  return ctx.all(
    raw<Tally>(sql`select agent_id, count(*) as calls, count(connected_at) as connected,
        round(coalesce(sum(duration_sec), 0) / 60.0, 1)::float8 as minutes,
        count(*) filter (where follow_up->>'intent' = 'meeting') as meetings
      from calls where team_id = ${ctx.team_id} and kind = 'agent' and status <> 'SCHEDULED'
        and started_at >= ${from} and started_at < ${until} ${one}
      group by agent_id`),
  )
}
