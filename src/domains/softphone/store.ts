import { sql } from 'kysely'
import { CLOCK_SKEW_MAX_MS } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { atOnce } from '#platform/database/at-once.ts'
import { raw, tables } from '#platform/database/tables.ts'
import type { VoiceSession } from '#platform/ports/voice.ts'

/** The fixed data of a call that its attendant needs. */
export type Brief = {
  session: VoiceSession
  about: { name: string | null; timezone: string }
  direction: 'inbound' | 'outbound'
  agent_id: string | null
  from: string | null
  to: string | null
  transfer_to: string | null
}

export type AttendedRow = {
  call_id: string
  team_id: string
  lead_id: string | null
  number: string | null
  provider: string
  provider_call_id: string | null
  brief: Brief
  dialling_at: string | null
  dial_tries: number
  came_round: boolean
  connected_at: string | null
  resume: unknown
  owner: string | null
  lease_until: string
  fence: number
  created_at: string
}

/** A call in somebody's hand: who holds another fence writes nothing. */
export type Held = { call_id: string; fence: number }

export type NewAttended = Pick<
  AttendedRow,
  'call_id' | 'lead_id' | 'number' | 'provider' | 'provider_call_id' | 'brief'
>

/** Free from the start: the next attendant that looks takes it. */
export async function insertAttended(ctx: Context, row: NewAttended): Promise<void> {
  await ctx.run(
    raw(sql`insert into attended_calls
        (call_id, team_id, lead_id, number, provider, provider_call_id, brief, lease_until, created_at)
      values (${row.call_id}, ${ctx.team_id}, ${row.lead_id}, ${row.number}, ${row.provider},
        ${row.provider_call_id}, ${JSON.stringify(row.brief)}, ${ctx.now()}, ${ctx.now()})
      on conflict (call_id) do nothing`),
  )
}

/** Takes calls that nobody holds, or whose holder gave no sign of life. Those that somebody else is taking are passed over. */
export async function claimFree(
  ctx: Context,
  owner: string,
  until: string,
  limit: number,
): Promise<AttendedRow[]> {
  return ctx.all(
    raw<AttendedRow>(sql`update attended_calls set owner = ${owner}, lease_until = ${until}, fence = fence + 1
      where call_id = any(array(select call_id from attended_calls where lease_until <= ${ctx.now()}
        order by lease_until limit ${limit} for update skip locked))
      returning *`),
  )
}

/**
 * A lease that ends later than any clock that is right can have said was written by a process whose clock was ahead. If it
 * died, its calls would wait until then. If it is alive, its next heartbeat extends the lease.
 */
export async function freeStray(ctx: Context, leaseMs: number): Promise<number> {
  return ctx.run(
    raw(sql`update attended_calls set lease_until = ${ctx.in(leaseMs)}
      where lease_until > ${ctx.in(leaseMs + CLOCK_SKEW_MAX_MS)}`),
  )
}

/** Keeps what is in hand, and answers what is still ours. */
export async function extend(ctx: Context, owner: string, held: readonly Held[], until: string) {
  // In the same order as other writers lock them, so there are no deadlocks.
  const rows = await ctx.all(
    raw<{ call_id: string }>(sql`update attended_calls set lease_until = ${until}
      where call_id = any(array(${ours(owner, held)} for no key update of attended_calls)) returning call_id`),
  )
  return idsOf(rows)
}

/** Those that are still ours; nobody takes them before the transaction ends. */
export async function lockOurs(ctx: Context, owner: string, held: readonly Held[]): Promise<Set<string>> {
  return idsOf(
    await ctx.all(raw<{ call_id: string }>(sql`${ours(owner, held)} for no key update of attended_calls`)),
  )
}

function ours(owner: string, held: readonly Held[]) {
  return sql`select attended_calls.call_id from attended_calls
    join unnest(${held.map(({ call_id }) => call_id)}::text[], ${held.map(({ fence }) => fence)}::bigint[])
      as held (call_id, fence) on held.call_id = attended_calls.call_id and held.fence = attended_calls.fence
    where attended_calls.owner = ${owner} order by attended_calls.call_id`
}

type Dialling = Partial<Pick<AttendedRow, 'dialling_at' | 'dial_tries' | 'provider_call_id'>>

/** Whether it is still ours. */
export async function noteDialling(ctx: Context, owner: string, held: Held, fields: Dialling) {
  const changed = await ctx.run(
    db
      .updateTable('attended_calls')
      .set(fields)
      .where('call_id', '=', held.call_id)
      .where('owner', '=', owner)
      .where('fence', '=', held.fence),
  )
  return changed > 0
}

export type Progress = { call_id: string; resume: unknown; connected_at: string | null }

export function saveProgress(ctx: Context, rows: readonly Progress[]): void {
  if (rows.length === 0) return
  ctx.later(
    raw(sql`update attended_calls set resume = coalesce(told.resume, attended_calls.resume),
        connected_at = coalesce(attended_calls.connected_at, told.connected_at)
      from unnest(${rows.map(({ call_id }) => call_id)}::text[],
        ${rows.map(({ resume }) => (resume === undefined ? null : JSON.stringify(resume)))}::jsonb[],
        ${rows.map(({ connected_at }) => connected_at)}::timestamptz[]) as told (call_id, resume, connected_at)
      where attended_calls.call_id = told.call_id`),
  )
}

