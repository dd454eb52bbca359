/** Longer than anything that is of use here; sound does not come this way. */
const MESSAGE_LENGTH_MAX = 256 * 1024
const ID_LENGTH_MAX = 200
const TEXT_LENGTH_MAX = 20_000
const ARGUMENTS_LENGTH_MAX = 32 * 1024
const CODE_PATTERN = /^[\w.-]{1,64}$/

/** What is heard on the control channel of a call, as far as it matters. */
export type ChannelEvent =
  | { kind: 'line'; ref: string; speaker: 'agent' | 'caller'; text: string }
  /** Undefined arguments: they were no object, or too long. */
  | { kind: 'tool'; ref: string; name: string; arguments: Record<string, unknown> | undefined }
  | { kind: 'silence' }
  /** Whether the other side hears the agent at the moment: it does for longer than a response takes to be made. */
  | { kind: 'sound'; isOn: boolean }
  | { kind: 'response'; id: string }
  | { kind: 'output'; id: string }
  | {
      kind: 'done'
      id: string
      error_code: string | null
      input_tokens: number | null
      output_tokens: number | null
    }
  | { kind: 'busy' }
  | { kind: 'error'; id: string; code: string }

type Loose = Record<string, unknown>

/** What comes from there is strange text: whatever is not as it should be is nothing. */
export function readEvent(data: unknown): ChannelEvent | undefined {
  if (typeof data !== 'string' || data.length > MESSAGE_LENGTH_MAX) return undefined
  const event = objectIn(data)
  return event && meaningOf(event)
}

function meaningOf(event: Loose): ChannelEvent | undefined {
  switch (event['type']) {
    case 'conversation.item.input_audio_transcription.completed':
      return lineOf(event, 'caller')
    case 'response.output_audio_transcript.done':
      return lineOf(event, 'agent')
    case 'response.function_call_arguments.done':
      return toolOf(event)
    case 'input_audio_buffer.speech_stopped':
      return { kind: 'silence' }
    case 'output_audio_buffer.started':
      return { kind: 'sound', isOn: true }
    case 'output_audio_buffer.stopped':
    case 'output_audio_buffer.cleared':
      return { kind: 'sound', isOn: false }
    case 'response.created':
      return withId(objectOf(event['response'])?.['id'], id => ({ kind: 'response', id }))
    case 'response.output_item.added':
      return withId(event['response_id'], id => ({ kind: 'output', id }))
    case 'response.done':
      return doneOf(objectOf(event['response']) ?? {})
    case 'error':
      return errorOf(event)
    default:
      return undefined
  }
}

function lineOf(event: Loose, speaker: 'agent' | 'caller'): ChannelEvent | undefined {
  const { item_id, content_index, transcript } = event
  if (typeof transcript !== 'string') return undefined
  const text = transcript.trim().slice(0, TEXT_LENGTH_MAX)
  if (text === '') return undefined
  const part = count(content_index) ?? 0
  return withId(item_id, id => ({ kind: 'line', ref: part === 0 ? id : `${id}:${part}`, speaker, text }))
}

function toolOf(event: Loose): ChannelEvent | undefined {
  const { call_id, name, arguments: text } = event
  if (typeof name !== 'string' || !CODE_PATTERN.test(name)) return undefined
  const isReadable = typeof text === 'string' && text.length <= ARGUMENTS_LENGTH_MAX
  const given = isReadable ? objectIn(text) : undefined
  return withId(call_id, ref => ({ kind: 'tool', ref, name, arguments: given }))
}

/** Somebody who interrupts the agent makes no failure of what it was saying. */
function doneOf(response: Loose): ChannelEvent | undefined {
  const { id, status, status_details, usage } = response
  const details = objectOf(status_details) ?? {}
  const isWell = status === 'completed' || status === 'cancelled'
  const tokens = objectOf(usage) ?? {}
  return withId(id, known => ({
    kind: 'done',
    id: known,
    error_code: isWell ? null : codeOf(objectOf(details['error'])?.['code'] ?? details['reason']),
    input_tokens: count(tokens['input_tokens']),
    output_tokens: count(tokens['output_tokens']),
  }))
}

function errorOf(event: Loose): ChannelEvent | undefined {
  const error = objectOf(event['error']) ?? {}
  const code = codeOf(error['code'] ?? error['type'])
  if (code === 'conversation_already_has_active_response') return { kind: 'busy' }
  return withId(event['event_id'], id => ({ kind: 'error', id, code }))
}

function codeOf(value: unknown): string {
  return typeof value === 'string' && CODE_PATTERN.test(value) ? value : 'unknown'
}

function withId(value: unknown, make: (id: string) => ChannelEvent): ChannelEvent | undefined {
  return typeof value === 'string' && value !== '' && value.length <= ID_LENGTH_MAX ? make(value) : undefined
}

function count(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null
}

function objectIn(text: string): Loose | undefined {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

function objectOf(value: unknown): Loose | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : undefined
}
