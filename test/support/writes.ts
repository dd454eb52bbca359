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
  await database.query(INSTALL)
  return {
    forget: async () => void (await database.query('delete from watch.writes')),
    async made(team_id) {
      const rows = await database.query<{ write: string }>(
        `select distinct name || ' ' || operation as write from watch.writes
         where $1::text is null or $1 = any (teams) order by 1`,
        [team_id ?? null],
      )
      return rows.map(({ write }) => write)
    },
  }
}

/**
 * In a schema of its own, which no other test that walks the tables sees. The function is its maker's, so that the
 * application's role needs no right to the notes, and row security hides none of them. A row belongs to the team that
 * it names, before or after; a person to every team that has it.
 */
const INSTALL = `
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
    insert into watch.writes values (tg_table_name, tg_op, teams);
    return null;
  end $$;

  -- Nobody's rows are left: it concerns every team.
  create function watch.note_truncation() returns trigger language plpgsql security definer set search_path = public as $$
  begin
    insert into watch.writes values (tg_table_name, tg_op, array(select id from teams));
    return null;
  end $$;

  do $$
  declare name text;
  begin
    for name in select relname from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace loop
      execute format('create trigger watch after insert or update or delete on %I for each row execute function watch.note()', name);
      execute format('create trigger watch_truncation before truncate on %I for each statement execute function watch.note_truncation()', name);
    end loop;
  end $$;
`
