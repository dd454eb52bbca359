import { sql } from 'kysely'
import type { Actor, Context } from './context.ts'
import type { Static, TSchema } from 'typebox'
import { batchesOf, inserter } from './database/insert.ts'
import { counting, tables } from './database/tables.ts'
import { idFrom } from './ids.ts'
import type { Audience, Scope } from './scopes.ts'
import { jobRow, insertListenedJobs, insertJobs, type Job } from './jobs/queue.ts'
import { decodeInstantCursor, encodeCursor } from './cursor.ts'

export type EventType<Type extends string = string, Data extends TSchema = TSchema> = {
  type: Type
  data: Data
  /** Who may see it in the live stream; absent: nobody, it is only written down. */
  live: Audience | undefined
  /** Those who look on learn only that it happened: its data may be large, and they ask for what they need. */
  bare: boolean
}

export function defineEvent<const Type extends string, Data extends TSchema>(
  type: Type,
  data: Data,
  { live, bare = false }: { live?: Audience; bare?: boolean } = {},
): EventType<Type, Data> {
  return { type, data, live, bare }
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
  recordedIn(ctx).push({ row, live: silent ? undefined : event.live, bare: event.bare, automations })
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

export async function findEvent(ctx: Context, id: string): Promise<Event | undefined> {
  return ctx.first(
    db.selectFrom('events').selectAll().where('team_id', '=', ctx.team_id).where('id', '=', id),
  )
}

/** The event that a job is a reaction to. */
export async function eventOfJob(ctx: Context, job: Job): Promise<Event> {
  const event = ahead.get(job) ?? (job.event_id ? await findEvent(ctx, job.event_id) : undefined)
  if (!event) throw new Error(`event ${job.event_id} of job ${job.id} is gone`)
  return event
}

/** Jobs that run together get their events in one trip instead of one each. */
export async function fetchAhead(ctx: Context, jobs: readonly Job[]): Promise<void> {
  const ids = jobs.flatMap(job => (ahead.has(job) ? [] : (job.event_id ?? [])))
  if (ids.length < 2) return
  const found = await ctx.all(
    db
      .selectFrom('events')
      .selectAll()
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', sql<string>`any(${ids}::text[])`),
  )
  const byId = new Map(found.map(event => [event.id, event]))
  for (const job of jobs) {
    const event = byId.get(job.event_id ?? '')
    if (event) ahead.set(job, event)
  }
}
const ahead = new WeakMap<Job, Event>()

/** What came of these events, oldest first. */
export async function listCaused(ctx: Context, causes: readonly string[], limit: number): Promise<Event[]> {
  return ctx.all(
    db
      .selectFrom('events')
      .selectAll()
      .where('team_id', '=', ctx.team_id)
      .where('cause_id', 'in', causes)
      .orderBy('id')
      .limit(limit),
  )
}

type Page = { limit: number; cursor?: string | undefined; types?: string[] | undefined }

/** What happened to a lead, newest first. */
export async function listLeadEvents(ctx: Context, lead_id: string, { limit, cursor, types }: Page) {
  let query = db
    .selectFrom('events')
    .selectAll()
    .where('team_id', '=', ctx.team_id)
    .where('lead_id', '=', lead_id)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (types) query = query.where('type', 'in', types)
  if (cursor) {
    const [at, id] = decodeInstantCursor(cursor)
    query = query.where(sql<boolean>`(at, id) < (${at}::timestamptz, ${id})`)
  }
  const rows = await ctx.all(query)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, next_cursor: rows.length > limit && last ? encodeCursor([last.at, last.id]) : null }
}

export type EventFilters = {
  type?: string[]
  actor_kind?: string[]
  actor_id?: string
  subject_kind?: string[]
  subject_id?: string
  from?: string
  until?: string
}

/**
 * What happened in the team, newest first. Ids begin with the second they were made in, so that the order of ids serves
 * for the order of time, and a time for a place in it: no index of its own is paid for at every write.
 */
