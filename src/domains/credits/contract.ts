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
    amount: t.Integer({ description: 'Negative if used or expired' }),
    balance: t.Integer({ description: 'Total balance afterwards, monthly and purchased' }),
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
    monthly: t.Integer({ description: 'Remaining monthly credits; used first' }),
    purchased: t.Integer({ description: 'Remaining purchased or granted credits' }),
    monthly_quota: t.Integer(),
    resets_at: Instant,
    plan: oneOf(plans),
    trial_ends_at: nullable(Instant),
    used_this_period: t.Integer(),
    entries: t.Array(CreditEntry, { description: 'Latest ledger entries' }),
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
    summary: "Read the team's credit balance, reset date and plan",
    auth: { scope: 'billing:read' },
    output: Credits,
  },
  listCreditEntries: {
    method: 'GET',
    path: '/api/credits/entries',
    summary: 'List credit ledger entries, newest first',
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
