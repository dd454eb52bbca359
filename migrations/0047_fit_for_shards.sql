-- What a database that is sharded by team (Citus) does not accept is written in another way, here and on one PostgreSQL alike.

-- A shard refuses ON DELETE SET NULL on a key that contains the team. purge_trash() clears such references itself.
do $$
declare
  link record;
begin
  for link in
    select conrelid::regclass as name, conname, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and confdeltype = 'n' and confdelsetcols is not null
  loop
    execute format('alter table %s drop constraint %I', link.name, link.conname);
    execute format('alter table %s add constraint %I %s', link.name, link.conname,
      regexp_replace(link.definition, ' ON DELETE SET NULL.*$', ''));
  end loop;
end
$$;

-- Deletes what has been in the trash since then. Records of other kinds that refer to it keep their rows and lose the reference.
-- The values are part of each statement: a sharded database finds the shard by them.
create function purge_trash(name regclass, before timestamptz) returns integer
language plpgsql as $$
declare
  team text := current_setting('app.team');
  old text[];
  link record;
  purged integer;
begin
  execute format(
    'select array_agg(id) from (select id from %s where team_id = %L and deleted_at < %L order by id for update) as trashed',
    name, team, before) into old;
  if old is null then
    return 0;
  end if;
  for link in
    select conrelid::regclass as name, attname as key from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = any(conkey) and attname <> 'team_id'
    where confrelid = purge_trash.name and contype = 'f' and confdeltype = 'a' order by conrelid
  loop
    execute format('update %1$s set %2$I = null where team_id = %3$L and %2$I = any(%4$L::text[])',
      link.name, link.key, team, old);
  end loop;
  execute format('delete from %s where team_id = %L and id = any(%L::text[])', name, team, old);
  get diagnostics purged = row_count;
  return purged;
end
$$;

-- One statement per table, because not all tables are on one node. What refers to other tables goes first.
create or replace function erase_team(team text) returns bigint
language plpgsql as $$
declare
  keyed record;
  gone bigint;
  erased bigint := 0;
begin
  if team !~ '^[0-9a-f]{24}$' then
    raise exception 'a team is 24 lower-case hex characters';
  end if;
  -- Row security binds an owner who is no superuser as well: it must see what the application sees, or it would
  -- delete nothing and say so to nobody.
  if not pg_has_role(current_user, 'rapport_app', 'usage') then
    raise exception '% needs the privileges of rapport_app to erase a team', current_user;
  end if;
  execute format('set local app.team = %L', team);
  for keyed in
    with recursive depths as (
      select oid as id, 0 as depth from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      union
      select confrelid, depth + 1 from depths
      join pg_constraint on conrelid = id and contype = 'f' and confrelid <> conrelid and conparentid = 0
      where depth < 100)
    select id::regclass as name, case when id = 'teams'::regclass then 'id' else 'team_id' end as key, max(depth) as depth
    from depths
    where id = 'teams'::regclass
      or exists (select from pg_attribute where attrelid = id and attname = 'team_id' and not attisdropped)
    group by id order by max(depth), id
  loop
    execute format('delete from %s where %I = %L', keyed.name, keyed.key, team);
    get diagnostics gone = row_count;
    erased := erased + gone;
  end loop;
  return erased;
end
$$;

-- The few records that somebody who types some words means: those with a key that begins so come first, then those that contain
-- the patterns somewhere. A sharded database does not put the rows of a function beside those of a table, so all of it is one
-- statement in the function, and its values are part of it: it is planned for them.
create or replace function make_quickly_searchable(name regclass) returns void
language plpgsql as $$
begin
  execute format('drop function if exists %I(text[], integer)', 'quick_' || name);
  execute format('drop function if exists %I(text[], text[], text[], text, integer, integer)', 'quick_' || name);
  execute format(
    $f$create function %I(keys text[], starts text[], patterns text[], recent text, candidates_max integer, matches_max integer)
      returns setof %s language plpgsql stable security definer set search_path = public as $body$
      begin
        return query execute quick_query(%L, keys, starts, patterns, recent, candidates_max, matches_max);
      end
      $body$ $f$,
    'quick_' || name, name, name);
  perform make_internal(format('quick_%s(text[], text[], text[], text, integer, integer)', name));
end
$$;

create function quick_query(name regclass, keys text[], starts text[], patterns text[], recent text, candidates_max integer,
  matches_max integer) returns text
