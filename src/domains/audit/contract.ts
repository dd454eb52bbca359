import {
  anyOf,
  defineEndpoints,
  Id,
  Instant,
  listOf,
  nullable,
  oneOf,
  paging,
  t,
  type Static,
} from '#platform/contract.ts'
import { actorKinds } from '#platform/context.ts'

/** One thing that happened in the team: who did what to what, from where, with what was before and after. */
export const Entry = t.Object({
  id: Id,
  at: Instant,
  type: t.String({ description: 'Event type, like lead.changed or member.removed' }),
  actor: t.Object({ kind: oneOf(actorKinds), id: nullable(t.String()), name: nullable(t.String()) }),
  subject: t.Object({ kind: t.String(), id: t.String() }),
  lead_id: nullable(Id),
  ip: nullable(t.String()),
  request_id: nullable(t.String()),
  data: t.Record(t.String(), t.Unknown()),
})
export type Entry = Static<typeof Entry>

const Word = t.String({
  pattern: '^[a-z_]+(\\.[a-z_]+)?$',
  maxLength: 100,
  description: 'An event type, like lead.changed',
})

const filters = {
  type: anyOf(Word),
  actor_kind: anyOf(oneOf(actorKinds)),
  actor_id: t.Optional(t.String({ minLength: 1, maxLength: 500 })),
  subject_kind: anyOf(Word),
  subject_id: t.Optional(t.String({ minLength: 1, maxLength: 500 })),
  from: t.Optional(Instant),
  until: t.Optional(Instant),
}
const Filters = t.Object(filters)
export type Filters = Static<typeof Filters>

export const endpoints = defineEndpoints({
  listAudit: {
    method: 'GET',
    path: '/api/team/audit',
    summary: 'List audit log entries, newest first',
    auth: { role: 'ADMIN' },
    query: t.Object({ ...paging, ...filters }, { additionalProperties: false }),
    output: listOf(Entry),
  },
  exportAudit: {
    method: 'GET',
    path: '/api/team/audit/export',
    summary: 'Export the audit log as CSV',
    auth: { role: 'ADMIN' },
    query: t.Object({ ...filters }, { additionalProperties: false }),
    media: 'text/csv',
  },
})
