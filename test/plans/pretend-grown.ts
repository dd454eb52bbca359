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
  const places = leaves.rows.map(placeOf)
  const { rows: all } = await client.query<Column>(COLUMNS, [places])
  const columnsOf = Map.groupBy(all, ({ place }) => place)
  await dropChecks(client, [
    ...new Set(leaves.rows.filter(({ isEmpty }) => isEmpty).map(({ table }) => table)),
  ])
  const inserts = leaves.rows.flatMap(leaf =>
    leaf.isEmpty ? [insertionOf(leaf, columnsOf.get(placeOf(leaf))!)] : [],
  )
  await client.query(inserts.join(';'))
  for (const leaf of leaves.rows) {
    const size = { rows: Math.round(rows / leaf.parts), team }
    await setStatistics(client, leaf, columnsOf.get(placeOf(leaf))!, size)
  }
}

function placeOf({ schema, name }: Leaf): string {
  return `${schema}.${name}`
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
  /** Of its table, with the schema. */
  place: string
  name: string
  type: string
  generated: string
  isRequired: boolean
  isKey: boolean
  /** How many values a check allows. */
  checked: number | null
}

async function dropChecks(client: pg.ClientBase, tables: readonly string[]) {
  const { rows } = await client.query<{ text: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as text
     from pg_constraint where conrelid = any($1::regclass[]) and contype = 'c'`,
    [tables],
  )
  await client.query(rows.map(({ text }) => text).join(';'))
}

function insertionOf(leaf: Leaf, columns: readonly Column[]): string {
  const { key, bound } = leaf
  const ofPart = /FROM \('(\w+)'\)/.exec(bound ?? '')?.[1] ?? (bound === 'DEFAULT' ? 'f' : '0').repeat(24)
  const given = columns.filter(({ generated }) => generated === '')
  const names = given.map(({ name }) => `"${name}"`).join(', ')
  const values = given.map(({ name, type }) => (key?.includes(`(${name})`) ? `'${ofPart}'` : valueOf(type)))
  return `insert into ${placeOf(leaf)} (${names}) overriding system value values (${values.join(', ')})`
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
  leaf: Leaf,
  columns: readonly Column[],
  { rows, team }: Size,
) {
  const { schema, name } = leaf
  await client.query(
    `select pg_restore_relation_stats('schemaname', $1::text, 'relname', relname::text,
       'relpages', greatest(pg_relation_size(oid) / current_setting('block_size')::int, 1)::int,
       'reltuples', $2::real, 'relallvisible', 0)
     from pg_class where oid = $3::regclass or oid in (select indexrelid from pg_index where indrelid = $3::regclass)`,
    [schema, rows, placeOf(leaf)],
  )
  const [ofTeam, others] = [true, false].map(isTeam =>
    columns
      .map(column => ({ name: column.name, empty: emptyPart(column), ...kindOf(column) }))
      .filter(column => (column.isTeam ?? false) === isTeam),
  )
  const set = (more = '') => `select pg_restore_attribute_stats('schemaname', $1::text, 'relname', $2::text,
    'attname', name, 'inherited', false, 'null_frac', empty, 'avg_width', 24, 'n_distinct', "distinct" ${more})
    from jsonb_to_recordset($3) as columns (name text, empty real, "distinct" real)`
  await client.query(set(), [schema, name, JSON.stringify(others)])
  const common = `, 'most_common_vals', '{${team}}'::text, 'most_common_freqs', '{0.5}'::real[]`
  await client.query(set(common), [schema, name, JSON.stringify(ofTeam)])
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
  select place, attname as name, format_type(atttypid, null) as type, attgenerated as generated, attnotnull as "isRequired",
    exists (select from pg_index where indrelid = attrelid and indisunique and indpred is null
      and attnum = any(indkey) and indnkeyatts - (case when exists (select from pg_attribute as t
        where t.attrelid = pg_attribute.attrelid and attname = 'team_id' and t.attnum = any(indkey)) then 1 else 0 end) = 1) as "isKey",
    (select max(array_length(string_to_array(substring(pg_get_constraintdef(oid) from 'ARRAY\\[(.*)\\]'), ','), 1))
      from pg_constraint where conrelid = attrelid and contype = 'c' and conkey = array[attnum]) as checked
  from unnest($1::text[]) as place join pg_attribute on attrelid = place::regclass
  where attnum > 0 and not attisdropped order by place, attnum`
