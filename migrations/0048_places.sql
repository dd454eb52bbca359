-- An installation that outgrows one PostgreSQL runs on Citus: what belongs to a team is sharded by it (docs/citus.md, decision
-- 0034). Where each table is kept then is declared here, by make_tenant_table() and make_installation_table(), and nowhere else:
--   sharded   with the team's other rows, on one of the nodes
--   managed   on the coordinator, in one commit with the team's rows
--   local     on the coordinator, known to nobody else. Every table that is not declared is local.
create table table_places (
  name text collate "C" primary key,
  place text collate "C" not null check (place in ('sharded', 'managed', 'local'))
);

insert into table_places
select relname, case when bool_or(polname = 'installation') then 'managed' else 'sharded' end
from pg_policy join pg_class on pg_class.oid = polrelid
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
group by relname having bool_or(polname = 'team');

-- Job rows are written where their events have listeners, so both are in one place.
update table_places set place = 'managed' where name = 'automation_listeners';
insert into table_places values ('deployments', 'managed');
-- Tables that refer to each other are kept alike, and a policy that reads another table keeps people and their sessions off the
-- nodes. The live log is in the order of the coordinator's own transactions.
update table_places set place = 'local' where name in ('api_keys', 'changes', 'invitations', 'memberships', 'notifications',
  'oauth_clients', 'oauth_grants', 'push_subscriptions', 'sessions');

-- A shard is moved while it is written to only if its rows can be told apart.
alter table lead_count_changes replica identity full;

-- Whether the tables are on several nodes. Without the extension there is nothing to ask.
create function is_distributed() returns boolean
language plpgsql stable as $$
declare
  answer boolean := false;
begin
  if to_regclass('pg_catalog.pg_dist_partition') is not null then
    execute $ask$ select exists (select from pg_dist_partition join pg_class on oid = logicalrelid
      where relnamespace = 'public'::regnamespace and partmethod = 'h') $ask$ into answer;
  end if;
  return answer;
end
$$;

-- What is not where it belongs, in an order in which it can be put there: a table after those that it refers to.
create function misplaced_tables() returns table (name text, place text)
language plpgsql stable as $$
begin
  return query execute $ask$
    with recursive depths as (
      select oid as id, 0 as depth from pg_class join table_places as p on relname = p.name
      where relnamespace = 'public'::regnamespace
      union
      select conrelid, depth + 1 from depths
      join pg_constraint on confrelid = id and contype = 'f' and confrelid <> conrelid and conparentid = 0
      where depth < 100)
    select p.name::text, p.place::text from table_places as p
    join pg_class on relname = p.name and relnamespace = 'public'::regnamespace
    join depths on id = pg_class.oid
    left join pg_dist_partition on logicalrelid = pg_class.oid
    where (p.place = 'sharded' and partmethod is distinct from 'h') or (p.place = 'managed' and partmethod is distinct from 'n')
    group by p.name, p.place order by p.place, max(depth), p.name $ask$;
end
$$;

-- Row security would hide a table's rows from an owner who is no superuser, and only the rows that are seen are moved.
create function place_table(name text) returns void
language plpgsql as $$
declare
  place text := (select p.place from table_places as p where p.name = place_table.name);
  beside text;
  forced boolean := (select relforcerowsecurity from pg_class where oid = format('%I', name)::regclass);
begin
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
  end if;
  if forced then
    execute format('alter table %I force row level security', name);
  end if;
end
$$;

create function declare_place(name regclass, place text) returns void
language plpgsql as $$
begin
  insert into table_places values ((select relname from pg_class where oid = declare_place.name), place)
  on conflict on constraint table_places_pkey do update set place = excluded.place;
  if is_distributed() then
    perform place_table(m.name) from misplaced_tables() as m
    where m.name = (select relname from pg_class where oid = declare_place.name);
  end if;
end
$$;

alter function make_tenant_table(regclass, text) rename to make_team_policy;
create function make_tenant_table(name regclass, privileges text default 'select, insert, update, delete') returns void
language plpgsql as $$
begin
  perform make_team_policy(name, privileges);
  perform declare_place(name, 'sharded');
end
$$;

create or replace function make_installation_table(name regclass, privileges text default 'select, insert, update, delete') returns void
language plpgsql as $$
begin
  perform make_team_policy(name, privileges);
  execute format(
    'create policy installation on %s to rapport_app using (current_setting(''app.team'', true) = ''*'') with check (current_setting(''app.team'', true) = ''*'')',
    name);
  perform declare_place(name, 'managed');
end
$$;
