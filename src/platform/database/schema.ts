import type { ClientBase } from 'pg'
import type { Migration } from './migrate.ts'

/** A fresh schema as these migrations make it, in the transaction that is open. What was there is gone. */
export async function rebuildSchema(client: ClientBase, migrations: readonly Migration[]): Promise<void> {
  await client.query(DROP_EVERYTHING)
  // The ledger that migrate.ts keeps; its rows come with the backup.
  await client.query(`create table schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
  for (const { name, sql } of migrations) {
    await client.query(sql).catch(error => {
      throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
    })
  }
}

/**
 * Takes off what makes loading slow or its order matter: foreign keys, indexes, and row security, which would bind an
 * owner who is no superuser. Answers what puts it all back in the same transaction, checked as a whole.
 */
export async function unfasten(client: ClientBase): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ undo: string; redo: string; turn: number }>(FASTENINGS)
  for (const { undo } of rows) await client.query(undo)
  const back = rows.toSorted((a, b) => a.turn - b.turn)
  return async () => {
    for (const { redo } of back) await client.query(redo)
  }
}

/** Everything in the schema but what belongs to an extension. */
const DROP_EVERYTHING = `do $$
  declare
    statement text;
  begin
    drop schema if exists partitions cascade;
    -- Named before the first one goes: cascades take others with them.
    foreach statement in array coalesce((
      select array_agg(format('drop %s if exists %s cascade', kind, name))
      from (
        select pg_class.oid, 'pg_class'::regclass as class, pg_class.oid::regclass::text as name,
          case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end as kind
        from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
        union all
        select oid, 'pg_proc'::regclass, oid::regprocedure::text, 'routine'
        from pg_proc where pronamespace = 'public'::regnamespace
        union all
        select oid, 'pg_type'::regclass, oid::regtype::text, 'type'
        from pg_type where typnamespace = 'public'::regnamespace and typtype in ('d', 'e', 'r')) as found
      where not exists (select from pg_depend where classid = class and objid = found.oid and deptype = 'e')), '{}')
    loop
      execute statement;
    end loop;
  end
$$`

/** Undone in this order, as indexes may carry foreign keys; put back by turn, with row security last. */
const FASTENINGS = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as undo,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as redo,
    2 as turn
  from pg_constraint where connamespace = 'public'::regnamespace and contype = 'f' and conparentid = 0
  union all
  select format('drop index %s', indexrelid::regclass), replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON '), 1
  from pg_index join pg_class on pg_class.oid = indexrelid
  where relnamespace = 'public'::regnamespace and not relispartition
    and not exists (select from pg_constraint where conindid = indexrelid)
  union all
  select format('alter table %s no force row level security', oid::regclass),
    format('alter table %s force row level security', oid::regclass), 3
  from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity`
