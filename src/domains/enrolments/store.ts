import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { raw, tables } from '#platform/database/tables.ts'
import type { Enrolment, Icebreaker, TraceEntry } from './contract.ts'

export type EnrolmentRow = Enrolment & {
  team_id: string
  round: number
  wait_id: string | null
  message_id: string | null
  slot_on: string | null
}

export const enrolmentColumns = [
  'id',
  'lead_id',
  'sequence_id',
  'version',
  'status',
  'step_index',
  'next_step_at',
  'held',
  'stop_reason',
  'paused_at',
  'enrolled_by',
  'started_at',
  'sent_at',
  'opened_at',
  'clicked_at',
  'replied_at',
  'booked_at',
  'converted_at',
  'ended_at',
  'created_at',
  'updated_at',
] as const satisfies (keyof Enrolment)[]

export type TraceRow = TraceEntry & { team_id: string }

/** What may change after an enrolment was made, with the type of its column. */
const mutable = {
  version: 'int',
  status: 'text',
  step_index: 'smallint',
  round: 'int',
  next_step_at: 'timestamptz',
  wait_id: 'text',
  message_id: 'text',
  held: 'text',
  stop_reason: 'text',
  paused_at: 'timestamptz',
  slot_on: 'date',
  started_at: 'timestamptz',
  sent_at: 'timestamptz',
  opened_at: 'timestamptz',
  clicked_at: 'timestamptz',
  replied_at: 'timestamptz',
  booked_at: 'timestamptz',
  converted_at: 'timestamptz',
  ended_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const satisfies Partial<Record<keyof EnrolmentRow, string>>
export type Mutable = keyof typeof mutable

/** Many rows in one statement: of each what has changed in any of them. */
export function updateEnrolments(
  ctx: Context,
  rows: readonly EnrolmentRow[],
  columns: readonly Mutable[],
): void {
  if (rows.length === 0 || columns.length === 0) return
  const ids = rows.map(({ id }) => id)
  const names = sql.join(columns.map(column => sql.ref(column)))
  const values = columns.map(column => sql`${rows.map(row => row[column])}::${sql.raw(mutable[column])}[]`)
  const assignments = columns.map(column => sql`${sql.ref(column)} = fresh.${sql.ref(column)}`)
  ctx.later(
    raw(sql`update enrolments set ${sql.join(assignments)}
      from unnest(${ids}::text[], ${sql.join(values)}) as fresh (id, ${names})
      where enrolments.team_id = ${ctx.team_id} and enrolments.id = fresh.id
        and enrolments.id = any(${ids}::text[])`),
  )
}

export const mutableColumns = Object.keys(mutable) as Mutable[]

/** Those that could be made: a lead that is in the sequence already is passed over. */
export async function insertEnrolments(ctx: Context, rows: readonly EnrolmentRow[]): Promise<Set<string>> {
  const made: { id: string }[] = []
  for (const batch of batchesOf(rows)) {
    made.push(
      ...(await ctx.all(
        db
          .insertInto('enrolments')
          .values([...batch])
          .onConflict(conflict => conflict.doNothing())
          .returning('id'),
      )),
    )
  }
  return new Set(made.map(({ id }) => id))
}

export type Standing = Pick<EnrolmentRow, 'id' | 'sequence_id' | 'message_id' | 'paused_at' | 'ended_at'>

/** Whether they are still active, and with which message. */
export async function findStanding(ctx: Context, ids: readonly string[]): Promise<Standing[]> {
  return ctx.all(
    raw<Standing>(sql`select id, sequence_id, message_id, paused_at, ended_at from enrolments
      where team_id = ${ctx.team_id} and id = any(${ids}::text[])`),
  )
}

export async function findEnrolment(ctx: Context, id: string): Promise<EnrolmentRow | undefined> {
  return ctx.first(
    db.selectFrom('enrolments').selectAll().where('team_id', '=', ctx.team_id).where('id', '=', id),
  )
}

/** Locked in the order of ids, so that two who change several of them cannot wait for each other in a circle. */
export async function lockEnrolments(ctx: Context, ids: readonly string[]): Promise<EnrolmentRow[]> {
  return ctx.all(
    raw<EnrolmentRow>(sql`select * from enrolments where team_id = ${ctx.team_id} and id = any(${ids}::text[])
      order by id for no key update`),
  )
}

export async function lockOfLeads(ctx: Context, leads: readonly string[]): Promise<EnrolmentRow[]> {
  return ctx.all(
    raw<EnrolmentRow>(sql`select * from enrolments
      where team_id = ${ctx.team_id} and lead_id = any(${leads}::text[]) order by id for no key update`),
  )
}

/**
 * Some that are under way and meet this, from a place on; for going through many of them in blocks. Of those that are held,
 * whatever is due comes along: a worker may be about to hold it for a reason that is gone by now, and is waited for.
 */
export async function lockSome(
  ctx: Context,
  {
    after,
    limit,
    sequence_id,
    holds,
  }: { after: string; limit: number; sequence_id?: string; holds?: readonly string[] },
): Promise<EnrolmentRow[]> {
  const conditions = [
    sql`team_id = ${ctx.team_id}`,
    sql`id > ${after}`,
    sql`ended_at is null`,
    ...(sequence_id ? [sql`sequence_id = ${sequence_id}`] : []),
    ...(holds ? [sql`(held = any(${holds}::text[]) or next_step_at <= ${ctx.now()})`] : []),
  ]
  return ctx.all(
    raw<EnrolmentRow>(sql`select * from enrolments where ${sql.join(conditions, sql` and `)}
      order by id limit ${limit} for no key update`),
  )
}

/** Which of these leads are in this sequence, or have been. */
export async function findInSequence(ctx: Context, sequence_id: string, leads: readonly string[]) {
  return ctx.all(
    raw<Pick<Enrolment, 'lead_id' | 'ended_at'>>(sql`select lead_id, ended_at from enrolments
      where team_id = ${ctx.team_id} and sequence_id = ${sequence_id} and lead_id = any(${leads}::text[])`),
  )
}

/** In which other sequences these leads are just now. */
export async function findInOthers(ctx: Context, sequence_id: string, leads: readonly string[]) {
  return ctx.all(
    raw<Pick<Enrolment, 'lead_id' | 'sequence_id'>>(sql`select lead_id, sequence_id from enrolments
      where team_id = ${ctx.team_id} and lead_id = any(${leads}::text[]) and sequence_id <> ${sequence_id}
        and ended_at is null`),
  )
}

const insertTraceRows = inserter<TraceRow>('enrolment_trace', [
  'team_id',
  'enrolment_id',
  'id',
  'lead_id',
  'sequence_id',
  'step_index',
  'decision',
  'reason',
  'message_id',
  'until',
  'at',
])

export function insertTrace(ctx: Context, rows: readonly TraceRow[]): void {
  for (const batch of batchesOf(rows)) ctx.later(insertTraceRows(batch))
}

/** How many of so many wanted places of a day there are still; they are taken. The first one's number comes along. */
export async function takePlaces(
  ctx: Context,
  sequence_id: string,
  day: string,
  wanted: number,
  cap: number,
): Promise<{ first: number; count: number }> {
  const key = { team_id: ctx.team_id, sequence_id, day }
  ctx.later(
    db
      .insertInto('sequence_days')
      .values({ ...key, taken: 0 })
      .onConflict(conflict => conflict.doNothing()),
  )
  const row = await ctx.first(
    raw<{ taken: number }>(sql`select taken from sequence_days
      where team_id = ${ctx.team_id} and sequence_id = ${sequence_id} and day = ${day}::date for update`),
  )
  const first = row!.taken
  const count = Math.max(0, Math.min(wanted, cap - first))
  if (count > 0) {
    ctx.later(
      raw(sql`update sequence_days set taken = taken + ${count}
        where team_id = ${ctx.team_id} and sequence_id = ${sequence_id} and day = ${day}::date`),
    )
  }
  return { first, count }
}

export async function findIcebreakers(
  ctx: Context,
  enrolments: readonly string[],
): Promise<(Icebreaker & { team_id: string })[]> {
  if (enrolments.length === 0) return []
  return ctx.all(
    raw<Icebreaker & { team_id: string }>(sql`select * from icebreakers
      where team_id = ${ctx.team_id} and enrolment_id = any(${enrolments}::text[]) order by step_index`),
  )
}

/** What a person has approved stays, whatever is written later. */
export function saveIcebreaker(ctx: Context, row: Icebreaker): void {
  const { enrolment_id, step_index, ...rest } = row
  ctx.later(
    db
      .insertInto('icebreakers')
      .values({ team_id: ctx.team_id, enrolment_id, step_index, ...rest })
      .onConflict(conflict =>
        conflict
          .columns(['team_id', 'enrolment_id', 'step_index'])
          .doUpdateSet(rest)
          .where('icebreakers.reviewed_at', 'is', null),
      ),
  )
}

export function approveIcebreaker(ctx: Context, row: Icebreaker): void {
  const { enrolment_id, step_index, text, reviewed_at, reviewed_by } = row
  ctx.later(
    db
      .updateTable('icebreakers')
      .set({ text, reviewed_at, reviewed_by })
      .where('team_id', '=', ctx.team_id)
      .where('enrolment_id', '=', enrolment_id)
      .where('step_index', '=', step_index),
  )
}

const db = tables<{
  enrolments: EnrolmentRow
  sequence_days: { team_id: string; sequence_id: string; day: string; taken: number }
  icebreakers: Icebreaker & { team_id: string }
}>()
