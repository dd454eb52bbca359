import type { Actor, Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { enqueueAll, type Job } from '#platform/jobs/queue.ts'
import { findListened } from '#platform/listeners.ts'
import { firstTeams, isTeam } from '#domains/identity/service.ts'
import { inboundAssigned, inboundEvents } from './contract.ts'
import { dataIn } from './envelope.ts'
import { providerActor } from './effects.ts'
import * as store from './store.ts'
import type { InboundRow } from './store.ts'
import { leave } from './unassigned-store.ts'
import { BATCH_MAX, type InboundType } from './values.ts'

export const RECORD_JOB = 'webhooks.record'

/**
 * Finds out whose events these are. With one team there is nothing to find out; else the record that an event names
 * tells, or the address it was sent to. What names nothing we know is nobody's: the operator assigns it (unassigned.ts).
 */
export async function routeEvents(ctx: Context, jobs: readonly Job[]): Promise<void> {
  const rows = await store.findUnrecorded(
    ctx,
    jobs.flatMap(job => (job.data as { ids: string[] }).ids),
  )
  if (rows.length === 0) return
  const [first, second] = await firstTeams(ctx, 2)
  if (first === undefined) throw new Error('there is no team yet to assign this to')
  const teams = await Promise.all(rows.map(row => (second === undefined ? first : teamOf(ctx, row))))
  const routed = rows.map((row, at) => ({ row, team_id: teams[at] }))
  for (const [team_id, group] of Map.groupBy(routed, ({ team_id }) => team_id)) {
    const own = group.map(({ row }) => row)
    if (team_id === undefined) leaveUnassigned(ctx, own)
    else assignTo(ctx, own, team_id)
  }
}

/** Each becomes an event of the team, once: reactions, workflows and those who look on take it from there. */
export async function recordEvents(ctx: Context, jobs: readonly Job[]): Promise<void> {
  const given = jobs.map(job => job.data as { ids: string[]; assigned?: boolean })
  const assigned = new Set(given.flatMap(({ ids, assigned }) => (assigned ? ids : [])))
  const rows = await store.findUnrecorded(
    ctx,
    given.flatMap(({ ids }) => ids),
  )
  if (rows.length === 0) return
  const listened = await findListened(ctx, [...new Set(rows.map(({ type }) => `webhook:${type}`))])
  const recorded = rows.map(row => {
    const { type, data } = envelopeOf(row)
    const event = inboundEvents[type as InboundType]
    const about = { kind: 'inbound_event', id: row.id }
    if (assigned.has(row.id)) record(ctx.as(OPERATOR), inboundAssigned, about, { type })
    const hasReactions = ctx.runtime.registry.reactionsTo(event.type).length > 0
    const { id } = record(
      ctx.as(providerActor(row.endpoint)),
      event,
      about,
      { endpoint: row.endpoint, eventId: row.event_id, data },
      { automations: !hasReactions },
    )
    const isTakenUp = hasReactions || listened.has(event.type)
    return { id: row.id, recorded_id: id, status: isTakenUp ? ('accepted' as const) : ('waiting' as const) }
  })
  store.setRecorded(ctx, recorded)
}

const OPERATOR: Actor = { kind: 'system', id: null, name: 'Operator' }

function assignTo(ctx: Context, rows: readonly InboundRow[], team_id: string): void {
  store.setTeam(ctx, idsOf(rows), team_id)
  const known = idsOf(rows.filter(({ status }) => status !== 'ignored'))
  enqueueAll(
    ctx,
    chunked(known).map(ids => ({ kind: RECORD_JOB, team_id, data: { ids } })),
  )
}

/** A call that nobody takes must not ring on until an operator has the time. */
function leaveUnassigned(ctx: Context, rows: readonly InboundRow[]): void {
  leave(ctx, idsOf(rows))
  for (const row of rows)
    if (row.type === 'realtime.call.incoming')
      ctx.runtime.registry.offers.declineCall?.(ctx, envelopeOf(row).data)
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

function chunked(ids: readonly string[]): string[][] {
  const chunks = []
  for (let at = 0; at < ids.length; at += BATCH_MAX) chunks.push(ids.slice(at, at + BATCH_MAX))
  return chunks
}

function idsOf(rows: readonly InboundRow[]): string[] {
  return rows.map(({ id }) => id)
}

function envelopeOf({ body, type }: InboundRow) {
  return { type, data: dataIn(body) }
}
