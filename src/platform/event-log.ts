import { sql, type RawBuilder } from 'kysely'
import type { Context } from './context.ts'
import { decodeInstantCursor, encodeCursor } from './cursor.ts'
import { freshlyPlanned, tables } from './database/tables.ts'
import type { Event } from './events.ts'
import { idFrom, notBefore, secondOf } from './ids.ts'
import type { Job } from './jobs/queue.ts'

/**
 * Reading what happened. The table is kept month by month, by id (docs/decisions/0027): an id is looked up in one month, and
 * whatever is known of the time keeps a query from the months it does not need.
 */
const db = tables<{ events: Event }>()

const DAY_SECONDS = 86_400
/** So many of the latest are read as they are: what happens all the time is among them. */
const LATEST_READ = 2_000
/** What is rare is looked for in spans of time, each longer than the one before, and then in all that is left. */
const SPANS_DAYS = [31, 92, 366]

type Page = { limit: number; cursor?: string | undefined; types?: string[] | undefined }

export async function findEvent(ctx: Context, id: string): Promise<Event | undefined> {
  const event = await ctx.first(eventsOf(ctx).where('id', '=', id))
  return event && (await completed(ctx, [event]))[0]
}

/** The event that a job is a reaction to. */
export async function eventOfJob(ctx: Context, job: Job): Promise<Event> {
  const event = ahead.get(job) ?? (job.event_id ? await findEvent(ctx, job.event_id) : undefined)
  if (!event) throw new Error(`event ${job.event_id} of job ${job.id} is gone`)
  if (incomplete.has(event)) throw new Error(`the data of event ${event.id} of job ${job.id} is gone`)
  return event
}

/** Jobs that run together get their events in one trip instead of one each. */
export async function fetchAhead(ctx: Context, jobs: readonly Job[]): Promise<void> {
  const ids = jobs.flatMap(job => (ahead.has(job) ? [] : (job.event_id ?? [])))
  if (ids.length < 2) return
  const found = await ctx.all(eventsOf(ctx).where('id', '=', sql<string>`any(${ids}::text[])`))
  const byId = new Map((await completed(ctx, found)).map(event => [event.id, event]))
  for (const job of jobs) {
    const event = byId.get(job.event_id ?? '')
    if (event) ahead.set(job, event)
  }
}
const ahead = new WeakMap<Job, Event>()

/** Those whose data is kept with their records get it from there, as long as these keep it. */
async function completed(ctx: Context, events: readonly Event[]): Promise<Event[]> {
  const { registry } = ctx.runtime
  const all = new Map(events.map(event => [event.id, event]))
  for (const [source, own] of Map.groupBy(events, ({ type }) => registry.dataSourceOf(type))) {
    const data = await source?.read(ctx, own)
    for (const event of source ? own : []) {
      const found = data!.get(event.id)
      if (found) all.set(event.id, { ...event, data: found })
      else incomplete.add(event)
    }
  }
  return [...all.values()]
}
const incomplete = new WeakSet<Event>()

/** For a job that is run beside its event, before either is in the table. */
export function bringEvent(job: Job, event: Event): void {
  ahead.set(job, event)
}

/** The events that an event caused, oldest first. */
export async function listCaused(ctx: Context, cause: string, limit: number): Promise<Event[]> {
  const query = eventsOf(ctx).where('cause_id', '=', cause).where('id', '>=', notBefore(cause))
  return ctx.all(freshlyPlanned(query.orderBy('id').limit(limit)))
}

