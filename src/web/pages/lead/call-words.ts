import type { TimelineEntry } from '#domains/leads/contract.ts'
import type { RecordWords, Told } from './timeline-entry.ts'

type Caused = Partial<Pick<TimelineEntry, 'cause'>>

/** All events of calls, for the timeline filter. */
export const callTypes = [
  'call.started',
  'call.connected',
  'call.ended',
  'call.changed',
  'call.tool_used',
  'call_consent.changed',
]

/** A call event on the timeline of a lead, as the rest of a sentence. */
export function callWords({ type, subject, data }: Told): RecordWords | undefined {
  const record = { kind: 'call' as const, id: subject.id, name: 'a call' }
  switch (type) {
    case 'call.started':
      return { before: begun(data), record }
    case 'call.connected':
      return { before: 'reported that', record, after: 'was answered' }
    case 'call.ended':
      return { before: data.kind === 'manual' ? 'logged' : 'reported that', record, after: endInWords(data) }
    case 'call.changed':
      return { before: changeInWords(data), record }
    case 'call.tool_used':
      return { before: `${data.ok === false ? 'tried' : 'used'} “${toolInWords(data.tool)}” in`, record }
    case 'call_consent.changed':
      return {
        before:
          data.given === true
            ? 'recorded that agents may call this lead'
            : 'recorded that agents must not call this lead',
      }
    default:
      return undefined
  }
}

/** Leaves out technical events: the dialling of a call that was logged by hand, and the follow-up of any call. */
export function isCallTold({ type, data, cause }: Pick<Told, 'type' | 'data'> & Caused): boolean {
  if (type === 'call.started' || type === 'call.connected') return data.kind !== 'manual'
  if (type === 'call.tool_used') return data.tool !== 'end_call' || data.ok === false
  if (type !== 'call.changed' || cause?.kind === 'person') return true
  return Object.keys(afterOf(data)).some(key => !byMachine.includes(key))
}

const byMachine = ['follow_up', 'outcome', 'summary', 'recording_url', 'duration_sec', 'updated_at']

/** Details of the event. Text from strangers or a model. */
export function callDetail({ type, data }: Told): { quote: string; about: string } {
  if (type === 'call.ended') return { quote: text(data.summary), about: text(data.outcome) }
  if (type === 'call.tool_used') return { quote: '', about: text(data.text) }
  if (type === 'call_consent.changed') return { quote: '', about: text(data.source) }
  return { quote: '', about: '' }
}

function begun({ kind, direction, status }: Told['data']): string {
  if (status === 'SCHEDULED') return 'scheduled'
  if (kind === 'manual') return 'logged'
  return direction === 'inbound' ? 'received' : 'started'
}

const ends: Record<string, string> = {
  NO_ANSWER: 'was not answered',
  VOICEMAIL: 'reached voicemail',
  FAILED: 'failed',
  CANCELLED: 'was cancelled',
}

function endInWords({ kind, status, durationSec }: Told['data']): string {
  const bad = ends[String(status)]
  if (bad) return kind === 'manual' ? `that ${bad}` : bad
  const long = typeof durationSec === 'number' && durationSec > 0 ? ` ${minutes(durationSec)}` : ''
  if (kind === 'manual') return long && `of${long}`
  return long ? `ended after${long}` : 'ended'
}

function minutes(seconds: number): string {
  return seconds < 60 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
}

function changeInWords(data: Told['data']): string {
  const after = afterOf(data)
  if (after.status === 'CANCELLED') return 'cancelled'
  const names = Object.keys(after).filter(name => name !== 'updated_at')
  if (names.length === 1 && names[0] === 'scheduled_at') return 'rescheduled'
  return `changed ${names.map(name => name.replaceAll('_', ' ')).join(', ') || 'something'} of`
}

function afterOf({ after }: Told['data']): Told['data'] {
  return (after && typeof after === 'object' ? after : {}) as Told['data']
}

function toolInWords(tool: unknown): string {
  return text(tool).replaceAll('_', ' ') || 'a tool'
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
