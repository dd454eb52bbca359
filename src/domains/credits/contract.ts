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
import { defineEvent } from '#platform/events.ts'
import { entryKinds, plans, purses } from './values.ts'

export const CreditEntry = t.Object(
  {
    id: Id,
    kind: oneOf(entryKinds),
    purse: oneOf(purses),
    amount: t.Integer({ description: 'Less than 0: used or expired' }),
    balance: t.Integer({ description: 'Of both purses, after it' }),
    reference: t.String(),
    note: nullable(t.String()),
    actor: t.Object({ kind: t.String(), id: nullable(t.String()) }),
    created_at: Instant,
  },
  { $id: 'CreditEntry' },
)
export type CreditEntry = Static<typeof CreditEntry>

export const Credits = t.Object(
  {
    balance: t.Integer(),
    monthly: t.Integer({ description: 'Left of this month; the first to be used' }),
    purchased: t.Integer({ description: 'Left of those that were bought or granted' }),
    monthly_quota: t.Integer(),
    resets_at: Instant,
    plan: oneOf(plans),
    trial_ends_at: nullable(Instant),
    used_this_period: t.Integer(),
    entries: t.Array(CreditEntry, { description: 'The latest of the ledger' }),
  },
  { $id: 'Credits' },
)
export type Credits = Static<typeof Credits>

export const ListEntries = t.Object(
  { ...paging, kind: anyOf(oneOf(entryKinds)), after: t.Optional(Instant), before: t.Optional(Instant) },
  { additionalProperties: false },
)
export type ListEntries = Static<typeof ListEntries>

export const endpoints = defineEndpoints({
  readCredits: {
    method: 'GET',
    path: '/api/credits',
    summary: 'How many credits the team has, until when, and on which plan it is',
    auth: { scope: 'billing:read' },
    output: Credits,
  },
  listCreditEntries: {
    method: 'GET',
    path: '/api/credits/entries',
    summary: 'The ledger of credits, newest first',
    auth: { scope: 'billing:read' },
    query: ListEntries,
    output: listOf(CreditEntry),
  },
})

export const creditEvents = {
  changed: defineEvent('credits.changed', t.Object({ balance: t.Integer() }), { live: 'billing:read' }),
  planChanged: defineEvent('credits.plan_changed', t.Object({ before: oneOf(plans), after: oneOf(plans) }), {
    live: 'billing:read',
  }),
  quotaChanged: defineEvent('credits.quota_changed', t.Object({ before: t.Integer(), after: t.Integer() }), {
    live: 'billing:read',
  }),
}
