import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'
import type { Deployment } from './contract.ts'

type Sold = Deployment['agent']

/** A purchased agent. It belongs to who holds its key, whichever team that is of: one of the node's own tables. */
export type DeploymentRow = {
  id: string
  settlement_id: string
  agent_id: string
  seller_team_id: string
  invoice_id: string | null
  payer: string
  key_hash: string
  /** What was sold first said nothing of its greeting and its rules. */
  agent: Partial<Pick<Sold, 'greeting' | 'outbound'>> & Omit<Sold, 'greeting' | 'outbound'>
  limits: Deployment['limits']
  claimed_team_id: string | null
  claimed_agent_id: string | null
  claimed_at: string | null
  created_at: string
}

export async function findDeployment(ctx: Context, id: string): Promise<DeploymentRow | undefined> {
  return ctx.acrossTeams().first(db.selectFrom('deployments').selectAll().where('id', '=', id))
}

export async function findBySettlement(ctx: Context, id: string): Promise<DeploymentRow | undefined> {
  return ctx.acrossTeams().first(db.selectFrom('deployments').selectAll().where('settlement_id', '=', id))
}

/** Of those who want it at once, the second waits and sees what became of it. */
export async function lockDeployment(ctx: Context, id: string): Promise<DeploymentRow | undefined> {
  return ctx.acrossTeams().first(db.selectFrom('deployments').selectAll().where('id', '=', id).forUpdate())
}

export function insertDeployment(ctx: Context, row: DeploymentRow): void {
  const json = { agent: JSON.stringify(row.agent) as never, limits: JSON.stringify(row.limits) as never }
  ctx.later(db.insertInto('deployments').values({ ...row, ...json }))
}

export function claim(ctx: Context, id: string, agent_id: string): void {
  const claimed = { claimed_team_id: ctx.team_id, claimed_agent_id: agent_id, claimed_at: ctx.now() }
  ctx.acrossTeams().later(db.updateTable('deployments').set(claimed).where('id', '=', id))
}

export async function replaceKey(ctx: Context, id: string, key_hash: string): Promise<void> {
  await ctx.acrossTeams().run(db.updateTable('deployments').set({ key_hash }).where('id', '=', id))
}

type Page = { limit: number; after: readonly [string, string] | undefined }

/** Those that the team sold, or those that it holds; the newest first. */
export async function listOf(
  ctx: Context,
  part: 'seller_team_id' | 'claimed_team_id',
  { limit, after }: Page,
) {
  let query = db.selectFrom('deployments').selectAll().where(part, '=', ctx.team_id)
  if (after) query = query.where(sql<boolean>`(created_at, id) < (${after[0]}::timestamptz, ${after[1]})`)
  return ctx.all(query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit))
}

const db = tables<{ deployments: DeploymentRow }>()