/** What happened to a lead, newest first. */
export async function listLeadEvents(ctx: Context, lead_id: string, { limit, cursor, types }: Page) {
  let query = eventsOf(ctx)
    .where('lead_id', '=', lead_id)
    .where('id', '>=', notBefore(lead_id))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
  if (types) query = query.where('type', 'in', types)
  if (cursor) {
    const [at, id] = decodeInstantCursor(cursor)
    query = query.where(sql<boolean>`(at, id) < (${at}::timestamptz, ${id})`)
  }
  // A plan for any lead takes each team to be small, and would read all events since the lead was made.
  return pageOf(await ctx.all(freshlyPlanned(query.limit(limit + 1))), limit)
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

/** What happened in the team, newest first. Ids begin with the second they were made in: their order is that of time. */
export async function listEvents(ctx: Context, filters: EventFilters, { limit, cursor }: Page) {
  const within = (id?: { from?: string; until?: string }) => {
    let query = eventsOf(ctx)
    if (filters.from) query = query.where('at', '>=', filters.from).where('id', '>=', idFrom(filters.from, 0))
    if (filters.until)
      query = query.where('at', '<', filters.until).where('id', '<', idFrom(filters.until, 1))
    if (cursor) query = query.where('id', '<', decodeInstantCursor(cursor)[1])
    if (id?.from) query = query.where('id', '>=', id.from)
    if (id?.until) query = query.where('id', '<', id.until)
    return query.orderBy('id', 'desc')
  }
  const wanted = limit + 1
  const facets = facetsOf(filters)
  if (facets.length === 0) return pageOf(await ctx.all(within().limit(wanted)), limit)

  const wantedOnly = sql.join<boolean>(facets, sql` and `)
  const latest = db.selectFrom(within().limit(LATEST_READ).as('latest')).selectAll()
  const frequent = await ctx.all(latest.where(wantedOnly).orderBy('id', 'desc').limit(wanted))
  if (frequent.length === wanted) return pageOf(frequent, limit)

  const found: Event[] = []
  const newest = secondOf(cursor ? decodeInstantCursor(cursor)[1] : idFrom(filters.until ?? ctx.now(), 1))
  let until: string | undefined
  for (const days of [...SPANS_DAYS, Infinity]) {
    const from = days === Infinity ? undefined : idFrom(newest - days * DAY_SECONDS)
    const span = within({ ...(from && { from }), ...(until && { until }) }).where(wantedOnly)
    found.push(...(await ctx.all(freshlyPlanned(span.limit(wanted - found.length)))))
    if (found.length === wanted || !from || (filters.from && from < idFrom(filters.from, 0))) break
    until = from
  }
  return pageOf(found, limit)
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

/** A part of a query about records of leads: how many events of a type each has had in a span of time, up to `limit`. */
export function countedEvents(
  type: string,
  leads: RawBuilder<unknown>,
  { from, until }: { from?: string; until?: string },
  limit: number,
): RawBuilder<unknown> {
  const within = [
    ...(from === undefined
      ? []
      : [sql`events.at >= ${from}::timestamptz and events.id >= ${idFrom(from, 0)}::text`]),
    ...(until === undefined ? [] : [sql`events.at <= ${until}::timestamptz`]),
  ]
  const conditions = [
    sql`events.team_id = ${leads}.team_id`,
    sql`events.lead_id = ${leads}.id`,
    sql`events.type = ${type}::text`,
    ...within,
  ]
  return sql`select count(*) from (select 1 from events where ${sql.join(conditions, sql` and `)} limit ${limit}) as counted`
}

function eventsOf(ctx: Context) {
  return db.selectFrom('events').selectAll().where('team_id', '=', ctx.team_id)
}

/** Each value on its own: an index of this kind looks up one after the other, and knows no lists. */
function facetsOf(filters: EventFilters): RawBuilder<boolean>[] {
  const given = {
    type: filters.type,
    actor_kind: filters.actor_kind,
    subject_kind: filters.subject_kind,
    actor_id: filters.actor_id === undefined ? undefined : [filters.actor_id],
    subject_id: filters.subject_id === undefined ? undefined : [filters.subject_id],
  }
  return Object.entries(given).flatMap(([name, values]) => {
    const each = values?.map(value => sql`${sql.ref(name)} = ${value}`)
    return each ? [sql<boolean>`(${sql.join(each, sql` or `)})`] : []
  })
}

function pageOf(rows: Event[], limit: number) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, next_cursor: rows.length > limit && last ? encodeCursor([last.at, last.id]) : null }
}
