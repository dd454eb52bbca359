import type { Context } from '#platform/context.ts'
import { record, type Event } from '#platform/events.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import type { Outcome } from '#domains/webhooks/effects.ts'
import { callEvents, type CallLine } from './contract.ts'
import { findMeant } from './match-event.ts'
import { readAsked, readHeard, type Asked } from './event-data.ts'
import * as lineStore from './line-store.ts'
import { addLines, awaitTool, refOf, resultOf, announceLines, type ToolResult } from './lines.ts'
import { about } from './service.ts'
import { asSpeaker } from './speaker.ts'
import { findCall, type CallRow } from './store.ts'
import { kept, keptArguments } from './text.ts'
import { toolOf } from './tools/tools.ts'

export const TOOL_JOB = 'calls.tool'
const RESULT_LENGTH_MAX = 4_000
/** Somebody is on the phone: it goes before everything that is only due. */
const AHEAD_MS = 3_600_000

/**
 * Records a model's tool request, once per request. Tools that only need this transaction run immediately;
 * tools that reach outside run in a job of their own.
 */
export async function askForTool(
  ctx: Context,
  call: CallRow,
  { ref: name, tool: wanted, arguments: given }: Asked,
  event: Event,
): Promise<Outcome> {
  const ref = refOf(name)
  const tool = toolOf(wanted)
  const asked: CallLine['tool'] = {
    name: wanted,
    arguments: keptArguments(given),
    status: 'asked',
    result: null,
  }
  await addLines(ctx, [
    { call_id: call.id, ref, speaker: 'tool', text: `Requested ${wanted}.`, tool: asked, at: event.at },
  ])
  const line = await lineStore.lockLine(ctx, call.id, ref)
  if (!line?.tool || resultOf(line)) return { matched: true, note: 'Already processed.' }
  await tool.asked?.(ctx, call)
  if (tool.reachesOut) {
    enqueue(ctx, {
      kind: TOOL_JOB,
      event_id: event.id,
      data: { call_id: call.id, ref },
      run_at: ctx.in(-AHEAD_MS),
    })
    return { matched: true }
  }
  const result = await tool.use(ctx, { call, ref, name: line.tool.name, arguments: line.tool.arguments })
  settle(ctx, call, line, result)
  return result.ok ? { matched: true } : { matched: true, note: result.text.slice(0, NOTE_LENGTH_MAX) }
}
const NOTE_LENGTH_MAX = 500

/** What reaches outside holds nothing meanwhile. Done again after a fall, it comes to the same: what it does is done by its name. */
export async function useTool(ctx: Context, job: Job): Promise<void> {
  const { call_id, ref } = job.data as { call_id: string; ref: string }
  const call = await findCall(ctx, call_id)
  const line = await lineStore.findLine(ctx, call_id, ref)
  if (!call || !line?.tool || resultOf(line)) return
  const by = await asSpeaker(ctx, call)
  const { name, arguments: given } = line.tool
  const result = await toolOf(name).use(by, { call, ref, name, arguments: given })
  await settleOnce(by, call, ref, result)
}

/** A caller that waits for the result must not wait forever. */
export async function giveUpTool(ctx: Context, job: Job): Promise<void> {
  const { call_id, ref } = job.data as { call_id: string; ref: string }
  const call = await findCall(ctx, call_id)
  if (call)
    await settleOnce(ctx, call, ref, { ok: false, text: 'That did not work. The team will look into it.' })
}

/** For a provider that waits: the result of its tool as soon as it is known. */
export async function answerTool(
  ctx: Context,
  { eventId, data }: { eventId: string; data: Record<string, unknown> },
  timeoutMs: number,
): Promise<{ toolCallId: string; result: ToolResult } | undefined> {
  const asked = readAsked(data, eventId)
  const call = asked && (await findMeant(ctx, readHeard(data)))
  const result = call && (await awaitTool(ctx, call.id, asked.ref, timeoutMs))
  return result && { toolCallId: asked.ref, result }
}

async function settleOnce(ctx: Context, call: CallRow, ref: string, result: ToolResult): Promise<void> {
  await ctx.transaction(async ctx => {
    const line = await lineStore.lockLine(ctx, call.id, ref)
    if (line?.tool && !resultOf(line)) settle(ctx, call, line, result)
  })
}

function settle(ctx: Context, call: CallRow, line: lineStore.LineRow, { ok, text }: ToolResult): void {
  const result = kept(text, RESULT_LENGTH_MAX)
  const tool = { ...line.tool!, status: ok ? ('done' as const) : ('failed' as const), result }
  const settled = { ...line, text: result, tool }
  lineStore.updateLine(ctx, line, settled)
  announceLines(ctx, call.id, [settled])
  record(ctx, callEvents.toolUsed, about(call), { tool: tool.name, ok, text: result })
}
