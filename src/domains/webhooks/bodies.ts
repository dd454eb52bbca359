import type { DataSource } from '#platform/registry.ts'
import { inboundEvents } from './contract.ts'
import { dataIn } from './envelope.ts'
import * as store from './store.ts'

/** The body of a webhook is kept once, in the inbox: events that it became are completed from there. */
export const bodies: DataSource = {
  types: Object.values(inboundEvents).map(({ type }) => type),
  async read(ctx, events) {
    const ids = events.flatMap(({ subject_id, data }) => (isComplete(data) ? [] : [subject_id]))
    const rows = ids.length === 0 ? [] : await store.findBodies(ctx, ids)
    const found = new Map(rows.map(row => [row.id, row]))
    return new Map(
      events.flatMap(({ id, subject_id, data }) => {
        if (isComplete(data)) return [[id, data] as const]
        const row = found.get(subject_id)
        if (!row) return []
        const { endpoint, event_id: eventId, body } = row
        return [[id, { endpoint, eventId, data: dataIn(body) }] as const]
      }),
    )
  },
}

/** Recorded before the log left it to the inbox. */
function isComplete(data: Record<string, unknown>): boolean {
  return 'data' in data
}
