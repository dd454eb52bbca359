import { sql } from 'kysely'
import type { Context } from './context.ts'
import { raw } from './database/tables.ts'
import { columnsOf, patternsOf } from './listing.ts'

/** This many matches of a common word are considered; users narrow it down by typing more. */
const CANDIDATES_MAX = 200

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
  const starts = whole ? (phone ? { [phone]: whole } : {}) : Object.fromEntries(keys.map(key => [key, text]))
  const patterns = whole && phone ? null : patternsOf(part ?? text)
  return ctx.all(
    raw<Row>(sql`select ${columnsOf({ table, columns })}
      from ${sql.ref(`quick_${table}`)}(${Object.keys(starts)}::text[], ${Object.values(starts)}::text[],
        ${patterns}::text[], ${recent}, ${CANDIDATES_MAX}, ${limit}) as ${sql.table(table)}`),
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
