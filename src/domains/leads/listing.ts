import { sql, type RawBuilder } from 'kysely'
import { isInstant } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { decodeCursor, encodeCursor } from '#platform/cursor.ts'
import { raw } from '#platform/database/tables.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { Problem } from '#platform/problem.ts'
import type { Lead, ListLeads } from './contract.ts'
import { leadColumns } from './store.ts'
import { OUTLINE_EVERY, SEARCH_MATCHES_MAX, type LeadSort } from './values.ts'

/** When nothing contains the words as typed, this many of the likest are shown. */
const LOOSE_MATCHES_MAX = 50
const SEARCH_WORDS_MAX = 8

/** Each sort and the never-null column it runs on; all of them are indexed together with the id. */
const sortKeys: Record<LeadSort, string> = {
  created_at: 'created_at',
  updated_at: 'updated_at',
  last_activity_at: 'activity_key',
  last_name: 'last_name_key',
  company: 'company_key',
  email: 'email_key',
}

type Filters = Omit<ListLeads, 'limit' | 'cursor'>

export async function listLeads(ctx: Context, query: ListLeads) {
  const limit = query.limit ?? LIST_LIMIT_DEFAULT
  const { key, descending, keyset } = ordering(query)
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const rows = await ctx.all<Lead & { sort_key: string }>(
    raw(sql`select ${columns}, ${key} as sort_key from ${source(query)}
      where ${conditions(ctx, query)} ${keyset} order by ${key} ${direction}, id ${direction} limit ${limit + 1}`),
  )
  if (rows.length === 0 && query.q && !query.cursor)
    return { data: await looseMatches(ctx, query), next_cursor: null }
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next_cursor = rows.length > limit && last ? encodeCursor([last.sort_key, last.id]) : null
  return { data: page.map(withoutKey), next_cursor }
}

/** One pass over the index finds the count and where each block begins: a table can jump anywhere without offsets. */
export async function outlineLeads(ctx: Context, query: Filters) {
  const { key, descending } = ordering(query)
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const rows = await ctx.all<{ key: string; id: string; n: number }>(
    raw(sql`select key, id, n from (
        select ${key} as key, id, row_number() over win as n, lead(id) over win as following from ${source(query)}
        where ${conditions(ctx, query)} window win as (order by ${key} ${direction}, id ${direction})) as numbered
      where n % ${OUTLINE_EVERY} = 0 or following is null order by n`),
  )
  const count = rows.at(-1)?.n ?? 0
  if (count === 0 && query.q) return outlineOf((await looseMatches(ctx, query)).length, false, [])
  const starts = rows.filter(row => row.n % OUTLINE_EVERY === 0 && row.n < count)
  const capped = Boolean(query.q) && count >= SEARCH_MATCHES_MAX
  return outlineOf(
    count,
    capped,
    starts.map(row => encodeCursor([row.key, row.id])),
  )
}

function outlineOf(count: number, count_is_capped: boolean, cursors: string[]) {
  return { count, count_is_capped, every: OUTLINE_EVERY, cursors: [null, ...cursors] }
}

/** Typos: the likest names, addresses and companies, best first. */
async function looseMatches(ctx: Context, query: Filters): Promise<Lead[]> {
  const { q: words = '', ...filters } = query
  return ctx.all<Lead>(
    raw(sql`select ${columns} from leads
      join search_leads_loosely(${words.toLowerCase()}, ${query.trashed ?? false}, ${LOOSE_MATCHES_MAX}) as found using (id)
      where ${conditions(ctx, filters)} order by likeness desc, id`),
  )
}

function ordering(query: ListLeads) {
  const sort = query.sort ?? '-created_at'
  const descending = sort.startsWith('-')
  const name = (descending ? sort.slice(1) : sort) as LeadSort
  const key = sql.ref(sortKeys[name])
  return { key, descending, keyset: query.cursor ? after(query.cursor, key, name, descending) : sql`` }
}

function after(cursor: string, key: RawBuilder<unknown>, sort: LeadSort, descending: boolean) {
  const [value, id] = decodeCursor(cursor, 2)
  const byTime = sort.endsWith('_at')
  if (byTime && !isInstant(value!)) {
    throw new Problem('malformed', 'The cursor belongs to another sort order.', { code: 'invalid_cursor' })
  }
  const cast = sql.raw(byTime ? 'timestamptz' : 'text')
  return sql`and (${key}, id) ${sql.raw(descending ? '<' : '>')} (${value}::${cast}, ${id})`
}

function conditions(ctx: Context, query: Filters): RawBuilder<unknown> {
  const all = [
    sql`team_id = ${ctx.team_id}`,
    query.trashed ? sql`deleted_at is not null` : sql`deleted_at is null`,
  ]
  for (const column of equalities) {
    const values = query[column]
    if (values) all.push(sql`${sql.ref(column)} = any(${values}::text[])`)
  }
  if (query.company) all.push(sql`company_key = any(${query.company.map(lower)}::text[])`)
  if (query.email) all.push(sql`email_key = any(${query.email.map(lower)}::text[])`)
  if (query.owner_id) all.push(ownedBy(query.owner_id))
  if (query.created_after) all.push(sql`created_at >= ${query.created_after}::timestamptz`)
  if (query.created_before) all.push(sql`created_at < ${query.created_before}::timestamptz`)
  return sql.join(all, sql` and `)
}

const equalities = ['status', 'call_status', 'pipeline_stage', 'account_id', 'source', 'phone'] as const

function ownedBy(owners: string[]) {
  const ids = owners.filter(owner => owner !== 'none')
  const byId = sql`owner_id = any(${ids}::text[])`
  return ids.length === owners.length ? byId : sql`(owner_id is null or ${byId})`
}

/** The table, or what a search finds in it: the longest word goes to the index, the others narrow what it finds. */
function source({ q, trashed = false }: Filters): RawBuilder<unknown> {
  const [longest, ...others] = wordsOf(q)
    .toSorted((a, b) => b.length - a.length)
    .map(patternOf)
  if (longest === undefined) return sql`leads`
  return sql`search_leads(${longest}, ${others}::text[], ${trashed}, ${SEARCH_MATCHES_MAX}) as leads`
}

function wordsOf(q: string | undefined): string[] {
  const words = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  return words.slice(0, SEARCH_WORDS_MAX)
}

/** A trigram index needs three characters; one or two are looked for at the beginning of words. */
function patternOf(word: string): string {
  const escaped = word.replace(/[\\%_]/g, '\\$&')
  return word.length < 3 ? `% ${escaped}%` : `%${escaped}%`
}

function lower(text: string): string {
  return text.toLowerCase()
}

function withoutKey({ sort_key: _, ...lead }: Lead & { sort_key: string }): Lead {
  return lead
}

const columns = sql.join(leadColumns.map(column => sql.ref(`leads.${column}`)))
