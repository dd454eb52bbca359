import type { Actor, Context } from './context.ts'
import type { Static, TSchema } from 'typebox'
import { batchesOf, inserter } from './database/insert.ts'
import { counting } from './database/tables.ts'
import type { Audience, Scope } from './scopes.ts'
import { jobRow, insertListenedJobs, insertJobs } from './jobs/queue.ts'
import { findListened } from './listeners.ts'

export type EventType<Type extends string = string, Data extends TSchema = TSchema> = {
  type: Type
  data: Data
  /** Who may see it in the live stream; absent: nobody, it is only written down. */
  live: Audience | undefined
  /** Those who look on learn only that it happened: its data may be large, and they ask for what they need. */
  bare: boolean
  /** What of its data the log keeps, where the rest is kept with the record it is about (`DataSource`). */
  logged: ((data: Static<Data>) => Record<string, unknown>) | undefined
}

export function defineEvent<const Type extends string, Data extends TSchema>(
  type: Type,
  data: Data,
  { live, bare = false, logged }: Partial<Omit<EventType<Type, Data>, 'type' | 'data'>> = {},
): EventType<Type, Data> {
  return { type, data, live, bare, logged }
}

/** A row of the events table: what happened, to what, by whom. Timeline, audit log and live updates all read it. */
export type Event<Data = Record<string, unknown>> = {
  id: string
  team_id: string
  type: string
  subject_kind: string
  subject_id: string
  lead_id: string | null
  actor_kind: Actor['kind']
  actor_id: string | null
  actor_name: string | null
  request_id: string | null
  ip: string | null
  /** The event that this one came of. */
  cause_id: string | null
  data: Data
  at: string
}

export type EventOf<E extends EventType> = Event<Static<E['data']>>

/** How an event is told: for thousands at once one live message serves, and an import may be kept from automations. */
export type Telling = {
  /** Written down, but not sent to those who look on. */
  silent?: boolean
  /** Whether reactions that the team itself has set up take notice. */
  automations?: boolean
}

type About = { kind: string; id: string; lead_id?: string | null }

/**
 * Writes an event in the transaction of its change, together with a job for each reaction and the line that
 * live updates read. They are sent with the commit: recording costs no extra round trip.
 */
export function record<E extends EventType>(
  ctx: Context,
  event: E,
  about: About,
  data: Static<E['data']>,
  { silent = false, automations = true }: Telling = {},
): Event {
  const row: Event = {
    id: ctx.newId(),
    team_id: ctx.team_id,
    type: event.type,
    subject_kind: about.kind,
    subject_id: about.id,
    lead_id: about.lead_id ?? null,
    actor_kind: ctx.actor.kind,
    actor_id: ctx.actor.id,
    actor_name: ctx.actor.name,
    request_id: ctx.request?.id ?? null,
    ip: ctx.request?.ip ?? null,
    cause_id: ctx.cause ?? null,
    data: data as Record<string, unknown>,
    at: ctx.now(),
  }
  const live = silent ? undefined : event.live
  const logged = event.logged?.(data)
  recordedIn(ctx).push({ row, live, bare: event.bare, logged, reactions: true, automations })
  return row
}

/**
 * Tells those who look on of something that is no event of its own: nothing reacts to it, and no log keeps it. Like an event
 * it is told with the commit of the change it is about.
 */
export function announce(
  ctx: Context,
  scope: Scope,
  type: string,
  subject: { kind: string; id: string },
  data: Record<string, unknown>,
): void {
  const { items, isNew } = ctx.transactionOrThrow().gather<ChangeRow>(ANNOUNCED)
  if (isNew) ctx.beforeCommit(() => batchesOf(items).map(batch => insertChanges(batch)))
  const { id, at, team_id } = { id: ctx.newId(), at: ctx.now(), team_id: ctx.team_id }
  const message = JSON.stringify({ type, id, subject, at, actor_id: ctx.actor.id, data })
  items.push({ event_id: id, team_id, scope, at, message })
}

type ChangeRow = { event_id: string; team_id: string; scope: Audience; at: string; message: string }
const insertEvents = inserter<Event>('events', [
  'id',
  'team_id',
  'type',
  'subject_kind',
  'subject_id',
  'lead_id',
  'actor_kind',
  'actor_id',
  'actor_name',
  'request_id',
  'ip',
  'cause_id',
  'data',
  'at',
])
const insertChanges = inserter<ChangeRow>('changes', ['event_id', 'team_id', 'scope', 'at', 'message'])

type Recorded = Pending & { live: Audience | undefined; bare: boolean; logged: Event['data'] | undefined }
/** An event whose reactions become jobs at the commit, unless they are taken before. */
type Pending = { row: Event; reactions: boolean; automations: boolean }
const RECORDED = {}
const RELEASED = {}
const ANNOUNCED = {}

