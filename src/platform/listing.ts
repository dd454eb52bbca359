import { sql, type Compilable, type RawBuilder } from 'kysely'
import { isDay, isInstant } from './clock.ts'
import type { Context } from './context.ts'
import { LIST_LIMIT_DEFAULT } from './contract.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { freshlyPlanned, raw, written } from './database/tables.ts'
import { Problem } from './problem.ts'
import { SEARCH_MATCHES_MAX } from './values.ts'

type SortKey = {
  /** A column that is never null, indexed together with the team and the id. */
  column: string
  type: 'timestamptz' | 'date' | 'numeric' | 'integer' | 'text'
}

export type Listing<Sort extends string> = {
  table: string
  columns: readonly string[]
  sorts: Record<Sort, SortKey>
  defaultSort: Sort | `-${Sort}`
  beside?: Beside
}

/** A narrow table with a row for each active record: what changes all the time has its indexes there (docs/decisions/0031). */
export type Beside = {
  table: string
  /** Its columns, by the names that the records' own table has for them. */
  columns: Readonly<Record<string, string>>
  /** Of these, the sort keys that are indexed nowhere else. */
  sorts: readonly string[]
  /** Whether the open transaction has yet to write there what it has changed: then the records themselves are read. */
  isBehind: (ctx: Context) => boolean
}

/** The filters of a list in the words of the narrow table, wherever it has the column. */
export type Narrow = {
  conditions: readonly RawBuilder<unknown>[]
  /** One of them has its index there. */
  isNeeded: boolean
  /** None of them needs the records themselves. */
  isEnough: boolean
}

export type Page<Sort extends string> = {
  limit?: number
  cursor?: string
  sort?: Sort | `-${Sort}`
  q?: string
  trashed?: boolean
}

type PageRow = { id: string } & Record<string, unknown>
type Asked<Sort extends string> = {
  listing: Listing<Sort>
  query: Page<Sort>
  conditions: readonly RawBuilder<unknown>[]
  narrow: Narrow
  /** One more than a page has, which says whether there is another. */
  wanted: number
}

/**
 * A page of a list, by keyset: every page costs the same. What is filtered by facets, which many records pass or few, is looked for
 * among the next records of the order first, and then by the index of facets.
 */
export async function listPage<Row extends { id: string }, Sort extends string>(
  ctx: Context,
  listing: Listing<Sort>,
  query: Page<Sort>,
  conditions: readonly RawBuilder<unknown>[],
  isByFacet = false,
  narrow = UNFILTERED,
): Promise<{ data: Row[]; next_cursor: string | null }> {
  const limit = query.limit ?? LIST_LIMIT_DEFAULT
  const { column } = ordering(listing, query)
  const isShown = listing.columns.includes(column)
  const asked = { listing, query, conditions, narrow, wanted: limit + 1 }
  const rows =
    (isByFacet || isFrequent(query) ? await passingNearby(ctx, asked) : undefined) ??
    (await (isByFacet ? passingAnywhere : inOrder)(ctx, asked))
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    data: (isShown ? page : page.map(withoutKey)) as unknown as Row[],
    next_cursor:
      rows.length > limit && last
        ? encodeCursor([String(last[isShown ? column : 'sort_key']), last.id])
        : null,
  }
}

async function inOrder<Sort extends string>(
  ctx: Context,
  { listing, query, conditions, narrow, wanted }: Asked<Sort>,
): Promise<PageRow[]> {
  const build = () => {
    const { from, where, key, after, order } = readingOf(ctx, listing, query, conditions, narrow)
    return raw<PageRow>(sql`select ${selectionOf(listing, query, key)}
      from ${from} where ${where} ${after} ${order} limit ${wanted}`)
  }
  const isOrdered = conditions.length === 0 && !query.q && !isBesides(ctx, listing, query, narrow)
  if (isOrdered && !query.cursor) return ctx.all(plain(ctx, listing, query, wanted, build))
  // A plan for any team takes each to be of average size, and may read and sort the whole of a large one.
  return ctx.all(isOrdered ? build() : freshlyPlanned(build()))
}

/** Words that many records have fill a page from the next of the order: to find all who have them would take longer. */
function isFrequent({ q, trashed }: Page<string>): boolean {
  return !trashed && patternsOf(q).some(pattern => pattern !== null)
}

/** Where one record in forty passes, these fill a page. What an index finds instead is read and sorted as a whole. */
const LOOKED_AT = 5_000

/** Those that pass among the next few thousand; nothing where there may be more of them further on. */
async function passingNearby<Sort extends string>(
  ctx: Context,
  { listing, query, conditions, wanted }: Asked<Sort>,
): Promise<PageRow[] | undefined> {
  const { order } = ordering(listing, query)
  const next = readingOf(ctx, listing, { ...query, q: undefined }, [], UNFILTERED)
  const words = patternsOf(query.q).map(pattern => sql`search_text like ${pattern}`)
  const table = sql.table(listing.table)
  const found = await ctx.all(
    freshlyPlanned(
      raw<PageRow & { looked_at: number }>(sql`with near as materialized (
          select ${table}.* from ${next.from} where ${next.where} ${next.after} ${next.order} limit ${LOOKED_AT})
        select ${selectionOf(listing, query)}, (select count(*) from near) as looked_at from near as ${table}
        where ${sql.join([...conditions, ...words], sql` and `)} ${order} limit ${wanted}`),
    ),
  )
  const isAll = found.length === wanted || (found[0] && found[0].looked_at < LOOKED_AT)
  return isAll ? found.map(({ looked_at: _, ...row }) => row as PageRow) : undefined
}

