import type { Context } from '#platform/context.ts'
import { addWholeTranscript } from './lines.ts'
import type { CallRow } from './store.ts'
import { kept } from './text.ts'
import { LINE_LENGTH_MAX, LINES_MAX, type Speaker } from './values.ts'

/** A provider's transcript, for a call that Rapport did not listen to. */
export async function addTranscript(ctx: Context, call: CallRow, transcript: unknown): Promise<void> {
  await addWholeTranscript(ctx, call.id, readTranscript(transcript), call.connected_at ?? call.started_at)
}

type Said = { speaker: Speaker; text: string }

/** A text whose lines may begin with who speaks, or a list of `{role, text}`, as providers have it. */
export function readTranscript(transcript: unknown): Said[] {
  if (typeof transcript === 'string') return transcript.split('\n', LINES_MAX).flatMap(saidInLine)
  if (!Array.isArray(transcript)) return []
  return transcript.slice(0, LINES_MAX).flatMap(saidInItem)
}

const NAMED = /^\s*([A-Za-z]{2,12})\s*:\s*(?=\S)/

function saidInLine(line: string): Said[] {
  const named = NAMED.exec(line.slice(0, LINE_LENGTH_MAX))
  const speaker = named && speakers.get(named[1]!.toLowerCase())
  const text = kept(speaker ? line.slice(named[0].length) : line)
  return text === '' ? [] : [{ speaker: speaker ?? 'caller', text }]
}

function saidInItem(item: unknown): Said[] {
  if (typeof item === 'string') return saidInLine(item)
  if (typeof item !== 'object' || item === null) return []
  const { role, speaker, text, content, message } = item as Record<string, unknown>
  const said = [text, content, message].find(part => typeof part === 'string')
  if (said === undefined || kept(said) === '') return []
  const who = [role, speaker].find(part => typeof part === 'string') ?? ''
  return [{ speaker: speakers.get(who.slice(0, 20).toLowerCase()) ?? 'caller', text: kept(said) }]
}

const speakers = new Map<string, Speaker>([
  ...['agent', 'assistant', 'ai', 'bot', 'model'].map(word => [word, 'agent'] as const),
  ...['caller', 'user', 'customer', 'human', 'lead', 'callee'].map(word => [word, 'caller'] as const),
  ...['system', 'tool', 'function'].map(word => [word, 'system'] as const),
  ['person', 'person'],
])
