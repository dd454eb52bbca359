import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import type { Context } from '#platform/context.ts'
import { exportPages } from '#platform/csv-export.ts'
import { listEvents } from '#platform/event-log.ts'
import type { Event } from '#platform/events.ts'
import type { Entry, Filters } from './contract.ts'

export async function listEntries(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor, ...filters }: Filters & { limit?: number; cursor?: string },
): Promise<{ data: Entry[]; next_cursor: string | null }> {
  const { rows, next_cursor } = await listEvents(ctx, filters, { limit, cursor })
  return { data: rows.map(shown), next_cursor }
}

export function exportEntries(ctx: Context, filters: Filters): AsyncIterable<string> {
  return exportPages<Event>(columns, async page => {
    const { rows, next_cursor } = await listEvents(ctx, filters, { cursor: undefined, ...page })
    return { data: rows, next_cursor }
  })
}

const columns = [
  'at',
  'type',
  'actor_kind',
  'actor_id',
  'actor_name',
  'subject_kind',
  'subject_id',
  'ip',
  'request_id',
  'data',
] as const

function shown(event: Event): Entry {
  const { id, at, type, lead_id, ip, request_id, data } = event
  return {
    id,
    at,
    type,
    actor: { kind: event.actor_kind, id: event.actor_id, name: event.actor_name },
    subject: { kind: event.subject_kind, id: event.subject_id },
    lead_id,
    ip,
    request_id,
    data,
  }
}
