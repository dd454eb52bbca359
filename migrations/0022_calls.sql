-- Whether a lead may be called by an agent: what it said last counts.
create table call_consents (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  lead_id text collate "C" not null,
  given boolean not null,
  source text not null,
  note text,
  at timestamptz(3) not null,
  primary key (team_id, lead_id),
  foreign key (team_id, lead_id) references leads on delete cascade
);
select make_tenant_table('call_consents');

-- Every call, whoever speaks: an agent, a person with Rapport's help, or one that is written down afterwards.
create table calls (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  kind text collate "C" not null check (kind in ('agent', 'human', 'manual')),
  direction text collate "C" not null check (direction in ('inbound', 'outbound')),
  status text collate "C" not null check (
    status in ('SCHEDULED', 'DIALING', 'CONNECTED', 'ENDED', 'NO_ANSWER', 'VOICEMAIL', 'FAILED', 'CANCELLED')
  ),
  lead_id text collate "C",
  agent_id text collate "C",
  agent_version integer,
  -- Who of the team speaks, or started it.
  user_id text collate "C",
  "from" text,
  "to" text,
  -- When it is to be made, for one that waits.
  scheduled_at timestamptz(3),
  started_at timestamptz(3) not null,
  connected_at timestamptz(3),
  ended_at timestamptz(3),
  duration_sec integer check (duration_sec >= 0),
  outcome text,
  summary text,
  notes text,
  recording_url text,
  -- {intent: 'task' | 'retry' | 'meeting' | 'workflow' | 'none', reason, task_id?, call_id?, meeting_id?, at?}
  follow_up jsonb,
  -- Why it did not come about, or was ended.
  end_reason text,
  attempt integer not null default 1,
  -- By whom it is carried, and what it is called there.
  provider text collate "C",
  provider_call_id text collate "C",
  source_key text collate "C",
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (team_id, id),
  foreign key (team_id, lead_id) references leads on delete set null (lead_id)
);
create index calls_by_start on calls (team_id, started_at, id);
create index calls_of_lead on calls (team_id, lead_id, started_at, id) where lead_id is not null;
create index calls_of_agent on calls (team_id, agent_id, started_at, id) where agent_id is not null;
create index calls_alive on calls (team_id, started_at, id) where status in ('SCHEDULED', 'DIALING', 'CONNECTED');
create unique index calls_by_provider on calls (team_id, provider_call_id) where provider_call_id is not null;
create unique index calls_by_source on calls (team_id, source_key) where source_key is not null;
select make_tenant_table('calls');

-- What was said and done in a call, in order. `ref` is the provider's name of a line: told twice, it is there once.
create table call_lines (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  call_id text collate "C" not null,
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  ref text collate "C" not null,
  speaker text collate "C" not null check (speaker in ('agent', 'caller', 'person', 'system', 'tool')),
  text text not null,
  -- {name, arguments, status: 'asked' | 'done' | 'failed', result}
  tool jsonb,
  at timestamptz(3) not null,
  primary key (team_id, call_id, id),
  unique (team_id, call_id, ref),
  foreign key (team_id, call_id) references calls on delete cascade
);
select make_tenant_table('call_lines');

-- From a provider's name of a call to a team, for events that name no other record. One of the node's own tables.
create table call_addresses (
  provider_call_id text collate "C" primary key,
  team_id text collate "C" not null,
  call_id text collate "C" not null
);
create index call_addresses_of_team on call_addresses (team_id);
grant select, insert, update, delete on call_addresses to rapport_app;

-- Whose call or agent this is: a provider names one, and says nothing of a team (see team_of_lead).
create function team_of_call(call text) returns text
language sql stable security definer set search_path = public
begin atomic
  select calls.team_id from teams join calls on calls.team_id = teams.id and calls.id = call limit 1;
end;
create function team_of_agent(agent text) returns text
language sql stable security definer set search_path = public
begin atomic
  select agents.team_id from teams join agents on agents.team_id = teams.id and agents.id = agent limit 1;
end;
-- What is searched may be read already, and agents are.
create policy search on calls for select to rapport_search using (true);
grant select on calls to rapport_search;
grant create on schema public to rapport_search;
select make_internal('team_of_call(text)');
select make_internal('team_of_agent(text)');
revoke create on schema public from rapport_search;

-- A workflow that begins when a call has ended hears of the call itself now, no longer of the provider's word for it.
alter table workflows no force row level security;
alter table automation_listeners no force row level security;
update workflows set hears = 'call.ended' where trigger = 'call.ended';
insert into automation_listeners (team_id, type)
select distinct team_id, 'call.ended' from workflows
where trigger = 'call.ended' and status = 'ACTIVE' and deleted_at is null on conflict do nothing;
alter table workflows force row level security;
alter table automation_listeners force row level security;

-- Calls that a process of ours attends to now. Who dies while it does loses its lease, and another takes over where it
-- stood. One of the node's own tables.
create table attended_calls (
  call_id text collate "C" primary key,
  team_id text collate "C" not null,
  lead_id text collate "C",
  -- Of the other side.
  number text collate "C",
  provider text collate "C" not null,
  provider_call_id text collate "C",
  -- What stays the same: the session, whom it is about, and to whom it may be handed over.
  brief jsonb not null,
  -- Set before the line is asked to dial: who finds it without a name of the call does not dial again.
  dialling_at timestamptz(3),
  dial_tries integer not null default 0,
  -- Our own call came back by the telephone network, once.
  came_round boolean not null default false,
  connected_at timestamptz(3),
  -- How far the channel is, in its own words.
  resume jsonb,
  owner text collate "C",
  -- Until when it is its owner's; with none, from when on anybody may take it.
  lease_until timestamptz(3) not null,
  -- Counted up by every owner: one that slept through its lease writes nothing.
  fence bigint not null default 0,
  created_at timestamptz(3) not null
);
create index attended_calls_free on attended_calls (lease_until);
create index attended_calls_of_team on attended_calls (team_id, lead_id);
create index attended_calls_of_number on attended_calls (team_id, number);
grant select, insert, update, delete on attended_calls to rapport_app;

-- What somebody wants of a call that another process may attend to: a prompt, its end. Taken away when it is done. One of the
-- node's own tables.
create table call_commands (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{24}$'),
  team_id text collate "C" not null,
  call_id text collate "C" not null references attended_calls on delete cascade,
  kind text collate "C" not null check (kind in ('prompt', 'stop')),
  text text,
  created_at timestamptz(3) not null
);
create index call_commands_of_call on call_commands (call_id, id);
create index call_commands_of_team on call_commands (team_id);
grant select, insert, delete on call_commands to rapport_app;

-- What was wanted of one call beyond what its agent always does: the next attempt is told the same.
create table call_briefs (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  call_id text collate "C" not null,
  instructions text not null,
  primary key (team_id, call_id),
  foreign key (team_id, call_id) references calls on delete cascade
);
select make_tenant_table('call_briefs');

-- What the models behind the agents answered, and how long it took.
create table model_responses (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  response_id text collate "C" not null,
  agent_id text collate "C",
  call_id text collate "C",
  status text collate "C" not null check (status in ('completed', 'failed')),
  latency_ms integer,
  error_code text,
  input_tokens integer,
  output_tokens integer,
  at timestamptz(3) not null,
  primary key (team_id, id),
  unique (team_id, response_id)
);
create index model_responses_by_time on model_responses (team_id, at, id);
create index model_responses_of_agent on model_responses (team_id, agent_id, at) where agent_id is not null;
select make_tenant_table('model_responses');
