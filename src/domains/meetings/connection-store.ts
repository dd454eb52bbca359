import type { Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'
import type { Calendar } from './contract.ts'

export type ConnectionRow = {
  user_id: string
  kind: 'caldav'
  server_url: string
  username: string
  /** Sealed. */
  password: string
  calendar_url: string
  calendar_name: string | null
  state: Calendar['state']
  note: string | null
  read_at: string | null
  tried_at: string | null
  failing_since: string | null
  /** Whether its owner knows that it does not work. */
  told: boolean
  /** The job of the next reading. */
  wait_id: string | null
  created_at: string
  updated_at: string
}

const columns = [
  'user_id',
  'kind',
  'server_url',
  'username',
  'password',
  'calendar_url',
  'calendar_name',
  'state',
  'note',
  'read_at',
  'tried_at',
  'failing_since',
  'told',
  'wait_id',
  'created_at',
  'updated_at',
] as const satisfies (keyof ConnectionRow)[]

export async function find(ctx: Context, user_id: string): Promise<ConnectionRow | undefined> {
  return ctx.first(rowsOf(ctx, user_id))
}

/** Holds it until the transaction ends. */
export async function lock(ctx: Context, user_id: string): Promise<ConnectionRow | undefined> {
  return ctx.first(rowsOf(ctx, user_id).forNoKeyUpdate())
}

export function save(ctx: Context, row: ConnectionRow): void {
  ctx.later(
    db
      .insertInto('calendar_connections')
      .values({ team_id: ctx.team_id, ...row })
      .onConflict(conflict => conflict.columns(['team_id', 'user_id']).doUpdateSet(row)),
  )
}

export function update(ctx: Context, user_id: string, fields: Partial<ConnectionRow>): void {
  ctx.later(
    db
      .updateTable('calendar_connections')
      .set(fields)
      .where('team_id', '=', ctx.team_id)
      .where('user_id', '=', user_id),
  )
}

export async function remove(ctx: Context, user_id: string): Promise<boolean> {
  const removed = await ctx.run(
    db.deleteFrom('calendar_connections').where('team_id', '=', ctx.team_id).where('user_id', '=', user_id),
  )
  return removed > 0
}

function rowsOf(ctx: Context, user_id: string) {
  return db
    .selectFrom('calendar_connections')
    .select(columns)
    .where('team_id', '=', ctx.team_id)
    .where('user_id', '=', user_id)
}

const db = tables<{ calendar_connections: ConnectionRow & { team_id: string } }>()
