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

-- What is kept for a time: the table, the ID that says when, the key beside the team, what else has to hold, and what goes with a
-- row.
create function retention_rules() returns table (kind text, name text, said_by text, key text, also text, part text, part_of text)
language plpgsql immutable as $$
begin
  return query values
    ('workflow_runs', 'workflow_runs', 'id', 'id', 't.ended_at < kept.since', 'workflow_traces', 'run_id'),
    ('webhook_deliveries', 'webhook_deliveries', 'id', 'id', 't.status <> ''PENDING'' and t.created_at < kept.since', null, null),
    ('inbound_events', 'inbound_events', 'id', 'id', 't.id < kept.first_id', 'inbound_effects', 'inbound_id'),
    ('call_transcripts', 'call_lines', 'call_id', 'call_id, id', 't.id < kept.first_id', null, null),
    ('enrolment_traces', 'enrolment_trace', 'enrolment_id', 'enrolment_id, id', 't.id < kept.first_id and exists (
      select from enrolments as e where e.team_id = t.team_id and e.id = t.enrolment_id and e.ended_at is not null)', null, null),
    ('mails', 'mails', 'id', 'id', 't.created_at < kept.since', null, null),
    ('notifications', 'notifications', 'id', 'id', 't.created_at < kept.since', null, null),
    ('model_responses', 'model_responses', 'id', 'id', 't.id < kept.first_id', null, null);
end
$$;

create or replace function remove_expired(kind text, default_days integer, at timestamptz, block integer) returns bigint
language plpgsql security definer set search_path = public as $$
declare
  rule record;
  ids text[];
  removed bigint;
begin
  select * into rule from retention_rules() as rules where rules.kind = remove_expired.kind;
  if rule is null then
    raise exception 'nothing is kept for a time as %', kind;
  end if;
  if is_distributed() then
    return remove_expired_from_shards(kind, default_days, at, block);
  end if;
  set local app.retention = 'on';
  execute format($sql$
    with kept as materialized (
      select team_id, since, first_id(since) as first_id, first_id(since + interval '1 second') as next_id from (
        select teams.id as team_id, $1 - make_interval(days => coalesce(s.%1$I, $2)) as since
        from teams left join retention_settings as s on s.team_id = teams.id) as teams
      where since is not null),
    old as materialized (
      select kept.team_id, t.* from kept cross join lateral (
        select %4$s from %2$I as t where t.team_id = kept.team_id and t.%3$I < kept.next_id and (%5$s)
        order by t.team_id, %6$s limit $3) as t
      limit $3),
    gone as (delete from %2$I as t using old where t.team_id = old.team_id and (%6$s) = (%7$s) returning t.%3$I as id)
    select array_agg(id), count(*) from gone $sql$,
    kind, rule.name, rule.said_by, rule.key, rule.also,
    (select string_agg(format('t.%I', trim(column_name)), ', ') from unnest(string_to_array(rule.key, ',')) as column_name),
    (select string_agg(format('old.%I', trim(column_name)), ', ') from unnest(string_to_array(rule.key, ',')) as column_name))
  into ids, removed using at, default_days, block;
  if rule.part is not null and ids is not null then
    execute format('delete from %I where %I = any($1)', rule.part, rule.part_of) using ids;
  end if;
  set local app.retention = 'off';
  return removed;
end
$$;

-- Shards know neither all teams nor a limit for each of them. They are asked once which teams have something that old, and it is
-- removed team by team. Values are part of each statement: the shard is found by them.
create function remove_expired_from_shards(kind text, default_days integer, at timestamptz, block integer) returns bigint
language plpgsql set search_path = public as $$
declare
  rule record;
  chosen jsonb;
  all_teams text[];
  next_ids text[];
  with_old text[];
  team text;
  since timestamptz;
  ids text[];
  gone bigint;
  removed bigint := 0;
begin
  select * into rule from retention_rules() as rules where rules.kind = remove_expired_from_shards.kind;
  execute format('select jsonb_object_agg(team_id, days) from (
    select team_id, %1$I as days from retention_settings where %1$I is not null) as chosen', kind) into chosen;
  select array_agg(id), array_agg(first_id(kept.since + interval '1 second')) into all_teams, next_ids
  from teams cross join lateral (
    select at - make_interval(days => coalesce((chosen ->> id)::integer, default_days)) as since) as kept
  where kept.since is not null;
  execute format('select array_agg(team_id) from (select t.team_id from %I as t join unnest($1, $2) as kept (team_id, next_id)
    on t.team_id = kept.team_id where t.%I < kept.next_id group by t.team_id) as teams', rule.name, rule.said_by)
  into with_old using all_teams, next_ids;
  foreach team in array coalesce(with_old, '{}') loop
    since := at - make_interval(days => coalesce((chosen ->> team)::integer, default_days));
    execute format(
      'with gone as (delete from %1$I where team_id = %2$L and (%3$s) in (
        select %3$s from %1$I as t where t.team_id = %2$L and t.%4$I < %5$L and (%6$s) order by %3$s limit %7$s) returning %4$I as id)
      select array_agg(id), count(*) from gone',
      rule.name, team, rule.key, rule.said_by, first_id(since + interval '1 second'),
      replace(replace(rule.also, 'kept.since', quote_literal(since)), 'kept.first_id', quote_literal(first_id(since))),
      block - removed) into ids, gone;
    if rule.part is not null and gone > 0 then
      execute format('delete from %I where team_id = %L and %I = any(%L::text[])', rule.part, team, rule.part_of, ids);
    end if;
    removed := removed + gone;
    exit when removed >= block;
  end loop;
  return removed;
