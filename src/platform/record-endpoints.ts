import type { TObject, TSchema } from 'typebox'
import { ById, listOf, Outline, paging, t } from './contract.ts'
import { Filter } from './filters/filter.ts'
import type { Scope } from './scopes.ts'

type Verb = 'list' | 'create' | 'read' | 'change' | 'trash' | 'restore'
type ByScope = { scope: Scope }

type Shape<One, Many, Path, Query, Listed, Whole, New, Change, Params> = {
  one: One
  many: Many
  path: Path
  read: ByScope
  write: ByScope
  query: Query
  /** What a list shows of it. */
  listed: Listed
  whole: Whole
  create: New
  change: Change
  params?: Params
  /** Where there is more to say than the verb. */
  summaries?: Partial<Record<Verb, string>>
}

/** What every record has: list, create, read, change, trash and restore, under the same paths. */
export function recordEndpoints<
  const One extends string,
  const Many extends string,
  const Path extends `/${string}`,
  Query extends TSchema,
  Listed extends TSchema,
  Whole extends TSchema,
  New extends TSchema,
  Change extends TSchema,
  Params extends TSchema = typeof ById,
>(shape: Shape<One, Many, Path, Query, Listed, Whole, New, Change, Params>) {
  const { one, many, path, read, write, query, listed, whole, create, change, summaries = {} } = shape
  const a = `${/^[aeiou]/i.test(one) ? 'an' : 'a'} ${one.toLowerCase()}`
  const params = shape.params ?? ById
  const record = { output: whole, etag: true }
  const byId = `${path}/:id`
  return {
    [`list${many}`]: {
      method: 'GET',
      path,
      summary: summaries.list ?? `List, filter, sort and search ${many.toLowerCase()}`,
      auth: read,
      query,
      output: listOf(listed),
    },
    [`create${one}`]: {
      method: 'POST',
      path,
      summary: summaries.create ?? `Create ${a}`,
      auth: write,
      body: create,
      ...record,
      status: 201,
    },
    [`read${one}`]: {
      method: 'GET',
      path: byId,
      summary: summaries.read ?? `Read ${a}`,
      auth: read,
      params,
      ...record,
    },
    [`change${one}`]: {
      method: 'PATCH',
      path: byId,
      summary: summaries.change ?? `Update ${a}`,
      auth: write,
      params,
      body: change,
      ...record,
    },
    [`trash${one}`]: {
      method: 'DELETE',
      path: byId,
      summary: summaries.trash ?? `Move ${a} to the trash for 30 days`,
      auth: write,
      params,
      etag: true,
    },
    [`restore${one}`]: {
      method: 'POST',
      path: `${byId}/restore`,
      summary: summaries.restore ?? `Restore ${a} from the trash`,
      auth: write,
      params,
      ...record,
      status: 200,
    },
  } as unknown as RecordEndpoints<One, Many, Path, Query, Listed, Whole, New, Change, Params>
}

/** How many records match, and where each block of the list begins. */
export function outlineEndpoint<
  const Many extends string,
  const Path extends `/${string}`,
  Query extends TObject,
>(many: Many, path: Path, auth: ByScope, { properties }: Query) {
  const from = t.Optional(t.Integer({ minimum: 0, description: 'Row to begin at, for blocks further on' }))
  return {
    [`outline${many}`]: {
      method: 'GET',
      path: `${path}/outline`,
      summary: `Count matching ${many.toLowerCase()} and get a cursor for each block of the list`,
      auth,
      query: t.Object({ ...properties, from }, { additionalProperties: false }),
      output: Outline,
    },
  } as {
    [K in `outline${Many}`]: Base<'GET', `${Path}/outline`> & {
      query: TObject<Query['properties'] & { from: typeof from }>
      output: typeof Outline
    }
  }
}

/** A list by a filter in the body, which may be longer than an address, with the number of all that match. */
export function queryEndpoint<
  const Many extends string,
  const Path extends `/${string}`,
  Sort extends TSchema,
  Listed extends TSchema,
>(many: Many, path: Path, auth: ByScope, sort: Sort, listed: Listed) {
  const body = t.Object(
    {
      filter: t.Optional(Filter),
      sort,
      ...paging,
      count: t.Optional(t.Boolean({ description: `Also count all matching ${many.toLowerCase()}` })),
    },
    { additionalProperties: false },
  )
  const output = t.Object({ ...listOf(listed).properties, count: t.Optional(t.Integer()) })
  return {
    [`query${many}`]: {
      method: 'POST',
      path: `${path}/query`,
      summary: `List the ${many.toLowerCase()} that match a filter`,
      auth,
      body,
      output,
      status: 200,
    },
  } as {
    [K in `query${Many}`]: Base<'POST', `${Path}/query`> & {
      body: typeof body
      output: typeof output
      status: 200
    }
  }
}

type Base<Method, Path> = { method: Method; path: Path; summary: string; auth: ByScope }
type OfRecord<Whole> = { output: Whole; etag: true }

/** The same in types, so that handlers and the web client know each endpoint by its name and path. */
type RecordEndpoints<
  One extends string,
  Many extends string,
  Path extends string,
  Query,
  Listed extends TSchema,
  Whole,
  New,
  Change,
  Params,
> = {
  [K in `list${Many}`]: Base<'GET', Path> & { query: Query; output: ReturnType<typeof listOf<Listed>> }
} & {
  [K in `create${One}`]: Base<'POST', Path> & OfRecord<Whole> & { body: New; status: 201 }
} & {
  [K in `read${One}`]: Base<'GET', `${Path}/:id`> & OfRecord<Whole> & { params: Params }
} & {
  [K in `change${One}`]: Base<'PATCH', `${Path}/:id`> & OfRecord<Whole> & { params: Params; body: Change }
} & {
  [K in `trash${One}`]: Base<'DELETE', `${Path}/:id`> & { params: Params; etag: true }
} & {
  [K in `restore${One}`]: Base<'POST', `${Path}/:id/restore`> &
    OfRecord<Whole> & { params: Params; status: 200 }
}
