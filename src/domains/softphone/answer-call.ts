import type { Context } from '#platform/context.ts'
import { fence, type Job } from '#platform/jobs/queue.ts'
import { VoiceGone, VoiceRefused, type VoiceSession } from '#platform/ports/voice.ts'
import { findAgent } from '#domains/agents/service.ts'
import { endCall, findCall } from '#domains/calls/service.ts'
import { findLead } from '#domains/leads/service.ts'
import { briefOf, placeCall } from './place-call.ts'
import * as store from './store.ts'
import { wakeAttendant } from './wake.ts'

export const ANSWER_JOB = 'softphone.answer'
/** As SIP has it. */
export const BUSY = 486
export const DECLINED = 603

export type Answer =
  | { how: 'accept' | 'attach'; provider_call_id: string; call_id: string }
  | { how: 'refer'; provider_call_id: string; target: string; session: VoiceSession }
  | { how: 'reject'; provider_call_id: string; status_code: number }

/** Tells the line what becomes of a call that came in: outside any transaction, and again where it did not hear. */
export async function answerIncoming(ctx: Context, job: Job): Promise<void> {
  const answer = job.data as Answer
  const { voice } = ctx.runtime.ports
  switch (answer.how) {
    case 'reject':
      return unlessOver(voice.reject(answer.provider_call_id, answer.status_code))
    case 'refer':
      return refer(ctx, job, answer)
    case 'accept':
      return accept(ctx, job, answer)
    case 'attach':
      return attach(ctx, job, answer)
  }
}

/** A caller does not wait for days. */
export async function giveUpAnswer(ctx: Context, job: Job): Promise<void> {
  const answer = job.data as Answer
  if (!('call_id' in answer)) return
  const reason = 'The voice provider did not respond when answering the call.'
  await endCall(ctx, answer.call_id, { status: 'FAILED', at: ctx.now(), reason })
  store.removeAttended(ctx, [answer.call_id])
}

/** Only a call that was taken can be handed over. */
async function refer(ctx: Context, job: Job, answer: Answer & { how: 'refer' }): Promise<void> {
  const { voice } = ctx.runtime.ports
  const { provider_call_id, target, session } = answer
  const taken = await take(job, () => voice.accept(provider_call_id, session))
  if (taken !== true) return
  await voice.refer(provider_call_id, target).catch(async error => {
    if (!(error instanceof VoiceRefused)) throw error
    await unlessOver(voice.hangUp(provider_call_id))
  })
}

type Taken = { provider_call_id: string; call_id: string }

async function accept(ctx: Context, job: Job, { provider_call_id, call_id }: Taken): Promise<void> {
  const { voice } = ctx.runtime.ports
  const call = await findCall(ctx, call_id)
  if (call?.status !== 'DIALING' || (await store.findAttended(ctx, call_id))) return
  const agent = call.agent_id === null ? undefined : await findAgent(ctx, call.agent_id)
  if (!agent) return unlessOver(voice.reject(provider_call_id, DECLINED))
  const lead = call.lead_id === null ? undefined : await findLead(ctx, call.lead_id)
  const taken = await take(job, () =>
    voice.accept(provider_call_id, briefOf(ctx, call, { agent, lead }).session),
  )
  await ctx.transaction(async ctx => {
    fence(ctx, job)
    if (taken === true) await placeCall(ctx, call, { agent, lead })
    else await endCall(ctx, call_id, { ...taken, at: ctx.now() })
  })
}

async function attach(ctx: Context, job: Job, { provider_call_id, call_id }: Taken): Promise<void> {
  const { voice } = ctx.runtime.ports
  const attended = await store.findAttended(ctx, call_id)
  if (attended?.provider_call_id === provider_call_id) return
  if (!attended) return unlessOver(voice.reject(provider_call_id, DECLINED))
  const taken = await take(job, () => voice.accept(provider_call_id, attended.brief.session))
  await ctx.transaction(async ctx => {
    fence(ctx, job)
    if (taken === true) await store.rename(ctx, call_id, provider_call_id)
    else {
      await endCall(ctx, call_id, { ...taken, at: ctx.now() })
      store.removeAttended(ctx, [call_id])
    }
    ctx.afterCommit(() => wakeAttendant(ctx.runtime))
  })
}

/** Whether it is ours now, or how it ended. One that is refused at a second try may have been taken at the first. */
async function take(job: Job, ask: () => Promise<void>) {
  try {
    await ask()
    return true
  } catch (error) {
    if (error instanceof VoiceGone)
      return { status: 'NO_ANSWER' as const, reason: 'The caller hung up before the call was answered.' }
    if (!(error instanceof VoiceRefused)) throw error
    if (job.attempts > 1 || job.lost > 0) return true
    return { status: 'FAILED' as const, reason: error.message }
  }
}

async function unlessOver(told: Promise<void>): Promise<void> {
  await told.catch(error => {
    if (!(error instanceof VoiceRefused)) throw error
  })
}