export async function listEvents(ctx: Context, filters: EventFilters, { limit, cursor }: Page) {
  let query = db.selectFrom('events').selectAll().where('team_id', '=', ctx.team_id)
  for (const name of ['type', 'actor_kind', 'subject_kind'] as const) {
    const values = filters[name]
    if (values) query = query.where(name, 'in', values as never)
  }
  if (filters.actor_id !== undefined) query = query.where('actor_id', '=', filters.actor_id)
  if (filters.subject_id !== undefined) query = query.where('subject_id', '=', filters.subject_id)
  if (filters.from) query = query.where('at', '>=', filters.from).where('id', '>=', idFrom(filters.from, 0))
  if (filters.until) query = query.where('at', '<', filters.until).where('id', '<', idFrom(filters.until, 1))
  if (cursor) query = query.where('id', '<', decodeInstantCursor(cursor)[1])
  const rows = await ctx.all(query.orderBy('id', 'desc').limit(limit + 1))
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, next_cursor: rows.length > limit && last ? encodeCursor([last.at, last.id]) : null }
}

/** How many events of a type there were since then, and the last few of them. The type needs an index of its own. */
export async function latestOfType(ctx: Context, type: string, since: string, limit: number) {
  const query = db
    .selectFrom('events')
    .where('team_id', '=', ctx.team_id)
    // As text in the statement, so that the index of this type is found.
    .where('type', '=', sql.lit(type))
    .where('id', '>=', idFrom(since, 0))
  const [latest, counted] = await Promise.all([
    ctx.all(query.selectAll().orderBy('id', 'desc').limit(limit)),
    ctx.first(query.select(sql<number>`count(*)`.as('count'))),
  ])
  return { latest, count: counted!.count }
}

type ChangeRow = { event_id: string; team_id: string; scope: Audience; at: string; message: string }
const db = tables<{ events: Event }>()

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

type Recorded = { row: Event; live: Audience | undefined; bare: boolean; automations: boolean }
const RECORDED = {}
const ANNOUNCED = {}

/** The events of a transaction; on first use, arranges for them to be written at its commit. */
function recordedIn(ctx: Context): Recorded[] {
  const { items, isNew } = ctx.transactionOrThrow().gather<Recorded>(RECORDED)
  if (isNew) ctx.beforeCommit(() => statementsFor(ctx, items))
  return items
}

function statementsFor(ctx: Context, events: Recorded[]) {
  const { registry, wakeWorker } = ctx.runtime
  const jobsFor = (list: readonly Recorded[], kindsOf: (type: string) => readonly string[]) =>
    list.flatMap(({ row: { id, type, team_id } }) =>
      kindsOf(type).map(kind => ({ ...jobRow(ctx, { kind, team_id, event_id: id }), type })),
    )
  const jobs = jobsFor(events, type => registry.reactionsTo(type))
  const automated = jobsFor(
    events.filter(({ automations }) => automations),
    type => registry.automationsOn(type),
  )
  if (jobs.length > 0) ctx.afterCommit(wakeWorker)
  // Most teams listen to few events: where nobody does, there is nothing to wake up for.
  const wakeForAny = (written: number) => written > 0 && wakeWorker()
  const live = events.filter(event => event.live)
  return [
    ...batchesOf(events).map(batch => insertEvents(batch.map(event => asRow(event.row)))),
    ...batchesOf(live).map(batch => insertChanges(batch.map(changeOf))),
    ...(jobs.length > 0 ? [insertJobs(jobs)] : []),
    ...(automated.length > 0 ? [counting(insertListenedJobs(automated), wakeForAny)] : []),
  ]
}

function asRow(event: Event): Event {
  return { ...event, data: JSON.stringify(event.data) as unknown as Record<string, unknown> }
}

/** A line of the live log: in commit order once read below the oldest running transaction (see changes.ts). */
function changeOf({ row, live, bare }: Recorded): ChangeRow {
  const told = bare ? { ...row, data: {} } : row
  return { event_id: row.id, team_id: row.team_id, scope: live!, at: row.at, message: messageOf(told) }
}

function messageOf({ id, type, subject_kind, subject_id, at, actor_id, data }: Event): string {
  return JSON.stringify({ type, id, subject: { kind: subject_kind, id: subject_id }, at, actor_id, data })
}
