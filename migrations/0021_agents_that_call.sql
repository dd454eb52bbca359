-- How an agent speaks, to whom it hands over, and whom it may call when.
alter table agents
  add column greeting text,
  add column transfer_to text,
  add column outbound jsonb not null default '{"consent": "required", "quiet_hours": {"from": "20:00", "until": "08:00"}, "attempts_max": 3, "retry_after_min": 240}',
  add column version integer not null default 1 check (version > 0);

-- What searches returns whole rows as they were when it was made: it is made again for those that there are now.
drop function search_agents(text, text[], boolean, integer);
drop function quick_agents(text[], integer);
drop policy search on agents;
drop index agents_search;
grant create on schema public to rapport_search;
select make_searchable('agents');
revoke create on schema public from rapport_search;

-- What an agent was, each time it was changed: calls name the version that spoke.
create table agent_versions (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  agent_id text collate "C" not null,
  version integer not null check (version > 0),
  agent jsonb not null,
  changed_by text,
  created_at timestamptz(3) not null,
  primary key (team_id, agent_id, version),
  foreign key (team_id, agent_id) references agents on delete cascade
);

-- Which agent answers at a number: one in the whole installation, for who calls knows no team. One of the node's own tables.
create table agent_numbers (
  phone_number text collate "C" primary key,
  team_id text collate "C" not null,
  agent_id text collate "C" not null unique
);
create index agent_numbers_of_team on agent_numbers (team_id);
grant select, insert, update, delete on agent_numbers to rapport_app;

-- Those that are there already: what they are is their first version, and of several with one number the oldest has it. For that
-- moment their owner sees the rows of every team.
alter table agents no force row level security;
insert into agent_versions
select team_id, id, 1,
  jsonb_build_object('name', name, 'instructions', instructions, 'greeting', null, 'model', model, 'voice', voice, 'tools', tools,
    'transfer_to', null, 'outbound', outbound),
  null, updated_at
from agents;
insert into agent_numbers
select distinct on (phone_number) phone_number, team_id, id from agents
where phone_number is not null and deleted_at is null order by phone_number, created_at, id;
update agents set phone_number = null
where phone_number is not null and deleted_at is null and not exists (select from agent_numbers where agent_id = id);
alter table agents force row level security;
select make_tenant_table('agent_versions');
