import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'
import type { Role } from '#platform/scopes.ts'

export type SessionRow = {
  id: string
  user_id: string
  team_id: string
  created_at: string
  last_seen_at: string
  expires_at: string
  ip: string | null
  user_agent: string | null
}
const HOUR_MS = 3_600_000

type LinkRow = {
  hash: string
  user_id: string
  expires_at: string
  used_at: string | null
  /** When it was mailed; one that the operator made was not. */
  mailed_at: string | null
  return_to: string | null
}

const db = tables<{
  sessions: SessionRow
  signin_links: LinkRow
  users: { id: string; name: string; email: string; image: string }
  memberships: { team_id: string; user_id: string; role: Role; created_at: string }
}>()

/** Everything a request by session needs to know, in one look-up: revoking or expiring counts at the next request. */
export async function findSession(ctx: Context, id: string) {
  return ctx.acrossTeams().first(
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .innerJoin('memberships', join =>
        join
          .onRef('memberships.user_id', '=', 'sessions.user_id')
          .onRef('memberships.team_id', '=', 'sessions.team_id'),
      )
      .select([
        'sessions.id',
        'sessions.user_id',
        'sessions.team_id',
        'sessions.created_at',
        'sessions.expires_at',
        'sessions.last_seen_at',
        'users.name',
        'users.email',
        'users.image',
        'memberships.role',
      ])
      .where('sessions.id', '=', id),
  )
}

export function insertSession(ctx: Context, session: SessionRow): void {
  ctx.later(db.insertInto('sessions').values(session))
}

export async function extendSession(
  ctx: Context,
  id: string,
  last_seen_at: string,
  expires_at: string,
): Promise<void> {
  await ctx.run(db.updateTable('sessions').set({ last_seen_at, expires_at }).where('id', '=', id))
}

export async function deleteSession(ctx: Context, id: string): Promise<SessionRow | undefined> {
  return ctx.acrossTeams().first(db.deleteFrom('sessions').where('id', '=', id).returningAll())
}

export async function listSessionsOf(
  ctx: Context,
  user_id: string,
  limit: number,
  after: [string, string] | undefined,
) {
  let query = db
    .selectFrom('sessions')
    .select(['id', 'team_id', 'ip', 'user_agent', 'created_at', 'last_seen_at', 'expires_at'])
    .where('user_id', '=', user_id)
    .where('expires_at', '>', ctx.now())
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (after) query = query.where(sql<boolean>`(created_at, id) < (${after[0]}::timestamptz, ${after[1]})`)
  return ctx.acrossTeams().all(query)
}

export async function deleteSessionsOf(
  ctx: Context,
  user_id: string,
  which: { id: string } | { except: string },
): Promise<number> {
  const own = db.deleteFrom('sessions').where('user_id', '=', user_id)
  return ctx
    .acrossTeams()
    .run('id' in which ? own.where('id', '=', which.id) : own.where('id', '!=', which.except))
}

export async function setSessionTeam(ctx: Context, id: string, team_id: string): Promise<void> {
  await ctx.acrossTeams().run(db.updateTable('sessions').set({ team_id }).where('id', '=', id))
}

/**
 * Members who leave a team switch to another of their teams; without one, their sessions in this team end.
 */
export function moveSessionsElsewhere(ctx: Context, user_id: string): void {
  const elsewhere = db
    .selectFrom('memberships')
    .select('team_id')
    .where('user_id', '=', user_id)
    .where('team_id', '!=', ctx.team_id)
    .orderBy('created_at')
    .limit(1)
  ctx.acrossTeams().later(
    db
      .updateTable('sessions')
      .set({ team_id: sql<string>`coalesce((${elsewhere}), team_id)` })
      .where('user_id', '=', user_id)
      .where('team_id', '=', ctx.team_id),
  )
  ctx
    .acrossTeams()
    .later(db.deleteFrom('sessions').where('user_id', '=', user_id).where('team_id', '=', ctx.team_id))
}

export async function deleteExpired(ctx: Context): Promise<number> {
  const sessions = await ctx.run(db.deleteFrom('sessions').where('expires_at', '<', ctx.now()))
  // Those that were mailed are counted for an hour.
  const links = await ctx.run(db.deleteFrom('signin_links').where('expires_at', '<', ctx.in(-HOUR_MS)))
  return sessions + links
}

export function insertLink(ctx: Context, link: LinkRow): void {
  ctx.later(db.insertInto('signin_links').values(link))
}

/** False where it is there already. */
export async function insertMailedLink(ctx: Context, link: LinkRow): Promise<boolean> {
  const added = await ctx.run(
    db
      .insertInto('signin_links')
      .values(link)
      .onConflict(conflict => conflict.column('hash').doNothing()),
  )
  return added > 0
}

export async function countMailedLinks(ctx: Context, user_id: string, since: string): Promise<number> {
  const row = await ctx.first(
    db
      .selectFrom('signin_links')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', user_id)
      .where('mailed_at', '>', since),
  )
  return row!.count
}

export function deleteLink(ctx: Context, hash: string): void {
  ctx.later(db.deleteFrom('signin_links').where('hash', '=', hash))
}

export async function findLink(ctx: Context, hash: string): Promise<LinkRow | undefined> {
  return ctx.first(db.selectFrom('signin_links').selectAll().where('hash', '=', hash))
}

/** One conditional update: of any number of parallel tries one wins. */
export async function useLink(ctx: Context, hash: string): Promise<LinkRow | undefined> {
  return ctx.first(
    db
      .updateTable('signin_links')
      .set({ used_at: ctx.now() })
      .where('hash', '=', hash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', ctx.now())
      .returningAll(),
  )
}