/** The automations of an event that was recorded without them, once what they depend on is known. */
export function releaseAutomations(ctx: Context, event: Event): void {
  const { items, isNew } = ctx.transactionOrThrow().gather<Pending>(RELEASED)
  if (isNew) ctx.beforeCommit(() => jobsFor(ctx, items))
  items.push({ row: event, reactions: false, automations: true })
}

export type TakenReaction = { kind: string; event: Event }

/**
 * The reactions to what this transaction has recorded so far, for a caller that runs them in it: they become no jobs. Only
 * events all of whose reactions are accepted; where the team listens to none, there is nothing to run.
 */
export async function takeReactions(
  ctx: Context,
  accepts: (kind: string) => boolean,
): Promise<TakenReaction[]> {
  const { registry } = ctx.runtime
  const tx = ctx.transactionOrThrow()
  const pending = [...tx.gatheredBy<Recorded>(RECORDED), ...tx.gatheredBy<Pending>(RELEASED)]
  const taken: TakenReaction[] = []
  const take = (event: Event, kinds: readonly string[]) => {
    for (const kind of kinds) taken.push({ kind, event: asRead(event) })
  }
  for (const item of pending) {
    const kinds = registry.reactionsTo(item.row.type)
    if (!item.reactions || kinds.length === 0 || !kinds.every(accepts)) continue
    item.reactions = false
    take(item.row, kinds)
  }
  const automated = pending.filter(({ row, automations }) => {
    const kinds = registry.automationsOn(row.type)
    return automations && kinds.length > 0 && kinds.every(accepts)
  })
  if (automated.length === 0) return taken
  const listened = await findListened(ctx, [...new Set(automated.map(({ row }) => row.type))])
  for (const item of automated) {
    item.automations = false
    if (listened.has(item.row.type)) take(item.row, registry.automationsOn(item.row.type))
  }
  return taken
}

/** As the table would give it back: JSON knows no `undefined`. */
function asRead(event: Event): Event {
  return { ...event, data: JSON.parse(JSON.stringify(event.data)) as Event['data'] }
}

/** The events of a transaction; on first use, arranges for them to be written at its commit. */
function recordedIn(ctx: Context): Recorded[] {
  const { items, isNew } = ctx.transactionOrThrow().gather<Recorded>(RECORDED)
  if (isNew) ctx.beforeCommit(() => statementsFor(ctx, items))
  return items
}

function statementsFor(ctx: Context, events: Recorded[]) {
  const live = events.filter(event => event.live)
  return [
    ...batchesOf(events).map(batch => insertEvents(batch.map(asRow))),
    ...batchesOf(live).map(batch => insertChanges(batch.map(changeOf))),
    ...jobsFor(ctx, events),
  ]
}

function jobsFor(ctx: Context, pending: readonly Pending[]) {
  const { registry, wakeWorker } = ctx.runtime
  const jobsOf = (list: readonly Pending[], kindsOf: (type: string) => readonly string[]) =>
    list.flatMap(({ row: { id, type, team_id } }) =>
      kindsOf(type).map(kind => ({ ...jobRow(ctx, { kind, team_id, event_id: id }), type })),
    )
  const jobs = jobsOf(
    pending.filter(({ reactions }) => reactions),
    type => registry.reactionsTo(type),
  )
  const automated = jobsOf(
    pending.filter(({ automations }) => automations),
    type => registry.automationsOn(type),
  )
  if (jobs.length > 0) ctx.afterCommit(wakeWorker)
  // Most teams listen to few events: where nobody does, there is nothing to wake up for.
  const wakeForAny = (written: number) => written > 0 && wakeWorker()
  return [
    ...(jobs.length > 0 ? [insertJobs(jobs)] : []),
    ...(automated.length > 0 ? [counting(insertListenedJobs(automated), wakeForAny)] : []),
  ]
}

function asRow({ row, logged = row.data }: Recorded): Event {
  return { ...row, data: JSON.stringify(logged) as unknown as Record<string, unknown> }
}

/** A line of the live log: in commit order once read below the oldest running transaction (see changes.ts). */
function changeOf({ row, live, bare }: Recorded): ChangeRow {
  const told = bare ? { ...row, data: {} } : row
  return { event_id: row.id, team_id: row.team_id, scope: live!, at: row.at, message: messageOf(told) }
}

function messageOf({ id, type, subject_kind, subject_id, at, actor_id, data }: Event): string {
  return JSON.stringify({ type, id, subject: { kind: subject_kind, id: subject_id }, at, actor_id, data })
}
