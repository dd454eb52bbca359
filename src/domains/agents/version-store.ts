import type { Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'
import type { AgentVersion } from './contract.ts'

export type KeptVersion = Omit<AgentVersion, 'changes'>
type VersionRow = KeptVersion & { team_id: string; agent_id: string }

export function insertVersion(ctx: Context, agent_id: string, kept: KeptVersion): void {
  const row = { ...kept, agent: JSON.stringify(kept.agent) as never }
  ctx.later(db.insertInto('agent_versions').values({ team_id: ctx.team_id, agent_id, ...row }))
}

export async function findVersion(
  ctx: Context,
  agent_id: string,
  version: number,
): Promise<KeptVersion | undefined> {
  return ctx.first(versions(ctx, agent_id).where('version', '=', version))
}

/** Newest first. */
export async function listVersions(
  ctx: Context,
  agent_id: string,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<KeptVersion[]> {
  const newest = versions(ctx, agent_id).orderBy('version', 'desc').limit(limit)
  return ctx.all(before === undefined ? newest : newest.where('version', '<', before))
}

function versions(ctx: Context, agent_id: string) {
  return db
    .selectFrom('agent_versions')
    .select(['version', 'agent', 'changed_by', 'created_at'])
    .where('team_id', '=', ctx.team_id)
    .where('agent_id', '=', agent_id)
}

const db = tables<{ agent_versions: VersionRow }>()
