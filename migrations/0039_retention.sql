-- How long a team keeps what grows without end, in days. No number: the product's default, which is 90 days or for ever
-- (src/domains/retention/values.ts).
create table retention_settings (
  team_id text collate "C" primary key,
  -- Whatever the product asks for, the audit log of the last 90 days stays.
  events integer check (events >= 90),
  workflow_runs integer check (workflow_runs > 0),
  webhook_deliveries integer check (webhook_deliveries > 0),
  inbound_events integer check (inbound_events > 0),
  call_transcripts integer check (call_transcripts > 0),
  enrolment_traces integer check (enrolment_traces > 0),
  mails integer check (mails > 0),
  notifications integer check (notifications > 0),
  model_responses integer check (model_responses > 0),
  -- How far the events have been checked: most of them stay, and are not read again within a day.
  events_checked_to text collate "C" not null default '',
  events_checked_at timestamptz(3),
  updated_at timestamptz(3) not null
);
select make_tenant_table('retention_settings', 'select, insert, update');
-- A setting is what the team chose: nothing of a person is in it.
create or replace function is_setting(name text) returns boolean language sql immutable
return name = any (array['account_settings', 'agent_listings', 'agent_numbers', 'agent_versions', 'agents', 'api_keys',
  'automation_listeners', 'availabilities', 'billing_settings', 'booking_addresses', 'busy_times', 'calendar_connections',
  'credit_accounts', 'erasures', 'form_addresses', 'form_notices', 'form_versions', 'forms', 'invitations', 'invoice_addresses',
  'lead_settings', 'memberships', 'oauth_clients', 'oauth_grants', 'outreach_settings', 'push_subscriptions', 'retention_settings',
  'sequence_days', 'sequence_versions', 'sequences', 'sessions', 'template_starts', 'templates', 'views', 'webhook_endpoints',
  'workflow_turns', 'workflow_versions', 'workflows']);

-- Records that have a timeline, and their tables: what happened to one of them is kept as long as it exists.
create function timeline_records() returns table (kind text, name text) language sql immutable
as $$ values ('account', 'accounts'), ('agent', 'agents'), ('call', 'calls'), ('candidate', 'candidates'),
  ('enrolment', 'enrolments'), ('form', 'forms'), ('invoice', 'invoices'), ('lead', 'leads'), ('meeting', 'meetings'),
  ('message', 'messages'), ('opportunity', 'opportunities'), ('project', 'projects'), ('sequence', 'sequences'),
  ('submission', 'submissions'), ('task', 'tasks'), ('template', 'templates'), ('workflow', 'workflows') $$;

-- The functions below work for all teams in one statement. Row security binds the owner, so they open these tables to it and to
-- nobody else, while they run.
do $$
declare
  name text;
begin
  foreach name in array array['events', 'workflow_runs', 'workflow_traces', 'webhook_deliveries', 'inbound_events', 'inbound_effects',
    'call_lines', 'enrolment_trace', 'mails', 'notifications', 'model_responses', 'retention_settings']
  loop
    execute format('create policy retention on %I to current_user using (current_setting(''app.retention'', true) = ''on'')', name);
  end loop;
  for name in select 'teams' union select 'jobs' union select records.name from timeline_records() as records loop
    execute format('create policy retention on %I for select to current_user using (current_setting(''app.retention'', true) = ''on'')', name);
  end loop;
end
$$;

-- Removes a block of what is older than its team keeps it, of one kind and of any number of teams. Returns how many rows.
create function remove_expired(kind text, default_days integer, at timestamptz, block integer) returns bigint
language plpgsql security definer set search_path = public as $$
declare
  rule record;
  ids text[];
  removed bigint;
