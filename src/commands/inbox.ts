import {
  assignEvents,
  countUnassigned,
  listUnassigned,
  readUnassigned,
} from '#domains/webhooks/unassigned.ts'
import type { Context } from '#platform/context.ts'
import { need, UsageError, type Values } from './command.ts'
import { withContext } from './database.ts'
import { teamOf } from './team.ts'

export async function run(values: Values): Promise<void> {
  const { show, assign } = values
  if (show !== undefined && assign !== undefined)
    throw new UsageError('Use either --show or --assign, not both.')
  if (values.team !== undefined && assign === undefined) throw new UsageError('--team requires --assign.')
  const team = assign === undefined ? undefined : need(values, 'team')
  await withContext(async ctx => {
    if (show !== undefined) console.log((await readUnassigned(ctx, show)).body)
    else if (assign !== undefined) console.log(await assigned(ctx, assign, team!))
    else console.log(await overview(ctx))
  })
}

async function overview(ctx: Context): Promise<string> {
  const events = await listUnassigned(ctx)
  if (events.length === 0) return 'Every event is assigned to a team.'
  const lines = events.map(
    ({ id, received_at, endpoint, type, event_id }) =>
      `${id}  ${received_at}  ${endpoint}  ${type}  ${event_id}`,
  )
  const more = (await countUnassigned(ctx)) - events.length
  return [...lines, ...(more > 0 ? [`and ${more.toLocaleString('en')} more`] : [])].join('\n')
}

async function assigned(ctx: Context, text: string, wanted: string): Promise<string> {
  const team_id = await teamOf(ctx, wanted)
  const ids =
    text === 'all' ? (await listUnassigned(ctx)).map(({ id }) => id) : text.split(/\s+/).filter(Boolean)
  if (ids.length === 0) return 'Every event is assigned to a team.'
  const count = await assignEvents(ctx, [...new Set(ids)], team_id)
  return `Assigned ${count === 1 ? '1 event' : `${count} events`} to team ${team_id}.`
}