/** Found by the index of facets and then sorted: the order of the list would lead past everything that does not pass. */
async function passingAnywhere<Sort extends string>(
  ctx: Context,
  { listing, query, conditions, narrow, wanted }: Asked<Sort>,
): Promise<PageRow[]> {
  const { column, order } = ordering(listing, query)
  const { from, where, key, id, after } = readingOf(ctx, listing, query, conditions, narrow)
  const table = sql.table(listing.table)
  return ctx.all(
    freshlyPlanned(
      raw<PageRow>(sql`with passing as materialized (
        select ${id} as id, ${key} as ${sql.ref(column)} from ${from} where ${where} ${after})
      select ${selectionOf(listing, query)} from ${table} where team_id = ${ctx.team_id} and id = any(array(
        select id from passing ${order} limit ${wanted})) ${order}`),
    ),
  )
}

/** What a page shows, and what its cursor needs. */
function selectionOf<Sort extends string>(
  listing: Listing<Sort>,
  query: Page<Sort>,
  key = ordering(listing, query).key,
): RawBuilder<unknown> {
  const { column } = ordering(listing, query)
  return sql`${columnsOf(listing)} ${listing.columns.includes(column) ? sql`` : sql`, ${key} as sort_key`}`
}

/** The first page of everything is what is asked for most: its text is built once. */
function plain<Row, Sort extends string>(
  ctx: Context,
  listing: Listing<Sort>,
  { sort = listing.defaultSort, trashed = false }: Page<Sort>,
  limit: number,
  build: () => Compilable<Row>,
): Compilable<Row> {
  let texts = plainTexts.get(listing)
  if (!texts) plainTexts.set(listing, (texts = new Map()))
  const key = `${sort} ${trashed}`
  let text = texts.get(key)
  if (text === undefined) texts.set(key, (text = build().compile().sql))
  return written(text, [ctx.team_id, limit])
}
const plainTexts = new WeakMap<object, Map<string, string>>()

function sortOf<Sort extends string>(listing: Listing<Sort>, query: Page<Sort>) {
  const sort = query.sort ?? listing.defaultSort
  const descending = sort.startsWith('-')
  return { ...listing.sorts[(descending ? sort.slice(1) : sort) as Sort], descending }
}

/** How a list is sorted: its key, its direction, and what lies after the cursor. */
export function ordering<Sort extends string>(listing: Listing<Sort>, query: Page<Sort>) {
  const { column, type, descending } = sortOf(listing, query)
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const by = (key: RawBuilder<unknown>, id: RawBuilder<unknown>) => ({
    key,
    id,
    order: sql`order by ${key} ${direction}, ${id} ${direction}`,
    after: query.cursor ? afterCursor(query.cursor, key, id, type, descending) : sql``,
  })
  return { column, direction, by, ...by(sql.ref(column), sql.ref('id')) }
}

/** No filter at all. */
export const UNFILTERED: Narrow = { conditions: [], isNeeded: false, isEnough: true }

/**
 * Where a list is read: its table, what a search finds in it, or the narrow table beside it, alone where nothing but the
 * order is read.
 */
export function readingOf<Sort extends string>(
  ctx: Context,
  listing: Listing<Sort>,
  query: Page<Sort>,
  conditions: readonly RawBuilder<unknown>[],
  narrow: Narrow,
  isOrderOnly = false,
) {
  const { column, by, key, id, order, after } = ordering(listing, query)
  const { beside } = listing
  if (!beside || !isBesides(ctx, listing, query, narrow)) {
    return {
      from: sourceOf(listing.table, query),
      where: where(ctx, query, conditions),
      key,
      id,
      order,
      after,
    }
  }
  const { from, where: among } = besideOf(
    ctx,
    listing.table,
    beside,
    narrow,
    isOrderOnly && column in beside.columns,
  )
  const own = beside.columns[column]
  const place = own ? beside.table : listing.table
  return { from, where: among, ...by(sql.ref(`${place}.${own ?? column}`), sql.ref(`${place}.id`)) }
}

/** Whether the narrow table is read. */
function isBesides<Sort extends string>(
  ctx: Context,
  listing: Listing<Sort>,
  query: Page<Sort>,
  narrow: Narrow,
): boolean {
  const { beside } = listing
  if (!beside || query.q || query.trashed || beside.isBehind(ctx)) return false
  return narrow.isNeeded || beside.sorts.includes(sortOf(listing, query).column)
}

