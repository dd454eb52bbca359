import type { Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'
import { lastingMemory } from '#platform/lasting-memory.ts'

/** Where a widget is found by who knows no team: its id, and nothing else of it. */
type Address = { widget_id: string; team_id: string }

const ADDRESSES_REMEMBERED_MAX = 5_000
/** A widget stays with its team; whether it is still there is asked elsewhere. */
const teamsById = lastingMemory<Address>(ADDRESSES_REMEMBERED_MAX)

export async function findAddress(ctx: Context, widget_id: string): Promise<Address | undefined> {
  return teamsById(ctx, widget_id, () =>
    ctx.acrossTeams().first(db.selectFrom('chat_addresses').selectAll().where('widget_id', '=', widget_id)),
  )
}

export function insertAddress(ctx: Context, widget_id: string): void {
  ctx.later(db.insertInto('chat_addresses').values({ widget_id, team_id: ctx.team_id }))
}

export function deleteAddress(ctx: Context, widget_id: string): void {
  ctx.later(
    db.deleteFrom('chat_addresses').where('widget_id', '=', widget_id).where('team_id', '=', ctx.team_id),
  )
}

const db = tables<{ chat_addresses: Address }>()
