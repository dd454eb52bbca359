import { inject } from 'vitest'
import type { TestDatabase } from './database.ts'

/** One table that was written to, and how: `leads INSERT`. */
export type Writes = {
  /** From here on: what was written before is nobody's concern. */
  forget(): Promise<void>
  /** What was written since, to the whole database or to what is of one team. */
  made(team_id?: string): Promise<string[]>
}

/**
 * The database itself tells of every write that was committed: a row that was put in, changed (even to the same
 * content), taken out, by whomever and also where a key drags others along. Asking costs next to nothing, however full
 * the tables are, so tests can ask after each of thousands of requests.
 */
export async function watchWrites(database: TestDatabase): Promise<Writes> {
  const { query, onWorkers } = database
  const isSharded = inject('postgresWorkers').length > 0
  await query(`${INSTALL} ${watching(isSharded ? LOCAL_AND_SHARDS : TABLES)}`)
  await onWorkers(`${INSTALL} ${watching(SHARDS)}`)
  return {
    async forget() {
      await query('delete from watch.writes')
      await onWorkers('delete from watch.writes')
    },
    async made(team_id) {
      const asked = `select distinct name || ' ' || operation as write from watch.writes
        where ${team_id === undefined ? 'true' : `'${team_id}' = any (teams)`} order by 1`
      const rows = [
        await query<{ write: string }>(asked),
        ...(await onWorkers<{ write: string }>(asked)),
      ].flat()
      return [...new Set(rows.map(({ write }) => write))].toSorted()
    },
  }
}

/**
 * In a schema of its own, which no other test that walks the tables sees. The function is its maker's, so that the
 * application's role needs no right to the notes, and row security hides none of them. A row belongs to the team that
 * it names, before or after; a person to every team that has it. A shard has the name of its table, and a number.
 */
const INSTALL = `
  begin;
  set local citus.enable_ddl_propagation = off;
  create schema watch;
  create unlogged table watch.writes (name text not null, operation text not null, teams text[] not null);

  create function watch.note() returns trigger language plpgsql security definer set search_path = public as $$
  declare
    before jsonb := to_jsonb(old);
    after jsonb := to_jsonb(new);
    own text := case tg_table_name when 'teams' then 'id' else 'team_id' end;
    teams text[] := array[before ->> own, after ->> own];
  begin
    if tg_table_name = 'users' then
      teams := array(select team_id from memberships where user_id in (before ->> 'id', after ->> 'id'));
    end if;
    insert into watch.writes values (regexp_replace(tg_table_name, '_[0-9]{6,}$', ''), tg_op, teams);
    return null;
  end $$;

  -- Nobody's rows are left: it concerns every team.
  create function watch.note_truncation() returns trigger language plpgsql security definer set search_path = public as $$
  begin
    insert into watch.writes values (tg_table_name, tg_op, array(select id from teams));
    return null;
  end $$;
`

/** What a node has rows of, and whether it is a table of its own. */
const TABLES = `select oid::regclass as name, true as is_whole from pg_class
  where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`
const SHARDS = `select shard as name, false as is_whole from (
    select to_regclass(format('public.%I', relname || '_' || shardid)) as shard from pg_dist_shard
    join pg_class on oid = logicalrelid and relnamespace = 'public'::regnamespace) as shards
  where shard is not null`
const LOCAL_AND_SHARDS = `${TABLES} and oid not in (select logicalrelid from pg_dist_partition) union all ${SHARDS}`

function watching(tables: string): string {
  return `do $$
  declare found record;
  begin
    for found in ${tables} loop
      execute format('create trigger watch after insert or update or delete on %s for each row execute function watch.note()', found.name);
      if found.is_whole then
        execute format('create trigger watch_truncation before truncate on %s for each statement execute function watch.note_truncation()', found.name);
      end if;
    end loop;
  end $$;
  commit;`
}
