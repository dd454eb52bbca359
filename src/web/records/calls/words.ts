import type { CallInList, Consent } from '#domains/calls/contract.ts'
import type { CallDirection, CallKind, CallState, FollowUpIntent, Speaker } from '#domains/calls/values.ts'
import { dayAndTime } from '../../ui/time.tsx'
import { inPlainWords } from '../../ui/words.ts'

type Words = { tone: string; label: string }

export const statusWords: Record<CallState, Words> = {
  SCHEDULED: { tone: 'slate', label: 'Scheduled' },
  DIALING: { tone: 'blue', label: 'Dialling' },
  CONNECTED: { tone: 'teal', label: 'On the phone' },
  ENDED: { tone: 'green', label: 'Ended' },
  NO_ANSWER: { tone: 'amber', label: 'No answer' },
  VOICEMAIL: { tone: 'violet', label: 'Voicemail' },
  FAILED: { tone: 'red', label: 'Failed' },
  CANCELLED: { tone: 'slate', label: 'Cancelled' },
}

export const kindWords: Record<CallKind, string> = {
  agent: 'Agent',
  human: 'Team member',
  manual: 'Logged manually',
}

export const directionWords: Record<CallDirection, string> = { inbound: 'Incoming', outbound: 'Outgoing' }

export const speakerWords: Record<Speaker, string> = {
  agent: 'Agent',
  caller: 'Lead',
  person: 'Whispered',
  system: 'Rapport',
  tool: 'Tool',
}

export const followUpWords: Record<FollowUpIntent, string> = {
  task: 'Task created',
  retry: 'The agent will retry',
  meeting: 'Meeting booked',
  workflow: 'Handled by a workflow',
  none: 'No follow-up',
}

/** Names of the voice providers. */
export const providerWords: Record<string, string> = { simulator: 'Simulator', openai: 'OpenAI' }

export function isLive({ status }: Pick<CallInList, 'status'>): boolean {
  return status === 'DIALING' || status === 'CONNECTED'
}

export function isOver({ status }: Pick<CallInList, 'status'>): boolean {
  return status !== 'SCHEDULED' && status !== 'DIALING' && status !== 'CONNECTED'
}

/** The other side's number. */
export function numberOf({
  direction,
  from,
  to,
}: Pick<CallInList, 'direction' | 'from' | 'to'>): string | null {
  return direction === 'inbound' ? from : to
}

/** `75` → "1:15", `3675` → "1:01:15". */
export function clockOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60]
  const two = (part: number) => String(part).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** `125` → "2 min 5 s". */
export function durationInWords(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [Math.floor(seconds) % 60, 's'],
  ] as const
  const said = parts.filter(([amount]) => amount > 0).slice(0, 2)
  return said.map(([amount, unit]) => `${amount} ${unit}`).join(' ') || '0 s'
}

const DURATION = /^(?:(\d{1,3}):)?(\d{1,4}):([0-5]\d)$/

/** Minutes as people type them, "5" or "5:30", in seconds. */
export function readDuration(typed: string): number | undefined {
  const text = typed.trim().replace(',', '.')
  if (/^\d{1,4}(\.\d{1,2})?$/.test(text)) return Math.round(Number(text) * 60)
  const [, hours = '0', minutes, seconds] = DURATION.exec(text) ?? []
  if (minutes === undefined || seconds === undefined) return undefined
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
}

const toolNames: Record<string, string> = {
  schedule_meeting: 'Book a meeting',
  transfer: 'Transfer the call',
  end_call: 'End the call',
  look_up_lead: 'Look up the lead',
}

export function toolName(name: string): string {
  if (Object.hasOwn(toolNames, name)) return toolNames[name]!
  const text = inPlainWords(name)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `startsAt`, `starts_at` → "Starts at". */
export function argumentName(name: string): string {
  const text = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const INSTANT = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})`
/** An exact time next to one in words is only for the model. */
const BESIDE_WORDS = new RegExp(String.raw`\(([A-Za-z_+\-/0-9]+), ${INSTANT}\)`, 'g')
const EVERY_INSTANT = new RegExp(INSTANT, 'g')

/** The result of a tool, with its times in words. */
export function resultInWords(text: string): string {
  return text
    .replace(BESIDE_WORDS, '($1)')
    .replace(EVERY_INSTANT, at => (Number.isNaN(Date.parse(at)) ? at : dayAndTime(at)))
}

export function consentWords({ given }: Pick<Consent, 'given'>): Words {
  if (given === null) return { tone: 'slate', label: 'No consent to agent calls yet' }
  return given ? { tone: 'green', label: 'Agents may call' } : { tone: 'red', label: 'Agents must not call' }
}

/** Only http and https URLs are linked, whatever a provider sent. */
export function safeAddress(address: string | null): string | undefined {
  return address && /^https?:\/\//i.test(address) ? address : undefined
}
