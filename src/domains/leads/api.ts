import type { Handlers } from '#platform/contract.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { csvAnswer } from '#platform/csv-export.ts'
import { listLeadEvents } from '#platform/event-log.ts'
import type { Event } from '#platform/events.ts'
import type { endpoints, TimelineEntry } from './contract.ts'
import * as bulk from './bulk.ts'
import { exportLeads } from './export.ts'
import { listLeads, outlineLeads, queryLeads } from './listing.ts'
import * as leads from './service.ts'

export const api: Handlers<typeof endpoints> = {
  listLeads: (ctx, { query }) => listLeads(ctx, query),
  outlineLeads: (ctx, { query }) => outlineLeads(ctx, query),
  queryLeads: (ctx, { body }) => queryLeads(ctx, body),
  createLead: (ctx, { body }) => leads.createLead(ctx, body),
  readLead: (ctx, { params }) => leads.getLead(ctx, params.id),
  changeLead: (ctx, { params, body, ifMatch }) => leads.changeLead(ctx, params.id, body, ifMatch),
  trashLead: async (ctx, { params, ifMatch }) => void (await leads.trashLead(ctx, params.id, ifMatch)),
  restoreLead: (ctx, { params }) => leads.restoreLead(ctx, params.id),
  bulkChangeLeads: (ctx, { body }) => bulk.bulkChangeLeads(ctx, body),
  listBulkChanges: (ctx, { query }) => bulk.listBulkChanges(ctx, query),
  createBulkChange: (ctx, { body }) => bulk.startBulkChange(ctx, body),
  readBulkChange: (ctx, { params }) => bulk.getBulkChange(ctx, params.id),
  cancelBulkChange: (ctx, { params }) => bulk.cancelBulkChange(ctx, params.id),
  exportLeads: async (ctx, { query, method }) =>
    csvAnswer(ctx, 'leads', { method, query }, await exportLeads(ctx, query)),
  readTimeline: async (ctx, { params, query }) => {
    await leads.getLead(ctx, params.id)
    const page = { limit: query.limit ?? LIST_LIMIT_DEFAULT, cursor: query.cursor, types: query.type }
    const { rows, next_cursor } = await listLeadEvents(ctx, params.id, page)
    return { data: rows.map(asEntry), next_cursor }
  },
  noteLead: async (ctx, { params, body }) => asEntry(await leads.noteLead(ctx, params.id, body.text)),
  readNote: async (ctx, { params }) => asEntry(await leads.getNote(ctx, params.id)),
  readLeadSettings: ctx => leads.getSettings(ctx),
  changeLeadSettings: (ctx, { body, ifMatch }) => leads.changeSettings(ctx, body, ifMatch),
}

function asEntry(event: Event): TimelineEntry {
  return {
    id: event.id,
    type: event.type,
    at: event.at,
    subject: { kind: event.subject_kind, id: event.subject_id },
    cause: { kind: event.actor_kind, id: event.actor_id, name: event.actor_name },
    data: event.data,
  }
}
