import type { Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import { isMember, listAdmins, membersAmong } from '#domains/identity/members.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { listByAge } from './availability-store.ts'

const HOSTS_LOOKED_AT_MAX = 100

/** The host if none is named: the caller, or for an app the team's default host. */
export async function hostAsked(ctx: Context, host_id: string | undefined): Promise<string> {
  return host_id ?? ctx.principal?.user_id ?? hostFor(ctx, { owner_id: null })
}

/** Who meets this lead where nobody is named: its owner, else who first said when to be met, else who runs the team. */
export async function hostFor(ctx: Context, lead: Pick<Lead, 'owner_id'>): Promise<string> {
  if (lead.owner_id && (await isMember(ctx, lead.owner_id))) return lead.owner_id
  const ready = (await listByAge(ctx, HOSTS_LOOKED_AT_MAX)).map(({ user_id }) => user_id)
  const members = await membersAmong(ctx, ready)
  const first = ready.find(id => members.has(id))
  if (first) return first
  const admins = (await listAdmins(ctx)).toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  const host = admins.find(({ role }) => role === 'SUPER_ADMIN') ?? admins[0]
  if (!host) throw new Problem('conflict', 'No team member can host meetings.', { code: 'no_host' })
  return host.id
}