export function removeAttended(ctx: Context, call_ids: readonly string[]): void {
  if (call_ids.length === 0) return
  ctx.later(raw(sql`delete from attended_calls where call_id = any(${call_ids}::text[])`))
}

/** Everything that somebody holds is anybody's at once. */
export async function handBack(ctx: Context, owner: string): Promise<number> {
  return ctx.run(
    raw(sql`update attended_calls set owner = null, lease_until = ${ctx.now()} where owner = ${owner}`),
  )
}

/** It came back through the phone network; a second claim is someone else's. */
export function noteComeRound(ctx: Context, call_id: string): void {
  ctx.later(
    raw(
      sql`update attended_calls set came_round = true where team_id = ${ctx.team_id} and call_id = ${call_id}`,
    ),
  )
}

/** The provider now knows it by another name: its holder lets go, and it is started again under that name. */
export async function rename(ctx: Context, call_id: string, provider_call_id: string): Promise<boolean> {
  const changed = await ctx.run(
    raw(sql`update attended_calls set provider_call_id = ${provider_call_id}, owner = null,
        lease_until = ${ctx.now()}, fence = fence + 1, resume = null
      where team_id = ${ctx.team_id} and call_id = ${call_id}`),
  )
  return changed > 0
}

export async function findAttended(ctx: Context, call_id: string): Promise<AttendedRow | undefined> {
  return ctx.first(
    raw<AttendedRow>(
      sql`select * from attended_calls where team_id = ${ctx.team_id} and call_id = ${call_id}`,
    ),
  )
}

export const lockAttended = atOnce<string, AttendedRow | undefined>(async (ctx, ids) => {
  const rows = await ctx.all(
    raw<AttendedRow>(sql`select * from attended_calls where team_id = ${ctx.team_id}
      and call_id = any(${ids}::text[]) order by call_id for update`),
  )
  const found = new Map(rows.map(row => [row.call_id, row]))
  return ids.map(id => found.get(id))
})

/** No call lasts so long: whatever it was, nobody attends to it any more. */
export async function deleteAttendedBefore(ctx: Context, before: string): Promise<number> {
  return ctx.run(
    raw(sql`delete from attended_calls where team_id = ${ctx.team_id} and created_at < ${before}`),
  )
}

/** Serializes new calls of a team, so that its limits hold. */
export async function lockBeginning(ctx: Context): Promise<void> {
  await ctx.run(raw(sql`select pg_advisory_xact_lock(hashtextextended(${`${ctx.team_id} calls begin`}, 22))`))
}

export async function countLive(ctx: Context): Promise<number> {
  const row = await ctx.first(
    raw<{ count: number }>(sql`select count(*) as count from attended_calls where team_id = ${ctx.team_id}`),
  )
  return row!.count
}

export async function isAttendedTo(ctx: Context, lead_id: string | null, number: string): Promise<boolean> {
  const rows = await ctx.all(
    raw(sql`select 1 from attended_calls
      where team_id = ${ctx.team_id} and (lead_id = ${lead_id} or number = ${number}) limit 1`),
  )
  return rows.length > 0
}

export type Command = { id: string; call_id: string; kind: 'prompt' | 'stop'; text: string | null }

export function insertCommand(ctx: Context, command: Command): void {
  const { id, call_id, kind, text } = command
  ctx.later(
    raw(sql`insert into call_commands (id, team_id, call_id, kind, text, created_at)
      select ${id}, team_id, call_id, ${kind}, ${text}, ${ctx.now()} from attended_calls
      where team_id = ${ctx.team_id} and call_id = ${call_id}`),
  )
}

/** What is wanted of the calls that somebody holds, in the order it was asked for. */
export async function findCommands(ctx: Context, owner: string): Promise<Command[]> {
  return ctx.all(
    raw<Command>(sql`select call_commands.id, call_commands.call_id, kind, text from call_commands
      join attended_calls on attended_calls.call_id = call_commands.call_id
      where attended_calls.owner = ${owner} order by call_commands.id`),
  )
}

export async function deleteCommands(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await ctx.run(raw(sql`delete from call_commands where id = any(${ids}::text[])`))
}

export function insertBrief(ctx: Context, call_id: string, instructions: string): void {
  ctx.later(
    raw(sql`insert into call_briefs (team_id, call_id, instructions)
      values (${ctx.team_id}, ${call_id}, ${instructions}) on conflict do nothing`),
  )
}

export async function findBrief(ctx: Context, call_id: string): Promise<string | undefined> {
  const row = await ctx.first(
    raw<{ instructions: string }>(sql`select instructions from call_briefs
      where team_id = ${ctx.team_id} and call_id = ${call_id}`),
  )
  return row?.instructions
}

function idsOf(rows: readonly { call_id: string }[]): Set<string> {
  return new Set(rows.map(({ call_id }) => call_id))
}

const db = tables<{ attended_calls: AttendedRow }>()
