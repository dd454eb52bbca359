-- Everything of a team at once, in whatever table: a table is found by its column team_id, so that later ones are
-- covered without being named here. One statement deletes from all of them, because foreign keys are checked at its
-- end: no order is needed, and circles do no harm. Only the owner may call it: the application cannot delete events.
create function erase_team(team text) returns bigint
language plpgsql as $$
declare
  deletes text;
  counts text;
  erased bigint;
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
  with keyed as (
    select attrelid as id, attname as key from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and attname = 'team_id' and not attisdropped
    union all
    select 'teams'::regclass, 'id')
  select string_agg(format('t%s as (delete from %s where %I = %L returning 1)', id, id::regclass, key, team), ', '),
      string_agg(format('(select count(*) from t%s)', id), ' + ')
    into deletes, counts from keyed;
  execute format('with %s select %s', deletes, counts) into erased;
  return erased;
end
$$;
revoke all on function erase_team(text) from public;

-- There is one demo team or none.
create unique index one_demo_team on teams (demo) where demo;
