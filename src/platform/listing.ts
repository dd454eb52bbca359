import { sql, type Compilable, type RawBuilder } from 'kysely'
import { isDay, isInstant } from './clock.ts'
import type { Context } from './context.ts'
import { LIST_LIMIT_DEFAULT, type Outline } from './contract.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { raw, written } from './database/tables.ts'
import { Problem } from './problem.ts'
import { OUTLINE_EVERY, SEARCH_MATCHES_MAX } from './values.ts'

type SortKey = {
  /** A column that is never null, indexed together with the team and the id. */
  column: string
  type: 'timestamptz' | 'date' | 'numeric' | 'text'
}

export type Listing<Sort extends string> = {
  table: string
  columns: readonly string[]
  sorts: Record<Sort, SortKey>
  defaultSort: Sort | `-${Sort}`
}

export type Page<Sort extends string> = {
  limit?: number
  cursor?: string
  sort?: Sort | `-${Sort}`
  q?: string
  trashed?: boolean
}

/** A page of a list, by keyset: every page costs the same. */
export async function listPage<Row extends { id: string }, Sort extends string>(
  ctx: Context,
  listing: Listing<Sort>,
  query: Page<Sort>,
  conditions: readonly RawBuilder<unknown>[],
): Promise<{ data: Row[]; next_cursor: string | null }> {
  const limit = query.limit ?? LIST_LIMIT_DEFAULT
  const { column, key, direction, after } = ordering(listing, query)
  const isShown = listing.columns.includes(column)
  const build = () =>
    raw<
      Row & Record<string, unknown>
    >(sql`select ${columnsOf(listing)} ${isShown ? sql`` : sql`, ${key} as sort_key`}
      from ${sourceOf(listing.table, query)} where ${where(ctx, query, conditions)} ${after}
      order by ${key} ${direction}, id ${direction} limit ${limit + 1}`)
  const isPlain = conditions.length === 0 && !query.q && !query.cursor
  const rows = await ctx.all(isPlain ? plain(ctx, listing, query, limit + 1, build) : build())
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    data: isShown ? page : (page.map(withoutKey) as unknown as Row[]),
    next_cursor:
      rows.length > limit && last
        ? encodeCursor([String(last[isShown ? column : 'sort_key']), last.id])
        : null,
  }
}

/** One pass over the index finds the count and where each block begins: a table can jump anywhere without offsets. */
export async function listOutline<Sort extends string>(
  ctx: Context,
  listing: Listing<Sort>,
  query: Omit<Page<Sort>, 'limit' | 'cursor'>,
  conditions: readonly RawBuilder<unknown>[],
): Promise<Outline> {
  const { key, direction } = ordering(listing, query)
  const rows = await ctx.all<{ key: unknown; id: string; n: number }>(
    raw(sql`select key, id, n from (
        select ${key} as key, id, row_number() over win as n, lead(id) over win as following
        from ${sourceOf(listing.table, query)} where ${where(ctx, query, conditions)}
        window win as (order by ${key} ${direction}, id ${direction})) as numbered
      where n % ${OUTLINE_EVERY} = 0 or following is null order by n`),
  )
  const count = rows.at(-1)?.n ?? 0
  const starts = rows.filter(row => row.n % OUTLINE_EVERY === 0 && row.n < count)
  return {
    count,
    count_is_capped: Boolean(query.q) && count >= SEARCH_MATCHES_MAX,
    every: OUTLINE_EVERY,
    cursors: [null, ...starts.map(row => encodeCursor([String(row.key), row.id]))],
  }
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

/** How a list is sorted: its key, its direction, and what lies after the cursor. */
export function ordering<Sort extends string>(listing: Listing<Sort>, query: Page<Sort>) {
  const sort = query.sort ?? listing.defaultSort
  const descending = sort.startsWith('-')
  const { column, type } = listing.sorts[(descending ? sort.slice(1) : sort) as Sort]
  const key = sql.ref(column)
  return {
    column,
    key,
    direction: sql.raw(descending ? 'desc' : 'asc'),
    after: query.cursor ? afterCursor(query.cursor, key, type, descending) : sql``,
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
  return values ? [sql`${sql.ref(column)} = any(${values}::text[])`] : []
}

/** The same, where `none` selects records without a person. */
export function isAnyOfOrNone(column: string, values: readonly string[] | undefined): RawBuilder<unknown>[] {
  if (!values) return []
  const ids = values.filter(value => value !== 'none')
  const byId = sql`${sql.ref(column)} = any(${ids}::text[])`
  return [ids.length === values.length ? byId : sql`(${sql.ref(column)} is null or ${byId})`]
}

const SEARCH_WORDS_MAX = 8

/** The table, or what a search finds in it: the longest word goes to the index, the others narrow what it finds. */
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

function afterCursor(cursor: string, key: RawBuilder<unknown>, type: SortKey['type'], descending: boolean) {
  const [value, id] = decodeCursor(cursor, 2)
  if (!isOfType[type](value!)) {
    throw new Problem('malformed', 'The cursor belongs to a different sort order.', {
      code: 'invalid_cursor',
    })
  }
  return sql`and (${key}, id) ${sql.raw(descending ? '<' : '>')} (${value}::${sql.raw(type)}, ${id})`
}

const isOfType: Record<SortKey['type'], (value: string) => boolean> = {
  timestamptz: isInstant,
  date: isDay,
  numeric: value => /^\d{1,30}(\.\d{1,10})?$/.test(value),
  text: () => true,
}

function withoutKey<Row>({ sort_key: _, ...row }: Row & { sort_key?: unknown }) {
  return row
}