end
$$;
revoke all on function remove_expired_from_shards(text, integer, timestamptz, integer) from public;

-- The same as before, team by team: what a shard is asked names its team.
create or replace function remove_old_events(at timestamptz, teams_max integer, block integer) returns table (teams bigint, removed bigint)
language plpgsql security definer set search_path = public as $$
declare
  is_kept text;
  yesterday timestamptz := at - interval '1 day';
  due text[];
  team text;
  days integer;
  checked_to text;
  seen text[];
  old text[];
  held text[];
  gone bigint;
begin
  select string_agg(format('(e.subject_kind = %L and exists (select from %I as r where r.team_id = e.team_id and r.id = e.subject_id%s))',
    kind, name, case name when 'leads' then ' and r.deleted_at is distinct from ''infinity''' else '' end), ' or ' order by kind)
  into is_kept from timeline_records();
  set local app.retention = 'on';
  teams := 0;
  removed := 0;
  select array_agg(team_id) into due from (
    select team_id from retention_settings
    where events is not null and (events_checked_at is null or events_checked_at <= yesterday or events_checked_to <> '')
    order by events_checked_at nulls first, team_id limit teams_max) as due_teams;
  foreach team in array coalesce(due, '{}') loop
    -- Another process may have it, or may have checked it meanwhile.
    execute format('select events, events_checked_to from retention_settings where team_id = %L and events is not null
      and (events_checked_at is null or events_checked_at <= %L or events_checked_to <> '''') for update skip locked',
      team, yesterday) into days, checked_to;
    continue when days is null;
    teams := teams + 1;
    execute format('select array_agg(id order by id) from (
      select id from events where team_id = %L and id > %L and id < %L order by team_id, id limit %s) as block',
      team, checked_to, first_id(least(at, now()) - make_interval(days => days)), block) into seen;
    if seen is not null then
      execute format('select array_agg(id) from events as e where team_id = %1$L and id between %2$L and %3$L
        and not exists (select from leads as l where l.team_id = e.team_id and l.id = e.lead_id and l.deleted_at is distinct from ''infinity'')
        and (%4$s) is not true', team, seen[1], seen[cardinality(seen)], is_kept) into old;
      select array_agg(event_id) into held from jobs where event_id = any(old);
      execute format('delete from events where team_id = %L and id between %L and %L and id = any(%L::text[]) and id <> all(%L::text[])',
        team, seen[1], seen[cardinality(seen)], coalesce(old, '{}'), coalesce(held, '{}'));
      get diagnostics gone = row_count;
      removed := removed + gone;
    end if;
    execute format('update retention_settings set events_checked_at = %L, events_checked_to = %L where team_id = %L',
      at, case when cardinality(seen) = block then seen[block] else '' end, team);
  end loop;
  set local app.retention = 'off';
  return next;
end
$$;

-- A sharded database reads no rows without columns.
create or replace function drop_empty_partitions(at timestamptz) returns integer
language plpgsql security definer set search_path = public set timezone = 'UTC' set lock_timeout = '1s' as $$
declare
  part record;
  filled boolean;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(7266791);
  for part in
    select inhrelid::regclass::text as name, inhparent::regclass::text as parent from pg_inherits
    join pg_class on pg_class.oid = inhrelid join pg_class as parents on parents.oid = inhparent and parents.relkind = 'p'
    where parents.relnamespace = 'public'::regnamespace and pg_class.relkind = 'r'
      and (regexp_match(pg_get_expr(pg_class.relpartbound, pg_class.oid), 'TO \(''([0-9a-f]{24})'))[1]
        <= first_id(month_of(first_id(least(at, now()) - interval '2 months')))
    order by 1
  loop
    execute format('select exists (select 1 from %s)', part.name) into filled;
    continue when filled;
    -- Nobody writes to it between this look and its end.
    execute format('lock table %s in access exclusive mode', part.parent);
    execute format('select exists (select 1 from %s)', part.name) into filled;
    continue when filled;
    execute format('drop table %s', part.name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;

-- Jobs for those events that an automation of the team listens to. Where none does, nothing is written: on a cluster, a commit that
-- only concerns the team's node then takes one phase. Answers a row for each job.
create function add_listened_jobs(ids text[], kinds text[], teams text[], events text[], due timestamptz[], outgoings boolean[],
  at timestamptz[], types text[]) returns setof integer
language plpgsql set search_path = public as $$
declare
  added integer;
begin
  if exists (select from automation_listeners where team_id = any(teams) and type = any(types)) then
    insert into jobs (id, kind, team_id, event_id, run_at, outgoing, created_at)
      select job.id, job.kind, job.team_id, job.event_id, job.run_at, job.outgoing, job.created_at
      from unnest(ids, kinds, teams, events, due, outgoings, at, types)
        as job (id, kind, team_id, event_id, run_at, outgoing, created_at, type)
      where exists (select from automation_listeners as l where l.team_id = job.team_id and l.type = job.type);
    get diagnostics added = row_count;
    return query select generate_series(1, added);
  end if;
end
$$;
revoke all on function add_listened_jobs(text[], text[], text[], text[], timestamptz[], boolean[], timestamptz[], text[]) from public;
grant execute on function add_listened_jobs(text[], text[], text[], text[], timestamptz[], boolean[], timestamptz[], text[]) to rapport_app;
