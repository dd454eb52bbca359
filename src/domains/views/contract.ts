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
  Text,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { COLUMNS_MAX, viewKinds } from './values.ts'

const Query = t.String({
  maxLength: 4000,
  pattern: '^[^\\u0000-\\u001f#]*$',
  description: 'Filters and sorting as in the URL, like status=NEW&sort=-created_at',
})
const Columns = t.Array(
  t.Object(
    {
      key: t.String({ pattern: '^[a-z][a-z0-9_.]{0,59}$' }),
      width: t.Optional(t.Integer({ minimum: 40, maximum: 1200 })),
    },
    { additionalProperties: false },
  ),
  { minItems: 1, maxItems: COLUMNS_MAX },
)

export const View = t.Object(
  {
    id: Id,
    kind: oneOf(viewKinds),
    name: Text,
    query: Query,
    columns: nullable(Columns),
    shared: t.Boolean(),
    owner_id: Id,
    created_at: Instant,
    updated_at: Instant,
  },
  { $id: 'View' },
)
export type View = Static<typeof View>

const writable = { name: Text, query: Query, columns: nullable(Columns), shared: t.Boolean() }

export const endpoints = defineEndpoints({
  listViews: {
    method: 'GET',
    path: '/api/crm/views',
    summary: 'List your saved views and those shared by the team',
    auth: { role: 'VIEWER' },
    query: t.Object({ ...paging, kind: t.Optional(oneOf(viewKinds)) }, { additionalProperties: false }),
    output: listOf(View),
  },
  createView: {
    method: 'POST',
    path: '/api/crm/views',
    summary: 'Save a view',
    auth: { role: 'VIEWER' },
    body: t.Object(
      {
        kind: oneOf(viewKinds),
        name: Text,
        query: Query,
        columns: t.Optional(nullable(Columns)),
        shared: t.Optional(t.Boolean()),
      },
      { additionalProperties: false },
    ),
    output: View,
    status: 201,
    etag: true,
  },
  readView: {
    method: 'GET',
    path: '/api/crm/views/:id',
    summary: 'Read a saved view',
    auth: { role: 'VIEWER' },
    params: ById,
    output: View,
    etag: true,
  },
  changeView: {
    method: 'PATCH',
    path: '/api/crm/views/:id',
    summary: 'Update a saved view',
    auth: { role: 'VIEWER' },
    params: ById,
    body: t.Partial(t.Object(writable), { additionalProperties: false, minProperties: 1 }),
    output: View,
    etag: true,
  },
  deleteView: {
    method: 'DELETE',
    path: '/api/crm/views/:id',
    summary: 'Delete a saved view',
    auth: { role: 'VIEWER' },
    params: ById,
  },
})

/** Told live only of those that are shared. */
const live = { live: 'leads:read' } as const
export const viewSaved = defineEvent('view.saved', t.Object({ name: t.String() }), live)
export const viewDeleted = defineEvent('view.deleted', t.Object({ name: t.String() }), live)