language plpgsql stable as $$
declare
  alive text := format('from %s where team_id = %L and deleted_at is null', name, current_setting('app.team', true));
  columns text := (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = name and attnum > 0 and not attisdropped);
  parts text[] := '{}';
begin
  for at in 1 .. cardinality(keys) loop
    parts := parts || format('(select *, 0 as rank %1$s and %2$I >= %3$L and %2$I < %4$L order by %2$I, id limit %5$s)',
      alive, keys[at], starts[at], starts[at] || chr(1114111), matches_max);
  end loop;
  if patterns is not null then
    parts := parts || format('(select *, 1 as rank %s %s limit %s)', alive,
      (select string_agg(format('and search_text like %L', pattern), ' ') from unnest(patterns) as pattern), candidates_max);
  end if;
  return format('select %s from (select *, row_number() over (partition by id order by rank) as seen from (%s) as every_match)
    as matches where seen = 1 order by rank, %I desc, id limit %s', columns, array_to_string(parts, ' union all '), recent, matches_max);
end
$$;

grant create on schema public to rapport_search;
select make_quickly_searchable(prorettype::regtype::text::regclass) from pg_proc
where pronamespace = 'public'::regnamespace and proname ~ '^quick_' and proretset;

-- A function in SQL is planned as part of the query around it, which a sharded database refuses.
drop function search_leads_loosely(text, boolean, integer);
create function search_leads_loosely(words text, trashed boolean, matches_max integer)
returns table (id text, likeness real)
language plpgsql stable security definer set search_path = public set pg_trgm.word_similarity_threshold = 0.45 as $$
begin
  -- Measuring likeness is dear: the first few hundred that are like enough stand for the thousands of a common name.
  return query execute format(
    'select candidate.id, word_similarity(%1$L, candidate.search_text) from (
       select leads.id, leads.search_text from leads
       where team_id = %2$L and (deleted_at is not null) = %3$L and deleted_at is distinct from ''infinity''
         and search_text %%> %1$L
       limit %4$s) as candidate
     order by 2 desc, 1 limit %5$s',
    words, current_setting('app.team', true), trashed, matches_max * 10, matches_max);
end
$$;
select make_internal('search_leads_loosely(text, boolean, integer)');

-- From a record to its team: the teams come first, from a table that is never sharded, and then what is asked names them.
do $$
declare
  owned record;
begin
  for owned in
    select * from (values ('lead', 'leads', ' and deleted_at is distinct from ''''infinity'''''), ('call', 'calls', ''), ('agent', 'agents', ''))
      as kinds (name, rows, alive)
  loop
    execute format('drop function team_of_%s(text)', owned.name);
    execute format($make$
      create function team_of_%1$s(named text) returns text
      language plpgsql stable security definer set search_path = public as $body$
      declare
        asked text[];
        found text;
      begin
        asked := array(select id from teams where right(id, 4) = substr(named, 9, 4));
        execute format('select team_id from %2$s where team_id = any(%%L::text[]) and id = %%L%3$s limit 1', asked, named) into found;
        if found is null and named < ids_name_their_team_from() then
          asked := array(select id from teams);
          execute format('select team_id from %2$s where team_id = any(%%L::text[]) and id = %%L%3$s limit 1', asked, named) into found;
        end if;
        return found;
      end
      $body$
      $make$, owned.name, owned.rows, owned.alive);
    perform make_internal(format('team_of_%s(text)', owned.name));
  end loop;
end
$$;

drop function team_of_provided(text);
create function team_of_provided(provided text) returns text
language plpgsql stable security definer set search_path = public as $$
declare
  found text;
begin
  select team_id into found from messages where provider_id = provided order by id desc limit 1;
  return found;
end
$$;
select make_internal('team_of_provided(text)');

drop function team_of_recipient(text);
create function team_of_recipient(recipient text) returns text
language plpgsql stable security definer set search_path = public as $$
declare
  found text;
begin
  recipient := lower(recipient);
  select team_id into found from messages where address_key = recipient order by id desc limit 1;
  return found;
end
$$;
select make_internal('team_of_recipient(text)');

drop function teams_that_texted(text);
create function teams_that_texted(recipient text) returns setof text
language plpgsql stable security definer set search_path = public as $$
begin
  recipient := lower(recipient);
  return query select distinct team_id from messages where address_key = recipient and channel = 'sms';
