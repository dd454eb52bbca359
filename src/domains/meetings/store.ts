import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import { isAnyOf, listPage, type Listing } from '#platform/listing.ts'
import { quickMatches } from '#platform/quick-search.ts'
import { nextVersion } from '#platform/version.ts'
import type { ListMeetings, Meeting } from './contract.ts'
import type { meetingSorts } from './values.ts'

export type MeetingRow = Omit<Meeting, 'manage_url'> & {
  source_key: string | null
  /** The SEQUENCE of iCalendar. */
  sequence: number
  /** How often it was given a time. */
  moves: number
  /** Its state in the host's external calendar. */
  calendar_href: string | null
  calendar_etag: string | null
}

const columns = [
  'id',
  'lead_id',
  'host_id',
  'title',
  'description',
  'starts_at',
  'ends_at',
  'timezone',
  'location',
  'guest_name',
  'guest_email',
  'status',
  'cancel_reason',
  'origin',
  'call_id',
  'source_key',
  'calendar_uid',
  'sequence',
  'moves',
  'sync_state',
  'sync_note',
  'calendar_href',
  'calendar_etag',
  'created_at',
  'updated_at',
] as const satisfies (keyof MeetingRow)[]

type Sort = (typeof meetingSorts)[number]

const listing: Listing<Sort> = {
  table: 'meetings',
  columns,
  sorts: {
    starts_at: { column: 'starts_at', type: 'timestamptz' },
    created_at: { column: 'created_at', type: 'timestamptz' },
  },
  defaultSort: 'starts_at',
}

export async function list(ctx: Context, query: ListMeetings) {
  return listPage<MeetingRow, Sort>(ctx, listing, query, conditions(query), isByFacet(query))
}

export async function quick(ctx: Context, q: string, limit: number): Promise<MeetingRow[]> {
  return quickMatches(ctx, { table: 'meetings', columns, keys: [], recent: 'starts_at' }, q, limit)
}

export async function find(ctx: Context, id: string): Promise<MeetingRow | undefined> {
  return ctx.first(meetingsOf(ctx).where('id', '=', id))
}

/** Holds it until the transaction ends. */
export async function lock(ctx: Context, id: string): Promise<MeetingRow | undefined> {
  return ctx.first(meetingsOf(ctx).where('id', '=', id).forNoKeyUpdate())
}

export async function findBySource(ctx: Context, source_key: string): Promise<MeetingRow | undefined> {
  return ctx.first(meetingsOf(ctx).where('source_key', '=', source_key))
}

export function insert(ctx: Context, row: MeetingRow): void {
  ctx.later(db.insertInto('meetings').values({ team_id: ctx.team_id, ...row }))
}

/** As a new version of it. */
export function write(ctx: Context, row: MeetingRow, fields: Partial<MeetingRow>): MeetingRow {
  const written = { ...fields, updated_at: nextVersion(row.updated_at, ctx.now()) }
  ctx.later(
    db.updateTable('meetings').set(written).where('team_id', '=', ctx.team_id).where('id', '=', row.id),
  )
  return { ...row, ...written }
}

/** Serializes bookings with a host. */
export async function lockHost(ctx: Context, host_id: string): Promise<void> {
  await takeTurns(ctx, `${ctx.team_id} host ${host_id}`)
}

/** So that of two who ask with one key the second finds what the first has booked. */
export async function lockSource(ctx: Context, source_key: string): Promise<void> {
  await takeTurns(ctx, `${ctx.team_id} source ${source_key}`)
}

type Taken = { id: string; starts_at: string; ends_at: string }

/** When the host is in a meeting, by the beginning. */
export async function takenBetween(ctx: Context, host_id: string, from: string, until: string) {
  return ctx.all(
    raw<Taken>(sql`select id, starts_at, ends_at from meetings
      where team_id = ${ctx.team_id} and host_id = ${host_id} and status <> 'CANCELLED'
        and starts_at < ${until} and starts_at > ${from}::timestamptz - ${LONGEST} and ends_at > ${from}
      order by starts_at`),
  )
}

/**
 * Busy times from the host's external calendar, as last read. Our own meetings are in it too: they count
 * once.
 */
export async function busyBetween(ctx: Context, host_id: string, from: string, until: string) {
  return ctx.all(
    raw<Omit<Taken, 'id'>>(sql`select starts_at, ends_at from busy_times
      where team_id = ${ctx.team_id} and user_id = ${host_id} and starts_at < ${until} and ends_at > ${from}
        and not exists (select from meetings where team_id = ${ctx.team_id} and calendar_uid = busy_times.uid)
      order by starts_at`),
  )
}

/** Whether the host has a calendar elsewhere. */
export async function hasCalendar(ctx: Context, host_id: string): Promise<boolean> {
  const found = await ctx.first(
    raw<{ one: number }>(
      sql`select 1 as one from calendar_connections where team_id = ${ctx.team_id} and user_id = ${host_id}`,
    ),
  )
  return found !== undefined
}

export function forgetCalendar(ctx: Context, user_id: string): void {
  ctx.later(
    raw(sql`delete from calendar_connections where team_id = ${ctx.team_id} and user_id = ${user_id}`),
  )
}

/** The content of a calendar feed: upcoming and recent meetings, including cancelled ones. */
export async function listForFeed(
  ctx: Context,
  host_id: string,
  since: { held: string; cancelled: string },
  limit: number,
): Promise<MeetingRow[]> {
  return ctx.all(
    raw<MeetingRow>(sql`select ${sql.join(columns.map(column => sql.ref(column)))} from meetings
      where team_id = ${ctx.team_id} and host_id = ${host_id}
        and (status <> 'CANCELLED' and starts_at > ${since.held} or status = 'CANCELLED' and updated_at > ${since.cancelled})
      order by starts_at desc, id limit ${limit}`),
  )
}

function conditions(query: ListMeetings): RawBuilder<unknown>[] {
  return [
    ...isAnyOf('status', query.status),
    ...isAnyOf('host_id', query.host_id),
    ...(query.lead_id ? [sql`lead_id = ${query.lead_id}`] : []),
    ...(query.from
      ? [sql`ends_at > ${query.from}::timestamptz and starts_at > ${query.from}::timestamptz - ${LONGEST}`]
      : []),
    ...(query.until ? [sql`starts_at < ${query.until}::timestamptz`] : []),
  ]
}

function isByFacet({ status, host_id, lead_id, q }: ListMeetings): boolean {
  return Boolean(status ?? host_id) && !(lead_id || q)
}

function meetingsOf(ctx: Context) {
  return db.selectFrom('meetings').select(columns).where('team_id', '=', ctx.team_id)
}

async function takeTurns(ctx: Context, words: string): Promise<void> {
  await ctx.run(raw(sql`select pg_advisory_xact_lock(hashtextextended(${words}, 20))`))
}

/** No meeting is longer: so the index by the beginning finds those that have begun already. */
const LONGEST = sql.raw("interval '8 hours'")

const db = tables<{ meetings: MeetingRow & { team_id: string } }>()
