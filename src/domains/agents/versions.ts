import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, encodeCursor } from '#platform/cursor.ts'
import { record } from '#platform/events.ts'
import { Problem } from '#platform/problem.ts'
import { agentEvents, type Agent } from './contract.ts'
import { versionChanges } from './model.ts'
import { changeAgent, getAgent } from './service.ts'
import { records } from './store.ts'
import * as store from './version-store.ts'

/** What it was, newest first, each with what it changed of the one before. */
export async function listVersions(ctx: Context, id: string, page: { limit?: number; cursor?: string }) {
  await getAgent(ctx, id)
  const limit = page.limit ?? LIST_LIMIT_DEFAULT
  const before = page.cursor ? placeOf(page.cursor) : undefined
  // One more than asked for: it says what the last one changed, and whether there are others.
  const rows = await store.listVersions(ctx, id, { limit: limit + 1, before })
  const data = rows
    .slice(0, limit)
    .map((row, at) => ({ ...row, changes: versionChanges(rows[at + 1]?.agent, row.agent) }))
  const last = data.at(-1)
  const next_cursor =
    rows.length > limit && last ? encodeCursor([last.created_at, String(last.version)]) : null
  return { data, next_cursor }
}

/** Nothing is lost by going back: what it was until now is a version too. */
export async function restoreVersion(
  ctx: Context,
  id: string,
  version: number,
  ifMatch?: string,
): Promise<Agent> {
  return ctx.transaction(async ctx => {
    const before = await records.getForChange(ctx, id, ifMatch)
    const kept = await store.findVersion(ctx, id, version)
    if (!kept) throw new Problem('not_found', 'No such version of this agent.')
    const agent = await changeAgent(ctx, id, kept.agent)
    if (agent.version !== before.version) {
      const { name } = agent
      const told = { name, from: before.version, version }
      record(ctx, agentEvents.version_restored, records.about(agent), told)
    }
    return agent
  })
}

function placeOf(cursor: string): number {
  const [, version] = decodeInstantCursor(cursor)
  return /^\d{1,9}$/.test(version) ? Number(version) : 0
}