end
$$;
select make_internal('teams_that_texted(text)');
revoke create on schema public from rapport_search;

-- The team is part of each statement: a sharded database finds the shard by it. forgotten_address() is written out, since a node
-- need not have it, and without convert_to(), which is STABLE and refused in an UPDATE.
create or replace function read_person_in(name text, lead text, words text) returns setof jsonb
language plpgsql stable set search_path = public as $$
declare
  team text := quote_nullable(current_setting('app.team', true));
begin
  return query execute format(
    'select to_jsonb(t) - ''team_id'' - ''search_text'' from %I as t where team_id = %s and ((%s) or t::text ~* $2)',
    name, team, coalesce((select replace(linked, 't.team_id', team) from personal_tables as p where p.name = read_person_in.name), 'false'))
  using lead, words;
end
$$;

create or replace function erase_person_in(name text, lead text, words text) returns bigint
language plpgsql security definer set search_path = public as $$
declare
  team text := quote_nullable(current_setting('app.team', true));
  rule personal_tables;
  columns text;
  found_in text;
  touched bigint := 0;
  swept bigint := 0;
begin
  if current_setting('app.team', true) !~ '^[0-9a-f]{24}$' then
    raise exception 'a person is erased from one team';
  end if;
  if name not in (select tables_of_people()) then
    raise exception 'nothing is erased from %', name;
  end if;
  if name = 'suppressions' then
    -- Of somebody who came back and is erased again, the hash may be in force already.
    execute format('delete from suppressions as s where team_id = %1$s and address ~* $1 and lifted_at is null
      and exists (select from suppressions as kept where kept.team_id = %1$s and kept.channel = s.channel
        and kept.address = ''sha256:'' || encode(sha256(replace(s.address, ''\'', ''\\'')::bytea), ''hex'') and kept.lifted_at is null)', team) using words;
    get diagnostics swept = row_count;
    execute format('update suppressions set address = ''sha256:'' || encode(sha256(replace(address, ''\'', ''\\'')::bytea), ''hex''), note = null
      where team_id = %s and address ~* $1', team) using words;
    get diagnostics touched = row_count;
    return touched + swept;
  end if;
  set local app.erasing = 'on';
  select * into rule from personal_tables as p where p.name = erase_person_in.name;
  rule.linked := replace(rule.linked, 't.team_id', team);
  if rule.forget = 'delete' then
    -- The columns one by one: to write a whole row as text is STABLE.
    select string_agg(format('%I::text ~* $2', attname), ' or ') into found_in from pg_attribute
    where attrelid = format('%I', name)::regclass and attnum > 0 and not attisdropped
      and format_type(atttypid, null) in ('text', 'jsonb');
    execute format('delete from %I as t where team_id = %s and ((%s) or %s)', name, team, rule.linked, found_in)
      using lead, words;
    get diagnostics touched = row_count;
    set local app.erasing = 'off';
    return touched;
  end if;
  if rule.forget is not null then
    execute format('update %I as t set %s where team_id = %s and (%s)', name, rule.forget, team, rule.linked)
      using lead;
    get diagnostics touched = row_count;
  end if;
  -- Whatever else has an address or the name in it keeps the rest of its words.
  select string_agg(format(
      case format_type(atttypid, null) when 'jsonb' then '%1$I = regexp_replace(%1$I::text, $1, ''[erased]'', ''gi'')::jsonb'
        else '%1$I = regexp_replace(%1$I, $1, ''[erased]'', ''gi'')' end, attname), ', '),
    string_agg(format('%I::text ~* $1', attname), ' or ')
    into columns, found_in
  from pg_attribute
  where attrelid = format('%I', name)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    and format_type(atttypid, null) in ('text', 'jsonb')
    and not (attname = 'id' or attname like '%\_id' or attname in ('team_id', 'status', 'kind', 'type'))
    and attname not in (select a.attname from pg_index join pg_attribute as a on a.attrelid = indrelid and a.attnum = any(indkey)
      where indrelid = format('%I', name)::regclass and indisprimary);
  if columns is not null then
    execute format('update %I as t set %s where team_id = %s and (%s)', name, columns, team, found_in)
      using words;
    get diagnostics swept = row_count;
  end if;
  set local app.erasing = 'off';
  return touched + swept;
end
$$;
