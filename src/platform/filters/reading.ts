import type { RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { conditionOf } from './conditions.ts'
import { faultsInFilter } from './faults.ts'
import type { Filterable } from './fields.ts'
import type { Filter } from './filter.ts'
import { conditionSql } from './to-sql.ts'

/** A filter as it is sent in a query. What is in it is judged by `filterSql`. */
export function readFilter(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid([{ path: 'filter', message: 'must be JSON' }])
  }
}

/** The body of `POST …/query`. */
export type QueryOf<Sort extends string> = {
  filter?: Filter
  sort?: Sort | `-${Sort}`
  limit?: number
  cursor?: string
  count?: boolean
}

/** What is asked for, with its filter as SQL instead of text. */
export type Prepared<Asked> = Omit<Asked, 'filter'> & { passing?: RawBuilder<unknown> }

/** The query of a list with its filter read; refused with every fault where it is wrong. */
export async function prepared<Row, Asked extends { filter?: string }>(
  ctx: Context,
  { filter, ...asked }: Asked,
  filterable: (ctx: Context) => Promise<Filterable<Row>>,
): Promise<Prepared<Asked>> {
  if (filter === undefined) return asked
  return { ...asked, passing: filterSql(ctx, readFilter(filter), await filterable(ctx)) }
}

/** The same for a filter in the body. */
export async function queryPrepared<Row, Asked extends { filter?: Filter }>(
  ctx: Context,
  { filter, ...asked }: Asked,
  filterable: (ctx: Context) => Promise<Filterable<Row>>,
): Promise<Prepared<Asked>> {
  if (filter === undefined) return asked
  return { ...asked, passing: filterSql(ctx, filter, await filterable(ctx)) }
}

/** A page, with the number of all that match where it is asked for. */
export async function queried<Asked extends { count?: boolean }, Page extends object>(
  { count, ...query }: Asked,
  list: (query: Omit<Asked, 'count'>) => Promise<Page>,
  countAll: (query: Omit<Asked, 'count'>) => Promise<number>,
): Promise<Page & { count?: number }> {
  const [page, all] = await Promise.all([
    list(query).catch(refuseCursor),
    count ? countAll(query) : undefined,
  ])
  return { ...page, ...(all !== undefined && { count: all }) }
}

/** In a body, it is one of its fields. */
function refuseCursor(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'invalid_cursor') throw error
  throw invalid([{ path: 'cursor', message: 'is not valid for this list' }])
}

/** Which records pass; a filter that is wrong is refused with every fault. Days are those of UTC. */
export function filterSql<Row>(
  ctx: Context,
  filter: unknown,
  filterable: Filterable<Row>,
): RawBuilder<unknown> {
  const faults = faultsInFilter(filter, filterable as unknown as Filterable<never>)
  if (faults.length > 0) throw invalid(faults)
  const moment = { now: Date.parse(ctx.now()), zone: 'UTC' }
  return conditionSql(ctx, conditionOf(filter as Filter, filterable, moment))
}
