import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import type { SequenceNumbers } from './contract.ts'

type Whole = Omit<SequenceNumbers, 'steps' | 'by_status'>

export async function countEnrolments(
  ctx: Context,
  sequence_id: string,
): Promise<Whole & Pick<SequenceNumbers, 'by_status'>> {
  const own = sql`team_id = ${ctx.team_id} and sequence_id = ${sequence_id}`
  const [whole, statuses] = await Promise.all([
    ctx.first(
      raw<Whole>(sql`select count(*) as enrolled,
          count(*) filter (where ended_at is null) as active,
          count(*) filter (where ended_at is null and held is not null) as held,
          count(sent_at) as sent, count(opened_at) as opened, count(clicked_at) as clicked,
          count(replied_at) as replied, count(booked_at) as booked, count(converted_at) as converted,
          count(*) filter (where stop_reason = 'bounced') as bounced,
          count(*) filter (where stop_reason = 'finished') as finished,
          count(*) filter (where ended_at is not null and stop_reason <> 'finished') as stopped
        from enrolments where ${own}`),
    ),
    ctx.all(
      raw<{ status: string; count: number }>(
        sql`select status, count(*) as count from enrolments where ${own} group by status`,
      ),
    ),
  ])
  return { ...whole!, by_status: Object.fromEntries(statuses.map(({ status, count }) => [status, count])) }
}

/** Whose next step each is. */
export async function countWaiting(ctx: Context, sequence_id: string) {
  return ctx.all(
    raw<{ step_index: number; count: number }>(sql`select step_index, count(*) as count from enrolments
      where team_id = ${ctx.team_id} and sequence_id = ${sequence_id} and ended_at is null group by step_index`),
  )
}

/** What steps came to that is no message. */
export async function countDecisions(ctx: Context, sequence_id: string) {
  return ctx.all(
    raw<{
      step_index: number
      decision: string
      count: number
    }>(sql`select step_index, decision, count(*) as count
      from enrolment_trace
      where team_id = ${ctx.team_id} and sequence_id = ${sequence_id} and decision in ('task', 'skipped')
      group by step_index, decision`),
  )
}
