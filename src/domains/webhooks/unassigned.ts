import type { Context } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { Problem } from '#platform/problem.ts'
import { isTeam } from '#domains/identity/service.ts'
import { RECORD_JOB } from './routing.ts'
import * as store from './unassigned-store.ts'
import type { Unassigned } from './unassigned-store.ts'
import { BATCH_MAX } from './values.ts'

/** No team can choose how long an event without a team is kept. */
export const UNASSIGNED_KEPT_MS = 90 * 86_400_000

/**
 * Events that name no team's record, in an installation with several teams. They are nobody's until the operator says
 * whose they are: no team sees them before.
 */
export async function listUnassigned(ctx: Context, limit = BATCH_MAX): Promise<Unassigned[]> {
  return store.list(ctx, limit)
}

export const countUnassigned = store.count

export async function readUnassigned(ctx: Context, id: string): Promise<Unassigned & { body: string }> {
  const event = await store.find(ctx, id)
  if (!event) throw new Problem('not_found', `No unassigned event has the id ${id}.`)
  return event
}

/** From now on they are this team's, and worked off like any other. Of two who assign one, the second is told. */
export async function assignEvents(ctx: Context, ids: readonly string[], team_id: string): Promise<number> {
  if (!(await isTeam(ctx, team_id))) throw new Problem('not_found', `There is no team ${team_id}.`)
  return ctx.transaction(async ctx => {
    const assigned = await store.assign(ctx, ids, team_id)
    const missing = ids.filter(id => !assigned.has(id))
    if (missing.length > 0)
      throw new Problem('not_found', `No unassigned event has the id ${missing.join(', ')}.`)
    enqueue(ctx, { kind: RECORD_JOB, team_id, data: { ids, assigned: true } })
    return assigned.size
  })
}

export async function pruneUnassigned(ctx: Context): Promise<number> {
  return store.deleteOlderThan(ctx, ctx.in(-UNASSIGNED_KEPT_MS))
}
