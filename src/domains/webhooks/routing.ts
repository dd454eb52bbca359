import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { findListened } from '#platform/listeners.ts'
import { firstTeams, isTeam } from '#domains/identity/service.ts'
import { inboundEvents } from './contract.ts'
import { readEnvelope, storable } from './envelope.ts'
import { providerActor } from './effects.ts'
import * as store from './store.ts'
import type { InboundRow } from './store.ts'
import type { InboundType } from './values.ts'

export const RECORD_JOB = 'webhooks.record'

/**
 * Finds out whose events these are. With one team there is nothing to find out; else the record that an event names
 * tells, or the address it was sent to. What names nothing we know goes to the first team, whose people run the place.
 */
export async function routeEvents(ctx: Context, job: Job): Promise<void> {
  const { ids } = job.data as { ids: string[] }
  const rows = await store.findUnrecorded(ctx, ids)
  if (rows.length === 0) return
  const [first, second] = await firstTeams(ctx, 2)
  if (first === undefined) throw new Error('there is no team yet that this could be for')
  const routed = []
  for (const row of rows) {
    const team = second === undefined ? first : await teamOf(ctx, row)
    routed.push({ row, team_id: team ?? first, guessed: team === undefined })
  }
  for (const group of Map.groupBy(routed, ({ team_id, guessed }) => `${team_id} ${guessed}`).values()) {
    const { team_id, guessed } = group[0]!
    const own = group.map(({ row }) => row)
    store.setTeam(ctx, idsOf(own), team_id)
    const known = own.filter(({ status }) => status !== 'ignored')
    if (known.length > 0) enqueue(ctx, { kind: RECORD_JOB, team_id, data: { ids: idsOf(known), guessed } })
  }
}

/** Each becomes an event of the team, once: reactions, workflows and those who look on take it from there. */
export async function recordEvents(ctx: Context, job: Job): Promise<void> {
  const { ids, guessed } = job.data as { ids: string[]; guessed?: boolean }
  const rows = await store.findUnrecorded(ctx, ids)
  if (rows.length === 0) return
  const listened = await findListened(ctx, [...new Set(rows.map(({ type }) => `webhook:${type}`))])
  const recorded = rows.map(row => {
    const { type, data } = envelopeOf(row)
    const event = inboundEvents[type as InboundType]
    const told = { endpoint: row.endpoint, eventId: row.event_id, data, ...(guessed && { guessed }) }
    const { id } = record(
      ctx.as(providerActor(row.endpoint)),
      event,
      { kind: 'inbound_event', id: row.id },
      told,
    )
    const isTakenUp = ctx.runtime.registry.reactionsTo(event.type).length > 0 || listened.has(event.type)
    return { id: row.id, recorded_id: id, status: isTakenUp ? ('accepted' as const) : ('waiting' as const) }
  })
  store.setRecorded(ctx, recorded)
}

async function teamOf(ctx: Context, row: InboundRow): Promise<string | undefined> {
  if (row.team_id && (await isTeam(ctx, row.team_id))) return row.team_id
  const event = envelopeOf(row)
  for (const route of ctx.runtime.registry.inboundRoutes) {
    const team = await route(ctx, event)
    if (team !== undefined) return team
  }
  return undefined
}

function idsOf(rows: readonly InboundRow[]): string[] {
  return rows.map(({ id }) => id)
}

function envelopeOf({ body, event_id, type }: InboundRow) {
  const { data } = readEnvelope(JSON.parse(body), event_id)
  return { type, data: storable(data) as Record<string, unknown> }
}
