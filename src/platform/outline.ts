import { sql, type RawBuilder } from 'kysely'
import type { Context } from './context.ts'
import type { Outline } from './contract.ts'
import { encodeCursor } from './cursor.ts'
import { freshlyPlanned, raw } from './database/tables.ts'
import { readingOf, type Listing, type Narrow, type Page } from './listing.ts'
import { OUTLINE_EVERY, OUTLINE_ROWS, SEARCH_MATCHES_MAX } from './values.ts'

/** Where an outline begins. */
export type FromRow = { from?: number }
type Whole<Sort extends string> = Omit<Page<Sort>, 'limit' | 'cursor'> & FromRow

/**
 * How long a list is, and where so many of its blocks begin, from a row on. Rows far away are counted from the nearer end, and
 * nothing but the index is read. `counted` knows the length where something keeps it.
 */
export async function listOutline<Sort extends string>(
  ctx: Context,
  listing: Listing<Sort>,
  { from: row = 0, ...query }: Whole<Sort>,
  conditions: readonly RawBuilder<unknown>[],
  counted?: () => Promise<number>,
  narrow: Narrow = { conditions: [], isNeeded: false, isEnough: conditions.length === 0 },
): Promise<Outline> {
  const from = row - (row % OUTLINE_EVERY)
  const { count, rows } = query.q ? await found() : await known()
  const starts = rows.filter(({ n }) => n < count).toSorted((a, b) => a.n - b.n)
  return {
    count,
    count_is_capped: Boolean(query.q) && count >= SEARCH_MATCHES_MAX,
    every: OUTLINE_EVERY,
    from,
    cursors: [...(from === 0 ? [null] : []), ...starts.map(({ key, id }) => encodeCursor([String(key), id]))],
  }

  /** A search looks for everything at once, and stops at a number that one outline has room for. */
  async function found() {
    const rows = await numbered(query, {
      skip: 0,
      take: SEARCH_MATCHES_MAX,
      number: sql`place`,
      andLast: true,
    })
    return {
      count: Math.max(0, ...rows.map(({ n }) => n)),
      rows: rows.filter(({ n }) => n % OUTLINE_EVERY === 0 && n >= from),
    }
  }

  async function known() {
    const beginning = { skip: 0, take: OUTLINE_ROWS - 1, number: sql`place` }
    const length = counted ?? (() => countRows(ctx, listing, query, conditions, narrow))
    const [count, begun] = await Promise.all([length(), from === 0 ? numbered(query, beginning) : undefined])
    if (begun) return { count, rows: begun }
    const last = Math.min(from + OUTLINE_ROWS - 1, count)
    if (last < from) return { count, rows: [] }
    const take = last - from + 1
    const rows =
      from > count / 2
        ? await numbered(reversed(listing, query), {
            skip: count - last,
            take,
            number: sql`${last + 1}::int - place`,
          })
        : await numbered(query, { skip: from - 1, take, number: sql`${from - 1}::int + place` })
    return { count, rows }
  }

  type Span = { skip: number; take: number; number: RawBuilder<unknown>; andLast?: boolean }
  async function numbered(query: Whole<Sort>, { skip, take, number, andLast = false }: Span) {
    const { from, where, key, id, order } = readingOf(ctx, listing, query, conditions, narrow, true)
    return ctx.all(
      freshlyPlanned(
        raw<{ key: unknown; id: string; n: number }>(sql`select key, id, n from (
            select key, id, (${number})::int as n ${andLast ? sql`, count(*) over ()::int as last` : sql``} from (
              select key, id, (row_number() over ())::int as place from (
                select ${key} as key, ${id} as id from ${from}
                where ${where} ${order} offset ${skip} limit ${take}) as rows) as placed) as numbered
          where n % ${OUTLINE_EVERY} = 0 ${andLast ? sql`or n = last` : sql``}`),
      ),
    )
  }
}

/** How many records match, by the same reading as the list. */
export async function countList<Sort extends string>(
  ctx: Context,
  listing: Listing<Sort>,
  query: Whole<Sort>,
  conditions: readonly RawBuilder<unknown>[],
): Promise<number> {
  return countRows(ctx, listing, query, conditions, { conditions: [], isNeeded: false, isEnough: false })
}

async function countRows<Sort extends string>(
  ctx: Context,
  listing: Listing<Sort>,
  query: Whole<Sort>,
  conditions: readonly RawBuilder<unknown>[],
  narrow: Narrow,
): Promise<number> {
  const { from, where } = readingOf(ctx, listing, query, conditions, narrow, true)
  const found = sql`${from} where ${where}`
  return (await ctx.first(freshlyPlanned(raw<{ n: number }>(sql`select count(*) as n from ${found}`))))!.n
}

function reversed<Sort extends string>(listing: Listing<Sort>, query: Whole<Sort>): Whole<Sort> {
  const sort = query.sort ?? listing.defaultSort
  return { ...query, sort: (sort.startsWith('-') ? sort.slice(1) : `-${sort}`) as Sort }
}
