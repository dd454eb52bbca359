import { defineEndpoints, oneOf, t } from '#platform/contract.ts'
import { ActivityDescription, FieldDescription } from '#platform/filters/filter.ts'
import { filteredKinds } from './values.ts'

export type { ActivityDescription, FieldDescription, Filter } from '#platform/filters/filter.ts'

export const endpoints = defineEndpoints({
  listFields: {
    method: 'GET',
    path: '/api/crm/fields',
    summary: 'List what records can be filtered by, with operators and options',
    auth: { scope: 'leads:read' },
    query: t.Object(
      { kind: t.Optional(oneOf(filteredKinds, 'leads by default')) },
      { additionalProperties: false },
    ),
    output: t.Object({ fields: t.Array(FieldDescription), activities: t.Array(ActivityDescription) }),
  },
})
