import type pg from 'pg'
import { TABLES_OF_NO_TEAM } from '#test/tables.ts'
import { bare, conjunctsOf } from './conditions.ts'

/** What the planner knows about a table that grows: each part of a table kept by month is one. */
export type Relation = {
  name: string
  /** The table it is a part of, or its own name. */
  table: string
  rows: number
  /** The column that says which part a row belongs to. */
  partitionKey: string | null
  /** How many different values a column has. */
  distinct: Map<string, number>
}
export type Index = {
  columns: string[]
  isUnique: boolean
  /** Of one that has not all rows: how many, and what holds of them. */
  rows: number | null
  holds: string[]
}
export type Catalog = { relations: Map<string, Relation>; indexes: Map<string, Index> }

/**
 * These have a row for each setting, team, person, machine or migration: a statement may read all of a team's.
 * What a team chose is a setting already (`is_setting`, migration 0039). Every other table grows.
 */
const DOES_NOT_GROW = [
  // Of the installation.
  ...TABLES_OF_NO_TEAM,
  'teams',
  'users',
  'user_identities',
  'signin_links',
  // Of work in hand, and gone with it.
  'attended_calls',
  'oauth_codes',
  // Of a team: each is begun by a person, for a thousand records.
  'bulk_changes',
  // Of a team as well, and as many as a person sets up.
  'chat_addresses',
  'chat_widgets',
  'whatsapp_templates',
  'imports',
  // As many as it has stages, statuses and owners, and changes until these are folded.
  'lead_counts',
  'lead_count_changes',
  'projects',
  'suppressions',
  'views',
]

/** The tables of the schema that grow with what happens. */
export async function growingTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
       and not is_setting(relname) and not relname = any($1) order by 1`,
    [DOES_NOT_GROW],
  )
  return rows.map(({ name }) => name)
}

export async function readCatalog(client: pg.ClientBase): Promise<Catalog> {
  const relations = await client.query<Omit<Relation, 'distinct'> & { distinct: Record<string, number> }>(
    `${LEAVES} select name, "table", greatest(rows, 0) as rows, substring(key from '\\((.*)\\)') as "partitionKey",
       coalesce((select jsonb_object_agg(attname, case when n_distinct < 0 then -n_distinct * rows else n_distinct end)
         from pg_stats where tablename = name and schemaname = leaves.schema and not inherited), '{}') as distinct
     from leaves`,
    [await growingTables(client)],
  )
  const indexes = await client.query<{ name: string; predicate: string | null } & Omit<Index, 'holds'>>(
    `${LEAVES} select i.relname as name, indisunique as "isUnique",
       pg_get_expr(indpred, indrelid) as predicate, case when indpred is not null then greatest(i.reltuples, 0)::float8 end as rows,
       array(select pg_get_indexdef(indexrelid, n, true) from generate_series(1, indnkeyatts) as n order by n) as columns
     from leaves join pg_index on indrelid = leaves.id join pg_class as i on i.oid = indexrelid`,
    [await growingTables(client)],
  )
  return {
    relations: new Map(
      relations.rows.map(row => [row.name, { ...row, distinct: new Map(Object.entries(row.distinct)) }]),
    ),
    indexes: new Map(
      indexes.rows.map(({ predicate, ...row }) => [
        row.name,
        { ...row, holds: conjunctsOf(predicate ?? '').map(bare) },
      ]),
    ),
  }
}

/** Every table with rows of its own, and the one that a statement names. */
export const LEAVES = `with leaves as (
  select c.oid as id, c.relname as name, n.nspname as schema, coalesce(p.relname, c.relname)::text as "table",
    c.reltuples::float8 as rows, pg_get_partkeydef(p.oid) as key, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
  left join pg_inherits on inhrelid = c.oid left join pg_class as p on p.oid = inhparent and p.relkind = 'p'
  where c.relkind = 'r' and coalesce(p.relname, c.relname) = any($1) and n.nspname in ('public', 'partitions'))`
