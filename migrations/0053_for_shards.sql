-- Shards refuse a policy with a sub-select, as 0051 made it. The application has no use for the setting: erased leads are
-- hidden by its one policy, from which the planner proves what it did before, and the setting opens them to the owner only.
drop policy erased on leads;
alter policy team on leads
  using (team_id = current_setting('app.team', true) and (deleted_at is null or deleted_at <> 'infinity'))
  with check (team_id = current_setting('app.team', true) and (deleted_at is null or deleted_at <> 'infinity'));
create policy erasing on leads to current_user
  using (team_id = current_setting('app.team', true) and current_setting('app.erasing', true) = 'on');

-- A shard is moved while it is in use by logical replication, which refuses a table with forced row security. Where tables are
-- sharded, their owner is a superuser, whom row security never binds: forcing it changes nothing there.
create or replace function place_table(name text) returns void
language plpgsql as $$
declare
  place text := (select p.place from table_places as p where p.name = place_table.name);
  beside text;
  forced boolean := (select relforcerowsecurity from pg_class where oid = format('%I', name)::regclass);
begin
  -- Only the rows that the owner sees are moved.
  if forced then
    execute format('alter table %I no force row level security', name);
  end if;
  if place = 'sharded' then
    execute $ask$ select min(relname) from pg_dist_partition join pg_class on oid = logicalrelid
      where relnamespace = 'public'::regnamespace and partmethod = 'h' $ask$ into beside;
    execute 'select create_distributed_table(quote_ident($1), ''team_id'', colocate_with => coalesce(quote_ident($2), ''none''))'
      using name, beside;
  elsif place = 'managed' then
    execute 'select citus_add_local_table_to_metadata(quote_ident($1)::regclass, cascade_via_foreign_keys => true)' using name;
    if forced then
      execute format('alter table %I force row level security', name);
    end if;
  end if;
end
$$;

do $$
declare
  sharded record;
begin
  if is_distributed() then
    for sharded in select name from table_places where place = 'sharded' loop
      execute format('alter table %I no force row level security', sharded.name);
    end loop;
  end if;
end
$$;