begin
  -- The table, the ID that says when, the key beside the team, what else has to hold, and what goes with a row.
  select * into rule from (values
    ('workflow_runs', 'workflow_runs', 'id', 'id', 't.ended_at < kept.since', 'workflow_traces', 'run_id'),
    ('webhook_deliveries', 'webhook_deliveries', 'id', 'id', 't.status <> ''PENDING'' and t.created_at < kept.since', null, null),
    ('inbound_events', 'inbound_events', 'id', 'id', 't.id < kept.first_id', 'inbound_effects', 'inbound_id'),
    ('call_transcripts', 'call_lines', 'call_id', 'call_id, id', 't.id < kept.first_id', null, null),
    ('enrolment_traces', 'enrolment_trace', 'enrolment_id', 'enrolment_id, id', 't.id < kept.first_id and exists (
      select from enrolments as e where e.team_id = t.team_id and e.id = t.enrolment_id and e.ended_at is not null)', null, null),
    ('mails', 'mails', 'id', 'id', 't.created_at < kept.since', null, null),
    ('notifications', 'notifications', 'id', 'id', 't.created_at < kept.since', null, null),
    ('model_responses', 'model_responses', 'id', 'id', 't.id < kept.first_id', null, null))
    as rules (kind, name, said_by, key, also, part, part_of) where rules.kind = remove_expired.kind;
  if rule is null then
    raise exception 'nothing is kept for a time as %', kind;
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
revoke all on function remove_expired(text, integer, timestamptz, integer) from public;
grant execute on function remove_expired(text, integer, timestamptz, integer) to rapport_app;

-- The same for events, of the teams that do not keep them for ever. The application may not delete events, and this function
-- cannot be made to delete others: what happened to a record that exists stays, and so does what a job still waits for. By the
-- database's own clock, nothing younger than 90 days goes.
create function remove_old_events(at timestamptz, teams_max integer, block integer) returns table (teams bigint, removed bigint)
language plpgsql security definer set search_path = public as $$
declare
  is_kept text;
begin
  select string_agg(format('(e.subject_kind = %L and exists (select from %I as r where r.team_id = e.team_id and r.id = e.subject_id%s))',
    kind, name, case name when 'leads' then ' and r.deleted_at is distinct from ''infinity''' else '' end), ' or ' order by kind)
  into is_kept from timeline_records();
  set local app.retention = 'on';
  return query execute format($sql$
    with due as materialized (
      select team_id, events_checked_to, first_id(least($1, now()) - make_interval(days => events)) as before
      from retention_settings where events is not null
        and (events_checked_at is null or events_checked_at <= $1 - interval '1 day' or events_checked_to <> '')
      order by events_checked_at nulls first, team_id limit $2 for update skip locked),
    block as materialized (
      select due.team_id, e.id, e.subject_kind, e.subject_id, e.lead_id from due cross join lateral (
        select * from events as e where e.team_id = due.team_id and e.id > due.events_checked_to and e.id < due.before
        order by e.team_id, e.id limit $3) as e),
    old as (
      select team_id, id from block as e
      where not exists (select from leads as l where l.team_id = e.team_id and l.id = e.lead_id and l.deleted_at is distinct from 'infinity')
        and not exists (select from jobs where jobs.event_id = e.id)
        and (%s) is not true),
    gone as (delete from events as e using old where e.team_id = old.team_id and e.id = old.id returning 1),
    places as (
      update retention_settings as s set events_checked_at = $1,
        events_checked_to = case when found.n < $3 then '' else found.last end
      from (select due.team_id, count(block.id) as n, max(block.id) as last
        from due left join block on block.team_id = due.team_id group by due.team_id) as found
      where s.team_id = found.team_id returning 1)
    select (select count(*) from due), (select count(*) from gone) $sql$, is_kept)
  using at, teams_max, block;
  set local app.retention = 'off';
end
$$;
revoke all on function remove_old_events(timestamptz, integer, integer) from public;
grant execute on function remove_old_events(timestamptz, integer, integer) to rapport_app;

-- Drops the parts of tables kept by month that are empty, and older than a clock may have been wrong by. What should still come
-- for their months is kept in <table>_other.
create function drop_empty_partitions(at timestamptz) returns integer
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
    execute format('select exists (select from %s)', part.name) into filled;
    continue when filled;
    -- Nobody writes to it between this look and its end.
    execute format('lock table %s in access exclusive mode', part.parent);
    execute format('select exists (select from %s)', part.name) into filled;
    continue when filled;
    execute format('drop table %s', part.name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;
revoke all on function drop_empty_partitions(timestamptz) from public;
grant execute on function drop_empty_partitions(timestamptz) to rapport_app;

-- Ended runs were found by it; now the key of their team finds them.
drop index workflow_runs_ended;
