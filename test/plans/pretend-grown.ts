import type pg from 'pg'
import { growingTables, LEAVES } from './catalog.ts'

/** How the planner is to believe it: a thousand teams, half of everything in one of them. */
export type Size = { rows: number; team: string }

const TEAMS = 1_000
/** The trash is emptied after thirty days. */
const NOT_IN_TRASH = 0.98
/** Of a column that may be empty. */
const EMPTY = 0.3
/** A column with a few values that everybody uses. */
const FEW = 5
const FEW_VALUES =
  /(^|_)(status|stage|kind|type|state|source|direction|channel|method|currency|provider|reason|outcome|role|priority|network|model|column_key|endpoint)$/
/** Tables with fewer rows than this are believed to have many. */
const FILLED_ROWS_MIN = 10_000

/**
 * Tells the planner that tables have grown, without the data: it gets the statistics of a million rows for each. A table needs
 * a page for that, so an empty one gets a row. Everything happens in the transaction that is open, and goes with it.
 */
export async function pretendGrown(client: pg.ClientBase, { rows, team }: Size): Promise<void> {
  const tables = await growingTables(client)
  // The rows are made up: foreign keys and checks would refuse them.
  await client.query('set local session_replication_role = replica')
  const leaves = await client.query<Leaf>(
    `${LEAVES} select schema, name, "table", key, bound, pg_relation_size(id) = 0 as "isEmpty",
       count(*) over (partition by "table")::int as parts from leaves where rows < ${FILLED_ROWS_MIN} order by name`,
    [tables],
  )
  for (const leaf of leaves.rows) {
    const place = `${leaf.schema}.${leaf.name}`
    const columns = await client.query<Column>(COLUMNS, [place])
    if (leaf.isEmpty) await insertRow(client, place, leaf, columns.rows)
    const size = { rows: Math.round(rows / leaf.parts), team }
    await setStatistics(client, place, leaf, columns.rows, size)
  }
}

type Leaf = {
  schema: string
  name: string
  table: string
  key: string | null
  bound: string | null
  isEmpty: boolean
  parts: number
}
type Column = {
  name: string
  type: string
  generated: string
  isRequired: boolean
  isKey: boolean
  /** How many values a check allows. */
  checked: number | null
}

async function insertRow(client: pg.ClientBase, place: string, leaf: Leaf, columns: readonly Column[]) {
  const { key, bound } = leaf
  const ofPart = /FROM \('(\w+)'\)/.exec(bound ?? '')?.[1] ?? (bound === 'DEFAULT' ? 'f' : '0').repeat(24)
  const given = columns.filter(({ generated }) => generated === '')
  const names = given.map(({ name }) => `"${name}"`).join(', ')
  const values = given.map(({ name, type }) => (key?.includes(`(${name})`) ? `'${ofPart}'` : valueOf(type)))
  const checks = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
    [leaf.table],
  )
  for (const { name } of checks.rows)
    await client.query(`alter table ${leaf.table} drop constraint "${name}"`)
  await client.query(`insert into ${place} (${names}) overriding system value values (${values.join(', ')})`)
}

function valueOf(type: string): string {
  if (type.endsWith('[]')) return `'{}'`
  if (/^(timestamp|date)/.test(type)) return 'now()'
  if (/^(integer|bigint|smallint|numeric|double|real)/.test(type)) return '1'
  if (type === 'boolean') return 'false'
  if (/^jsonb?$/.test(type)) return `'{}'`
  if (type === 'xid8') return 'pg_current_xact_id()'
  if (type === 'bytea') return `'\\x00'`
  if (type === 'inet') return `'127.0.0.1'`
  return `'${'0'.repeat(24)}'`
}

async function setStatistics(
  client: pg.ClientBase,
  place: string,
  { schema, name }: Leaf,
  columns: readonly Column[],
  { rows, team }: Size,
) {
  const pages = await client.query<{ name: string; pages: number }>(
    `select relname as name, greatest(pg_relation_size(oid) / current_setting('block_size')::int, 1)::int as pages
     from pg_class where oid = $1::regclass or oid in (select indexrelid from pg_index where indrelid = $1::regclass)`,
    [place],
  )
  for (const relation of pages.rows)
    await client.query(
      `select pg_restore_relation_stats('schemaname', $1::text, 'relname', $2::text, 'relpages', $3::int,
         'reltuples', $4::real, 'relallvisible', 0)`,
      [schema, relation.name, relation.pages, rows],
    )
  for (const column of columns) {
    const { distinct, isTeam } = kindOf(column)
    await client.query(
      `select pg_restore_attribute_stats('schemaname', $1::text, 'relname', $2::text, 'attname', $3::text,
         'inherited', false, 'null_frac', $4::real, 'avg_width', 24, 'n_distinct', $5::real
         ${isTeam ? `, 'most_common_vals', '{${team}}'::text, 'most_common_freqs', '{0.5}'::real[]` : ''})`,
      [schema, name, column.name, emptyPart(column), distinct],
    )
  }
}

function emptyPart({ name, isRequired }: Column): number {
  if (isRequired) return 0
  return name === 'deleted_at' ? NOT_IN_TRASH : EMPTY
}

function kindOf({ name, type, isKey, checked }: Column): { distinct: number; isTeam?: true } {
  if (name === 'team_id') return { distinct: TEAMS, isTeam: true }
  if (checked) return { distinct: checked }
  if (type === 'boolean') return { distinct: 2 }
  if (isKey || type.startsWith('timestamp')) return { distinct: -1 }
  if (FEW_VALUES.test(name)) return { distinct: FEW }
  return { distinct: /(_id|_by)$/.test(name) ? -0.1 : -0.5 }
}

/** `isKey`: with the team, it names one row. */
const COLUMNS = `
  select attname as name, format_type(atttypid, null) as type, attgenerated as generated, attnotnull as "isRequired",
    exists (select from pg_index where indrelid = attrelid and indisunique and indpred is null
      and attnum = any(indkey) and indnkeyatts - (case when exists (select from pg_attribute as t
        where t.attrelid = pg_attribute.attrelid and attname = 'team_id' and t.attnum = any(indkey)) then 1 else 0 end) = 1) as "isKey",
    (select max(array_length(string_to_array(substring(pg_get_constraintdef(oid) from 'ARRAY\\[(.*)\\]'), ','), 1))
      from pg_constraint where conrelid = attrelid and contype = 'c' and conkey = array[attnum]) as checked
  from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`
