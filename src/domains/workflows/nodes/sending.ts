import type { Context } from '#platform/context.ts'
import type { EventOf } from '#platform/events.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { job, on, type JobDefinition, type Reaction } from '#platform/registry.ts'
import { messageEvents } from '#domains/messages/contract.ts'
import { giveUpMessages, sendMessages, type Author } from '#domains/messages/sending.ts'
import type { MessageRow } from '#domains/messages/service.ts'
import { isPaused } from '#domains/messages/settings.ts'
import { PAUSED, SEND_JOB } from './outreach.ts'

export const jobs: JobDefinition[] = [job(SEND_JOB, { outgoing: true, buried: loseWritten }, sendWritten)]

export const reactions: Reaction[] = [on(messageEvents.retried, 'workflows.message_retried', sendAgain)]

async function sendWritten(ctx: Context, job: Job): Promise<void> {
  await sendMessages(ctx, job, idsOf(job), author)
}

async function loseWritten(ctx: Context, job: Job): Promise<void> {
  await giveUpMessages(ctx, idsOf(job), author)
}

/** Somebody wants a message of a workflow sent after all. */
async function sendAgain(ctx: Context, { data }: EventOf<typeof messageEvents.retried>): Promise<void> {
  if (data.source_kind !== 'workflow') return
  enqueue(ctx, { kind: SEND_JOB, data: { ids: [data.message_id] } })
}

/** The run continued when its message was written: nothing waits for its delivery. */
const author: Author = { refuse, settling: async () => async () => {} }

/** The last word before it leaves the house. */
async function refuse(ctx: Context, messages: readonly MessageRow[]): Promise<Map<string, string>> {
  if (!(await isPaused(ctx))) return new Map()
  return new Map(messages.map(({ id }) => [id, PAUSED.reason]))
}

function idsOf({ data }: Job): string[] {
  return (data as { ids: string[] }).ids
}
