import { sql } from 'kysely'
import type { Context } from './context.ts'
import { raw } from './database/tables.ts'
import { columnsOf, patternsOf } from './listing.ts'

/** This many matches of a common word are considered; users narrow it down by typing more. */
const CANDIDATES_MAX = 200
/** Sorts after everything that begins with the same letters. */
const LAST = '\u{10ffff}'

type Searched = {
  table: string
  columns: readonly string[]
  /** Lower-case columns, each indexed after the team: what begins with the words as typed comes first. */
  keys: readonly string[]
  /** An indexed column of phone numbers in E.164. */
  phone?: string
  /** Among equals the later one is likelier meant. */
  recent: string
}

/** The few records that somebody who types these words most likely means, among any number of them. */
export async function quickMatches<Row extends { id: string }>(
  ctx: Context,
  { table, columns, keys, phone, recent }: Searched,
  q: string,
  limit: number,
): Promise<Row[]> {
  const text = q.trim().toLowerCase()
  if (!text) return []
  const { whole, part } = phoneOf(text)
  const name = sql.table(table)
  const beginning = (key: string, start: string) =>
    sql`(select ${columnsOf({ table, columns })}, ${sql.ref(recent)} as recent, 0 as rank from ${name}
      where team_id = ${ctx.team_id} and deleted_at is null
        and ${sql.ref(key)} >= ${start} and ${sql.ref(key)} < ${start + LAST}
      order by ${sql.ref(key)}, id limit ${limit})`
  const anywhere = sql`(select ${columnsOf({ table, columns })}, ${sql.ref(recent)} as recent, 1 as rank
      from ${sql.ref(`quick_${table}`)}(${patternsOf(part ?? text)}::text[], ${CANDIDATES_MAX}) as ${name})`
  const sources = whole
    ? [phone ? beginning(phone, whole) : anywhere]
    : [...keys.map(key => beginning(key, text)), anywhere]
  const chosen = sql.join(columns.map(column => sql.ref(column)))
  return ctx.all(
    raw<Row>(sql`select ${chosen} from (
        select *, row_number() over (partition by id order by rank) as seen
        from (${sql.join(sources, sql` union all `)}) as every_match) as matches
      where seen = 1 order by rank, recent desc, id limit ${limit}`),
  )
}

/**
 * A phone number as people type it. With its country code it begins as it is kept, and the index has it; without one
 * only its digits are known: 030 12 34 is somewhere in +49301234.
 */
function phoneOf(text: string): { whole?: string; part?: string } {
  if (!/^\+?[\d\s()./-]{4,}$/.test(text)) return {}
  const digits = text.replace(/\D/g, '')
  if (/^(?:\+|00)/.test(text)) return { whole: `+${digits.replace(/^00/, '')}` }
  const part = digits.replace(/^0+/, '')
  return part.length < 3 ? {} : { part }
}
