import {
  ById,
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
import { defineEvent } from '#platform/events.ts'
import { erasureStatuses } from './values.ts'

const Counts = t.Record(t.String(), t.Integer(), {
  description: 'Number of rows anonymized, by kind',
})

/** The receipt: that somebody was erased, when, and from how much; not who it was. */
export const Erasure = t.Object(
  {
    id: Id,
    lead_id: Id,
    status: oneOf(erasureStatuses),
    counts: Counts,
    requested_by: nullable(Id),
    created_at: Instant,
    erased_at: nullable(Instant),
  },
  { $id: 'Erasure' },
)
export type Erasure = Static<typeof Erasure>

export const PersonalData = t.Object(
  {
    lead_id: Id,
    made_at: Instant,
    data: t.Record(t.String(), t.Array(t.Record(t.String(), t.Unknown())), {
      description: 'Everything stored about the person, by kind: leads, events, messages, calls and so on',
    }),
  },
  { $id: 'PersonalData' },
)
export type PersonalData = Static<typeof PersonalData>

export const erasureStarted = defineEvent('erasure.started', t.Object({}))
export const erasureFinished = defineEvent('erasure.finished', t.Object({ counts: Counts }))
export const personalDataRead = defineEvent('personal_data.read', t.Object({}))

const about = { auth: { role: 'ADMIN' }, params: ById } as const

export const endpoints = defineEndpoints({
  readPersonalData: {
    method: 'GET',
    path: '/api/crm/leads/:id/personal-data',
    summary: 'Export everything stored about the person behind a lead',
    ...about,
    output: PersonalData,
  },
  eraseLead: {
    method: 'POST',
    path: '/api/crm/leads/:id/erase',
    summary: 'Permanently erase the person behind a lead',
    ...about,
    body: t.Object(
      {
        confirm: t.String({
          minLength: 1,
          maxLength: 500,
          description: "The lead's email address, or its name; its ID if it has neither",
        }),
      },
      { additionalProperties: false },
    ),
    status: 202,
    output: t.Object({ erasure_id: Id }),
  },
  listErasures: {
    method: 'GET',
    path: '/api/team/erasures',
    summary: 'List erasures, newest first: receipts without names',
    auth: { role: 'ADMIN' },
    query: t.Object(paging, { additionalProperties: false }),
    output: listOf(Erasure),
  },
  readErasure: {
    method: 'GET',
    path: '/api/team/erasures/:id',
    summary: "Read an erasure's progress and row counts",
    ...about,
    output: Erasure,
  },
})
