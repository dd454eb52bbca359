import { Problem } from '#platform/problem.ts'
import { EVENT_ID_LENGTH_MAX, EVENT_TYPE_LENGTH_MAX } from './values.ts'

export type Envelope = { eventId: string; type: string; data: Record<string, unknown> }

type Fields = Record<string, unknown>

/**
 * A provider's body in our terms. `event` is accepted for `type`; the body's `id` and then the message's own
 * ID for `eventId`; fields may be next to `type` instead of under `data`. So Resend's and OpenAI's events
 * work as they are.
 */
export function readEnvelope(body: unknown, messageId: string): Envelope {
  if (!isFields(body)) throw refusal('The body must be a JSON object.', 'malformed_event')
  const type = body.type ?? body.event
  if (!isText(type, EVENT_TYPE_LENGTH_MAX)) {
    throw refusal(`The body needs a type of 1 to ${EVENT_TYPE_LENGTH_MAX} characters.`, 'type_missing')
  }
  const eventId = body.eventId ?? body.id ?? messageId
  if (!isText(eventId, EVENT_ID_LENGTH_MAX)) {
    throw refusal(`The body needs an eventId of 1 to ${EVENT_ID_LENGTH_MAX} characters.`, 'event_id_missing')
  }
  return { eventId, type, data: isFields(body.data) ? body.data : fieldsBeside(body) }
}

/** What a stored body brings. One that an erasure has emptied brings nothing. */
export function dataIn(body: string): Record<string, unknown> {
  const fields = JSON.parse(body) as Fields
  return storable(isFields(fields.data) ? fields.data : fieldsBeside(fields)) as Fields
}

/** A copy fit for the database: U+0000 and half characters have no place there, and nothing else is lost. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed()
  if (Array.isArray(value)) return value.map(storable)
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [storable(name) as string, storable(part)]),
  )
}

function fieldsBeside(body: Fields): Fields {
  const { eventId: _eventId, type: _type, event: _event, ...rest } = body
  return rest
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown, lengthMax: number): value is string {
  return (
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= lengthMax &&
    !value.includes('\0') &&
    value.isWellFormed()
  )
}

function refusal(message: string, code: string): Problem {
  return new Problem('malformed', message, { code })
}
