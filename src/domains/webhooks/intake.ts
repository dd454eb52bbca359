import { systemContext, type Context, type Runtime } from '#platform/context.ts'
import { gather } from '#platform/gather.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import type { SignedBody } from '#platform/contract.ts'
import { signatureHeaders, type SignedEndpoint } from '#platform/signature.ts'
import { firstTeams } from '#domains/identity/service.ts'
import type { Receipt } from './contract.ts'
import { readEnvelope } from './envelope.ts'
import { RECORD_JOB } from './routing.ts'
import * as store from './store.ts'
import type { NewInbound } from './store.ts'
import { acceptedTypes, BATCH_MAX, type InboundType } from './values.ts'

export const ROUTE_JOB = 'webhooks.route'
const BATCHES_AT_ONCE = 2

type Received = SignedBody & { headers: Record<string, string | undefined>; team?: string }

/**
 * Takes an event whose signature holds. It is answered when it is on disk together with the job that works it off;
 * events that come at the same time share a statement and a commit.
 */
export async function acceptEvent(
  ctx: Context,
  endpoint: SignedEndpoint,
  received: Received,
): Promise<Receipt> {
  const messageId = signatureHeaders(received.headers)?.id ?? ''
  const { eventId, type } = readEnvelope(received.json, messageId)
  const known = (acceptedTypes[endpoint] as readonly string[]).includes(type)
  const isNew = await storeOf(ctx.runtime)({
    id: ctx.newId(),
    endpoint,
    event_id: eventId,
    type,
    team_id: received.team ?? null,
    body: received.text,
    status: known ? 'accepted' : 'ignored',
    received_at: ctx.now(),
  })
  if (!known) return { eventId, status: 'ignored' }
  return { eventId, status: isNew ? 'accepted' : 'duplicate' }
}

/** Events that the product itself produces, in a provider's format. */
export type OwnEvent = { eventId: string; type: InboundType; data: Record<string, unknown> }

/**
 * Accepts the team's own events in the caller's transaction: from here on they are handled like signed ones,
 * and a repeat is a duplicate.
 */
export async function acceptOwn(
  ctx: Context,
  endpoint: SignedEndpoint,
  events: readonly OwnEvent[],
): Promise<void> {
  ctx.transactionOrThrow()
  if (events.length === 0) return
  const rows = events.map(event => ({
    id: ctx.newId(),
    endpoint,
    event_id: event.eventId,
    type: event.type,
    team_id: ctx.team_id,
    body: JSON.stringify(event),
    status: 'accepted' as const,
    received_at: ctx.now(),
  }))
  const added = await store.insertNew(ctx, rows)
  if (added.size > 0) enqueue(ctx, { kind: RECORD_JOB, data: { ids: [...added] } })
}

type Store = (event: NewInbound) => Promise<boolean>
const stores = new WeakMap<Runtime, Store>()

function storeOf(runtime: Runtime): Store {
  let known = stores.get(runtime)
  if (!known) {
    const store = (events: NewInbound[]) => storeAll(systemContext(runtime), events)
    stores.set(runtime, (known = gather(store, { batchMax: BATCH_MAX, batchesMax: BATCHES_AT_ONCE })))
  }
  return known
}

/** For each whether it is the first of its (endpoint, event_id). */
async function storeAll(ctx: Context, events: NewInbound[]): Promise<boolean[]> {
  const firsts = new Map<string, NewInbound>()
  for (const event of events) if (!firsts.has(keyOf(event))) firsts.set(keyOf(event), event)
  // In one order everywhere, so that two batches that share events do not wait for each other in a circle.
  const rows = [...firsts.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, event]) => event)
  const added = await ctx.transaction(async ctx => {
    const team_id = await onlyTeam(ctx)
    const ids = rows.filter(({ status }) => status !== 'ignored').map(({ id }) => id)
    if (team_id === undefined) enqueue(ctx, { kind: ROUTE_JOB, data: { ids: rows.map(({ id }) => id) } })
    else if (ids.length > 0) enqueue(ctx, { kind: RECORD_JOB, team_id, data: { ids } })
    return store.insertNew(ctx, team_id === undefined ? rows : rows.map(row => ({ ...row, team_id })))
  })
  if (added.size < events.length)
    await countRepeats(
      ctx,
      events.filter(({ id }) => !added.has(id)),
    )
  return events.map(({ id }) => added.has(id))
}

/** Where there is one team, nobody need find out whose an event is. That there are more is remembered: they stay. */
async function onlyTeam(ctx: Context): Promise<string | undefined> {
  if (shared.has(ctx.runtime)) return undefined
  const [first, second] = await firstTeams(ctx, 2)
  if (second !== undefined) shared.add(ctx.runtime)
  return second === undefined ? first : undefined
}
const shared = new WeakSet<Runtime>()

async function countRepeats(ctx: Context, repeats: readonly NewInbound[]): Promise<void> {
  const counted = [...Map.groupBy(repeats, keyOf).values()].map(([first, ...others]) => ({
    endpoint: first!.endpoint,
    event_id: first!.event_id,
    times: 1 + others.length,
  }))
  // Workers lock these in another order: a deadlock is retried, and no request fails because of it.
  await ctx.transaction(ctx => store.countRepeats(ctx, counted))
}

function keyOf({ endpoint, event_id }: NewInbound): string {
  return `${endpoint} ${event_id}`
}
