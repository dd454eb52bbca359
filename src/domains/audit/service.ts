import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import type { Context } from '#platform/context.ts'
import { csvLine } from '#platform/csv.ts'
import { listEvents, type Event } from '#platform/events.ts'
import type { Entry, Filters } from './contract.ts'

const EXPORT_BLOCK_ROWS = 500
/** A file that no spreadsheet opens helps nobody: whoever needs more asks for a shorter time. */
export const EXPORT_ROWS_MAX = 1_000_000

export async function listEntries(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor, ...filters }: Filters & { limit?: number; cursor?: string },
): Promise<{ data: Entry[]; next_cursor: string | null }> {
  const { rows, next_cursor } = await listEvents(ctx, filters, { limit, cursor })
  return { data: rows.map(shown), next_cursor }
}

/** Block by block, so that a long log neither fills the memory nor holds a transaction open. */
export async function* exportEntries(ctx: Context, filters: Filters): AsyncGenerator<string> {
  yield csvLine(columns)
  let cursor: string | null = null
  for (let count = 0; count < EXPORT_ROWS_MAX; count += EXPORT_BLOCK_ROWS) {
    const page = await listEvents(ctx, filters, { limit: EXPORT_BLOCK_ROWS, cursor: cursor ?? undefined })
    yield page.rows.map(line).join('')
    cursor = page.next_cursor
    if (cursor === null) return
  }
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
]

function line(event: Event): string {
  const { at, type, actor_kind, actor_id, actor_name, subject_kind, subject_id, ip, request_id, data } = event
  const who = [actor_kind, actor_id, actor_name]
  return csvLine([at, type, ...who, subject_kind, subject_id, ip, request_id, JSON.stringify(data)])
}

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
