import { isId } from '#platform/ids.ts'
import { readPhone } from '#platform/phone.ts'
import type { CallEnd } from './service.ts'
import { kept, keptLine } from './text.ts'
import { DURATION_SEC_MAX, SUMMARY_LENGTH_MAX, type CallDirection } from './values.ts'

type Data = Record<string, unknown>

/** What a provider's event says of a call. Everything in it may be missing, and nothing in it is trusted to be what it should. */
export type Heard = {
  call_id: string | undefined
  lead_id: string | undefined
  agent_id: string | undefined
  direction: CallDirection | undefined
  from: string | undefined
  to: string | undefined
}

const ID_LENGTH_MAX = 255
const URL_LENGTH_MAX = 2_000

export function readHeard(data: Data): Heard {
  return {
    call_id: nameOf(data.callId ?? data.call_id),
    lead_id: isId(data.leadId) ? data.leadId : undefined,
    agent_id: isId(data.agentId) ? data.agentId : undefined,
    direction: data.direction === 'inbound' || data.direction === 'outbound' ? data.direction : undefined,
    from: numberOf(data.from),
    to: numberOf(data.to),
  }
}

export type Asked = { ref: string; tool: string; arguments: unknown }

/** Which tool a model asks for; undefined where it names none. */
export function readAsked(data: Data, eventId: string): Asked | undefined {
  const tool = keptLine(data.tool ?? data.name, 100)
  if (tool === undefined) return undefined
  return { ref: nameOf(data.toolCallId) ?? `event ${eventId}`, tool, arguments: data.arguments }
}

/** How a call ended. Providers have many words for it: those that say that nobody was spoken with count. */
export function readEnd(data: Data, at: string): CallEnd {
  const outcome = keptLine(data.outcome, 500)
  const reason = keptLine(data.reason, 500)
  return {
    status: statusOf(data.status) ?? statusOf(data.outcome) ?? statusOf(data.reason) ?? 'ENDED',
    at,
    duration_sec: durationOf(data.durationSec ?? data.duration_sec),
    outcome,
    reason,
    summary: summaryIn(data.summary),
    recording_url: addressOf(data.recordingUrl ?? data.recording_url),
  }
}

/** What somebody else sums up; nothing where nothing is left of it. */
export function summaryIn(value: unknown): string | undefined {
  return typeof value === 'string' ? kept(value, SUMMARY_LENGTH_MAX) || undefined : undefined
}

const words: readonly [RegExp, CallEnd['status']][] = [
  [/^(?:no[ _-]?answer|unanswered|not[ _-]?answered|missed|canceled|cancelled)$/i, 'NO_ANSWER'],
  [/^(?:voice[ _-]?mail|(?:answering[ _-]?)?machine.{0,20})$/i, 'VOICEMAIL'],
  [/^(?:failed|busy|rejected|declined|error|unreachable|invalid[ _-]?number)$/i, 'FAILED'],
  [/^(?:ended|completed|done|answered)$/i, 'ENDED'],
]

function statusOf(value: unknown): CallEnd['status'] | undefined {
  const word = keptLine(value, 60)
  return word === undefined ? undefined : words.find(([expression]) => expression.test(word))?.[1]
}

function durationOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : value
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0) return undefined
  return Math.min(Math.round(seconds), DURATION_SEC_MAX)
}

function addressOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > URL_LENGTH_MAX) return undefined
  // oxlint-disable-next-line no-control-regex
  return /^https?:\/\/[^\s<>"\u0000-\u001f]+$/.test(value) ? value : undefined
}

/** As it is, or not at all: cut off, it would be another's. */
function nameOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || text.length > ID_LENGTH_MAX) return undefined
  return keptLine(text, ID_LENGTH_MAX) === text ? text : undefined
}

const SIP = /^"?[^<>"]{0,100}"?\s*<?(?:sips?|tel):([^@;>]{1,40})/i

/** In international form, also out of a SIP address. */
function numberOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > ID_LENGTH_MAX) return undefined
  const read = readPhone(SIP.exec(value)?.[1] ?? value)
  return 'value' in read ? read.value : undefined
}
