-- Roles are the server's, not the database's: another database of the same server may have made them already, and two
-- may be made at once.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['rapport_app', 'rapport_search'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin nosuperuser nobypassrls', role_name);
      exception when duplicate_object or unique_violation then
        null;
      end;
    end if;
    -- The login that owns the schema acts as the application by SET ROLE. From PostgreSQL 16 on, having made a role does
    -- not yet mean being allowed to.
    if not pg_has_role(current_user, role_name, 'usage') then
      execute format('grant %I to current_user', role_name);
    end if;
  end loop;
end
$$;

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

grant usage on schema public to rapport_app, rapport_search;

-- Row level security for a table whose key is led by the team: with no team set, a query returns no rows. FORCE, so
-- that it binds the owner too.
create function make_tenant_table(name regclass, privileges text default 'select, insert, update, delete') returns void
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format(
    'create policy team on %s to rapport_app using (team_id = current_setting(''app.team'', true)) with check (team_id = current_setting(''app.team'', true))',
    name);
  execute format('grant %s on %s to rapport_app', privileges, name);
end
$$;

-- Facts about the installation as a whole, like a hold on everything outgoing after a restore.
create table installation (
  key text primary key,
  value text not null
);
grant select, insert, update, delete on installation to rapport_app;

-- What happened, to what, by whom: the source of the timeline, the audit log and all reactions. Nobody rewrites it.
create table events (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  type text not null,
  subject_kind text not null,
  subject_id text collate "C" not null,
  lead_id text collate "C",
  actor_kind text not null,
  actor_id text,
  actor_name text,
  request_id text,
  ip text,
  data jsonb not null,
  at timestamptz(3) not null,
  primary key (team_id, id)
);
create index events_of_lead on events (team_id, lead_id, at desc, id desc) where lead_id is not null;
select make_tenant_table('events', 'select, insert');

-- The tail that live updates read, in the order of commits: whatever is below the oldest running transaction is
-- complete. Local to the node and pruned after a day.
create table changes (
  xid xid8 not null default pg_current_xact_id(),
  event_id text collate "C" not null,
  team_id text collate "C" not null,
  scope text collate "C" not null,
  at timestamptz(3) not null,
  message jsonb not null,
  primary key (xid, event_id)
);
grant select, insert, delete on changes to rapport_app;

-- Every wait of the product. See src/platform/jobs/queue.ts. Work that reaches outside and work that does not are two
-- lanes with indexes of their own, so that a slow mail server holds up nothing but mail.
create table jobs (
  id text collate "C" primary key,
  kind text not null,
  team_id text collate "C" not null default '',
  event_id text collate "C",
  data jsonb,
  run_at timestamptz(3) not null,
  owner text collate "C",
  attempts smallint not null default 0,
  state text collate "C" not null default 'ready' check (state in ('ready', 'dead')),
  outgoing boolean not null default false,
  last_error text,
  failed_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index jobs_due on jobs (run_at) where state = 'ready' and not outgoing;
create index jobs_due_by_team on jobs (team_id, run_at) where state = 'ready' and not outgoing;
create index jobs_due_outgoing on jobs (run_at) where state = 'ready' and outgoing;
create index jobs_due_outgoing_by_team on jobs (team_id, run_at) where state = 'ready' and outgoing;
create index jobs_dead on jobs (team_id, created_at, id) where state = 'dead';
grant select, insert, update, delete on jobs to rapport_app;

-- Claims and completions churn this table: the vacuum keeps up by absolute numbers, not by share.
alter table jobs set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

-- Ends jobs in the transaction of their effect, and refuses the whole transaction when one of them was lost to another
-- worker. The table is often empty and suddenly full: a plan made while it was empty must not be one that reads it all.
create function complete_jobs(job_ids text[], claims text[]) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  ended integer;
begin
  delete from jobs using unnest(job_ids, claims) as held (id, claim)
  where jobs.id = held.id and jobs.owner = held.claim;
  get diagnostics ended = row_count;
  if ended <> cardinality(job_ids) then
    raise exception 'a job is owned by another worker by now' using errcode = 'RP001';
  end if;
end
$$;

-- The same refusal without ending anything: for work that reaches outside and keeps transactions of its own.
create function fence_job(job_id text, claim text) returns void
language plpgsql as $$
begin
  perform from jobs where id = job_id and owner = claim for share;
  if not found then
    raise exception 'job % is owned by another worker by now', job_id using errcode = 'RP001';
  end if;
end
$$;

create table schedules (
  name text primary key,
  next_at timestamptz(3) not null,
  owner text,
  lease_until timestamptz(3)
);
create table schedule_runs (
  id text collate "C" primary key,
  name text not null,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  started_by text not null,
  outcome text not null,
  processed jsonb not null,
  error text
);
create index schedule_runs_by_name on schedule_runs (name, started_at desc);
grant select, insert, update, delete on schedules, schedule_runs to rapport_app;

-- The saved answer to a POST that carried an Idempotency-Key, written in the transaction of its effect.
create table idempotency_keys (
  team_id text collate "C" not null,
  caller text collate "C" not null,
  key text collate "C" not null,
  fingerprint text not null,
  status smallint not null,
  headers jsonb not null,
  body text,
  created_at timestamptz(3) not null,
  primary key (team_id, caller, key)
);
create index idempotency_keys_by_age on idempotency_keys (team_id, created_at);
select make_tenant_table('idempotency_keys');
