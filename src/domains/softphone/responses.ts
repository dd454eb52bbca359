import type { Context } from '#platform/context.ts'
import { atOnce } from '#platform/database/at-once.ts'
import { isId } from '#platform/ids.ts'
import { findNamedCall } from '#domains/calls/service.ts'
import type { Inbound, Outcome } from '#domains/webhooks/effects.ts'
import { saveResponses, type ResponseRow } from './response-store.ts'

const INTEGER_MAX = 2_147_483_647
const ID_LENGTH_MAX = 255
const CODE_LENGTH_MAX = 100

/** Writes down that a model answered, or failed to, with its call and agent where the event names them. */
export function takeResponse(status: ResponseRow['status']) {
  return async (ctx: Context, event: Inbound): Promise<Outcome> => {
    const { data } = event.data
    const call = await callOf(ctx, data)
    const usage = fieldsOf(data.usage)
    await save(ctx, {
      response_id: nameOf(event),
      agent_id: call?.agent_id ?? (isId(data.agentId) ? data.agentId : null),
      call_id: call?.id ?? null,
      status,
      latency_ms: countOf(data.latency_ms ?? data.latencyMs),
      error_code: status === 'failed' ? errorOf(data) : null,
      input_tokens: countOf(usage.input_tokens),
      output_tokens: countOf(usage.output_tokens),
      at: event.at,
    })
    return { matched: true, lead_id: call?.lead_id ?? null }
  }
}

const save = atOnce<ResponseRow, void>(async (ctx, rows) => {
  saveResponses(ctx, rows)
  return []
})

/** What the model's provider calls the answer. */
export function nameOf({ data: { data, eventId } }: Inbound): string {
  return textOf(data.id, ID_LENGTH_MAX) ?? eventId
}

async function callOf(ctx: Context, data: Record<string, unknown>) {
  const id = textOf(data.call_id ?? data.callId, ID_LENGTH_MAX)
  return id === undefined ? undefined : findNamedCall(ctx, id)
}

function errorOf(data: Record<string, unknown>): string | null {
  const details = fieldsOf(data.status_details)
  const error = { ...fieldsOf(details.error), ...fieldsOf(data.error) }
  return textOf(error.code ?? error.type, CODE_LENGTH_MAX) ?? null
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= INTEGER_MAX ? Math.round(value) : null
}

function textOf(value: unknown, lengthMax: number): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= lengthMax ? value : undefined
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
