import type { Context } from '#platform/context.ts'
import type { Inbound, Outcome } from '#domains/webhooks/effects.ts'
import { meantBy, takeMeant, wordsIn } from './match-event.ts'
import { readAsked, readEnd, readHeard } from './event-data.ts'
import { addEndedCall, connectCall, endCall } from './service.ts'
import { asSpeaker } from './speaker.ts'
import type { CallRow } from './store.ts'
import { askForTool } from './tool-calls.ts'
import { addTranscript } from './transcript.ts'

const NOBODY: Outcome = { matched: false, note: 'No matching call, lead or phone number.' }

export async function takeConnected(ctx: Context, event: Inbound): Promise<Outcome> {
  const call = await callOf(ctx, event)
  if (!call) return NOBODY
  const { lead_id } = await connectCall(await asSpeaker(ctx, call), call.id, event.at)
  return { matched: true, lead_id }
}

export async function takeEnded(ctx: Context, event: Inbound): Promise<Outcome> {
  const { data } = event.data
  const meant = await meantBy(ctx, readHeard(data), event.at)
  if (!meant) return NOBODY
  const { known, unknown } = meant
  const by = await asSpeaker(ctx, known ?? unknown)
  const end = readEnd(data, event.at)
  const ended = known ? await endCall(by, known.id, end) : await addEndedCall(ctx, by, unknown, end)
  await addTranscript(by, ended, data.transcript)
  return { matched: true, lead_id: ended.lead_id }
}

export async function takeToolCall(ctx: Context, event: Inbound): Promise<Outcome> {
  const asked = readAsked(event.data.data, event.data.eventId)
  if (!asked) return { matched: false, note: 'No tool is named.' }
  const call = await callOf(ctx, event)
  if (!call) return NOBODY
  const by = await asSpeaker(ctx, call)
  // Only where they speak does anybody ask for a tool.
  const connected = await connectCall(by, call.id, event.at)
  const outcome = await askForTool(by, connected, asked, event)
  return { ...outcome, lead_id: connected.lead_id }
}

/** By what it may be told that two events are of one call, or with one lead. */
export function partiesTo(event: Inbound): string[] {
  return wordsIn(readHeard(event.data.data))
}

async function callOf(ctx: Context, { at, data: { data } }: Inbound): Promise<CallRow | undefined> {
  return takeMeant(ctx, readHeard(data), at)
}
