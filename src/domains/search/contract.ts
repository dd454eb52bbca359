import { anyOf, defineEndpoints, Id, nullable, oneOf, t, type Static } from '#platform/contract.ts'
import { hitKinds } from './values.ts'

export const Hit = t.Object({
  kind: oneOf(hitKinds),
  id: Id,
  title: t.String(),
  detail: nullable(t.String({ description: 'Detail that distinguishes records with the same name' })),
})
export type Hit = Static<typeof Hit>

export const endpoints = defineEndpoints({
  search: {
    method: 'GET',
    path: '/api/crm/search',
    summary: 'Search all records you can read by name, email address, phone or number, best match first',
    auth: { scope: 'leads:read' },
    query: t.Object(
      { q: t.Optional(t.String({ maxLength: 200 })), kind: anyOf(oneOf(hitKinds)) },
      { additionalProperties: false },
    ),
    output: t.Object({ data: t.Array(Hit) }),
  },
})
