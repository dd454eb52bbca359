import type { Context } from '#platform/context.ts'
import type { Inbound, Outcome } from '#domains/webhooks/effects.ts'
import { takeMeant } from './finding.ts'
import { readAsked, readEnd, readHeard } from './heard.ts'
import { connectCall, endCall } from './service.ts'
import { asSpeaker } from './speaker.ts'
import type { CallRow } from './store.ts'
import { askForTool } from './tool-calls.ts'
import { addTranscript } from './transcript.ts'

const NOBODY: Outcome = { matched: false, note: 'It names no call, lead or number that we know.' }

export async function takeConnected(ctx: Context, event: Inbound): Promise<Outcome> {
  return about(ctx, event, async (ctx, call) => {
    await connectCall(ctx, call.id, event.at)
    return { matched: true }
  })
}

export async function takeEnded(ctx: Context, event: Inbound): Promise<Outcome> {
  const { data } = event.data
  return about(ctx, event, async (ctx, call) => {
    const ended = await endCall(ctx, call.id, readEnd(data, event.at))
    await addTranscript(ctx, ended, data.transcript)
    return { matched: true }
  })
}

export async function takeToolCall(ctx: Context, event: Inbound): Promise<Outcome> {
  const asked = readAsked(event.data.data, event.data.eventId)
  if (!asked) return { matched: false, note: 'It names no tool.' }
  return about(ctx, event, (ctx, call) => askForTool(ctx, call, asked, event))
}

async function about(
  ctx: Context,
  event: Inbound,
  act: (ctx: Context, call: CallRow) => Promise<Outcome>,
): Promise<Outcome> {
  const { data, guessed = false } = event.data
  const call = await takeMeant(ctx, readHeard(data), { at: event.at, guessed })
  return call ? act(await asSpeaker(ctx, call), call) : NOBODY
}