/** Active records by filters that are indexed in the narrow table; `isKeysOnly` where no column of the records is read. */
export function besideOf(
  ctx: Context,
  table: string,
  beside: Beside,
  { conditions, isEnough }: Narrow,
  isKeysOnly = false,
) {
  const [own, states] = [sql.table(table), sql.table(beside.table)]
  const isAlone = isKeysOnly && isEnough
  return {
    from: isAlone
      ? states
      : sql`${states} join ${own} on ${own}.team_id = ${states}.team_id and ${own}.id = ${states}.id`,
    where: sql.join(
      [
        sql`${states}.team_id = ${ctx.team_id}`,
        ...(isAlone ? [] : [sql`${own}.deleted_at is null`]),
        ...conditions,
      ],
      sql` and `,
    ),
  }
}

/** Of this team, alive or in the trash, and whatever else is asked for. */
export function where(
  ctx: Context,
  { trashed }: { trashed?: boolean },
  conditions: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  const life = trashed ? sql`deleted_at is not null` : sql`deleted_at is null`
  return sql.join([sql`team_id = ${ctx.team_id}`, life, ...conditions], sql` and `)
}

/** They are the same at every request: written out, not built. */
export function columnsOf({ table, columns }: Pick<Listing<never>, 'table' | 'columns'>) {
  return sql.raw(columns.map(column => `"${table}"."${column}"`).join(', '))
}

/** `?stage=a&stage=b`: any of the values; nothing where the filter is not given. */
export function isAnyOf(column: string, values: readonly string[] | undefined): RawBuilder<unknown>[] {
  return values ? [eachOf(column, values)] : []
}

/** The same, where `none` selects records without a person. */
export function isAnyOfOrNone(
  column: string,
  values: readonly string[] | undefined,
  none = sql`${sql.ref(column)} is null`,
): RawBuilder<unknown>[] {
  if (!values) return []
  const ids = values.filter(value => value !== 'none')
  const parts = [
    ...(ids.length < values.length ? [none] : []),
    ...(ids.length > 0 ? [eachOf(column, ids)] : []),
  ]
  return [sql`(${sql.join(parts, sql` or `)})`]
}

/** What happened to a record since then: it was changed then or later, and that has an index. */
export function changedSince(column: string, at: string): RawBuilder<unknown> {
  return sql`${sql.ref(column)} >= ${at}::timestamptz and updated_at >= ${at}::timestamptz`
}

/** A few are named one by one, because the index of facets knows no lists (docs/decisions/0028). */
function eachOf(column: string, values: readonly string[]): RawBuilder<unknown> {
  if (values.length > NAMED_ONE_BY_ONE_MAX) return sql`${sql.ref(column)} = any(${values}::text[])`
  return sql`(${sql.join(
    values.map(value => sql`${sql.ref(column)} = ${value}`),
    sql` or `,
  )})`
}
const NAMED_ONE_BY_ONE_MAX = 10

const SEARCH_WORDS_MAX = 8

/** The table, or what a search finds in it: the rows that have every word. */
export function sourceOf(
  table: string,
  { q, trashed = false }: { q?: string; trashed?: boolean },
  matchesMax = SEARCH_MATCHES_MAX,
): RawBuilder<unknown> {
  const [longest, ...others] = patternsOf(q)
  const name = sql.table(table)
  if (longest === undefined) return name
  const search = sql.ref(`search_${table}`)
  return sql`${search}(${longest}, ${others}::text[], ${trashed}, ${matchesMax}) as ${name}`
}

/**
 * What to look for, the longest word first. The index knows letters and digits and nothing else: signs alone would mean
 * to read every row, so they find nothing.
 */
export function patternsOf(q: string | undefined): (string | null)[] {
  const words = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const searched = words.filter(isSearchable)
  if (words.length > 0 && searched.length === 0) return [null]
  return searched
    .slice(0, SEARCH_WORDS_MAX)
    .toSorted((a, b) => b.length - a.length)
    .map(patternOf)
}

export function isSearchable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/** A trigram index needs three characters; one or two are looked for at the beginning of words. */
function patternOf(word: string): string {
  const escaped = word.replace(/[\\%_]/g, '\\$&')
  return word.length < 3 ? `% ${escaped}%` : `%${escaped}%`
}

function afterCursor(
  cursor: string,
  key: RawBuilder<unknown>,
  keyOfId: RawBuilder<unknown>,
  type: SortKey['type'],
  descending: boolean,
) {
  const [value, id] = decodeCursor(cursor, 2)
  if (!isOfType[type](value!)) {
    throw new Problem('malformed', 'The cursor belongs to a different sort order.', {
      code: 'invalid_cursor',
    })
  }
  return sql`and (${key}, ${keyOfId}) ${sql.raw(descending ? '<' : '>')} (${value}::${sql.raw(type)}, ${id})`
}

const isOfType: Record<SortKey['type'], (value: string) => boolean> = {
  timestamptz: isInstant,
  date: isDay,
  integer: value => /^\d{1,9}$/.test(value),
  numeric: value => /^\d{1,30}(\.\d{1,10})?$/.test(value),
  text: () => true,
}

function withoutKey<Row>({ sort_key: _, ...row }: Row & { sort_key?: unknown }) {
  return row
}
