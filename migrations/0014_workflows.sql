-- What a team wants done by itself. The definition that runs, and beside it the one that somebody is still working at.
create table workflows (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  name text not null,
  trigger text collate "C" not null,
  -- The event that the trigger hears.
  hears text collate "C" not null,
  filters jsonb not null,
  once_per_lead boolean not null,
  nodes jsonb not null,
  status text collate "C" not null check (status in ('DRAFT', 'ACTIVE', 'PAUSED')),
  version integer not null,
  draft jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  name_key text collate "C" not null generated always as (lower(left(name, 200))) stored,
  search_text text collate "C" not null generated always as (lower(' ' || name)) stored,
  primary key (team_id, id)
);
create index workflows_by_creation on workflows (team_id, created_at, id) where deleted_at is null;
create index workflows_by_change on workflows (team_id, updated_at, id) where deleted_at is null;
create index workflows_by_name_key on workflows (team_id, name_key, id) where deleted_at is null;
create index workflows_in_trash on workflows (team_id, deleted_at, id) where deleted_at is not null;
create index workflows_by_trigger on workflows (team_id, hears) where status = 'ACTIVE' and deleted_at is null;
select make_tenant_table('workflows');
grant create on schema public to rapport_search;
select make_searchable('workflows');
revoke create on schema public from rapport_search;

-- What was published, one row each, never changed: a run is pinned to its version.
create table workflow_versions (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  workflow_id text collate "C" not null,
  version integer not null,
  definition jsonb not null,
  created_at timestamptz(3) not null,
  created_by text,
  primary key (team_id, workflow_id, version),
  foreign key (team_id, workflow_id) references workflows on delete cascade
);
select make_tenant_table('workflow_versions', 'select, insert');

create table workflow_runs (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  workflow_id text collate "C" not null,
  version integer not null,
  status text collate "C" not null,
  lead_id text collate "C",
  -- What set it off, by a key of its own: one event sets a workflow off once, whoever tells it again.
  event_key text collate "C" not null,
  event_id text collate "C",
  -- The lead, where the workflow runs once for each.
  once_key text collate "C",
  event jsonb not null,
  -- The record that the event is about, where it is no lead: a deal, a task.
  subject_kind text collate "C",
  subject_id text collate "C",
  state jsonb not null,
  -- The job that wakes it; any other is left over from an earlier wait.
  wait_id text collate "C",
  next_at timestamptz(3),
  -- How many workflows have set each other off before this one.
  chain smallint not null,
  parts integer not null,
  error text,
  failed_path text collate "C",
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- It waits for a person.
  halted boolean not null generated always as (status in ('FAILED', 'PAUSED')) stored,
  -- No foreign key: thousands of runs a second would all lock the one row of their workflow. A sweep sees to the end.
  primary key (team_id, id)
) with (fillfactor = 50);
-- A run that goes on or ends well changes nothing that these indexes know, and there is room for it on its page: hardly
-- any of them is touched, however many runs sleep (HOT; a BRIN index does not stand in its way).
create unique index workflow_runs_by_event on workflow_runs (team_id, workflow_id, event_key);
create unique index workflow_runs_once on workflow_runs (team_id, workflow_id, once_key) where once_key is not null;
create index workflow_runs_by_creation on workflow_runs (team_id, workflow_id, id);
create index workflow_runs_of_lead on workflow_runs (team_id, lead_id, id) where lead_id is not null;
create index workflow_runs_ended on workflow_runs using brin (ended_at);
create index workflow_runs_halted on workflow_runs (team_id, workflow_id, id) where halted;
select make_tenant_table('workflow_runs');

-- What a run did, in the parts in which it was committed.
create table workflow_traces (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  run_id text collate "C" not null,
  part integer not null,
  entries jsonb not null,
  primary key (team_id, run_id, part)
);
select make_tenant_table('workflow_traces', 'select, insert, delete');

-- Whose turn it is, of those who take turns at a node.
create table workflow_turns (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  workflow_id text collate "C" not null,
  path text collate "C" not null,
  taken bigint not null,
  primary key (team_id, workflow_id, path),
  foreign key (team_id, workflow_id) references workflows on delete cascade
);
select make_tenant_table('workflow_turns');

-- The events that somebody's automations listen to: where nobody does, no job is written for them.
create table automation_listeners (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  type text collate "C" not null,
  primary key (team_id, type)
);
select make_tenant_table('automation_listeners', 'select, insert, delete');

-- A workflow may tell several addresses: which of them it is.
alter table webhook_endpoints add column part text collate "C" not null default '';
drop index webhook_endpoints_of_owner;
create unique index webhook_endpoints_of_owner on webhook_endpoints (team_id, owner_kind, owner_id, part);

-- An event goes through several states within a second: with room in its page it is rewritten where it stands.
alter table inbound_events set (fillfactor = 70);
