import type { Context } from '#platform/context.ts'
import { enqueueAll, type Job } from '#platform/jobs/queue.ts'
import { mailReminderSoon } from './invitations.ts'
import * as store from './store.ts'
import type { MeetingRow } from './store.ts'

export const REMIND_JOB = 'meetings.remind'
const HOUR_MS = 3_600_000

/** How long before, the earliest first; each is of use until the next one comes. */
const AHEAD = [
  { ms: 24 * HOUR_MS, soon: 'tomorrow' },
  { ms: HOUR_MS, soon: 'in an hour' },
] as const

type Reminder = { meeting_id: string; moves: number; turn: number }

/** Those that are still to come. Those of an earlier time of it find that they are meant no more. */
export function arrangeReminders(ctx: Context, { id, moves, starts_at }: MeetingRow): void {
  const waits = AHEAD.map(({ ms }, turn) => ({
    kind: REMIND_JOB,
    data: { meeting_id: id, moves, turn } satisfies Reminder,
    run_at: new Date(Date.parse(starts_at) - ms).toISOString(),
  }))
  enqueueAll(
    ctx,
    waits.filter(({ run_at }) => run_at > ctx.now()),
  )
}

/** One that comes so late that the next is due already, or the meeting itself, is left out. */
export async function remind(ctx: Context, job: Job): Promise<void> {
  const { meeting_id, moves, turn } = job.data as Reminder
  const meeting = await store.lock(ctx, meeting_id)
  if (!meeting || meeting.status !== 'BOOKED' || meeting.moves !== moves) return
  const ahead = Date.parse(meeting.starts_at) - ctx.runtime.clock.now()
  if (ahead <= (AHEAD[turn + 1]?.ms ?? 0)) return
  await mailReminderSoon(ctx, meeting, AHEAD[turn]!.soon)
}
