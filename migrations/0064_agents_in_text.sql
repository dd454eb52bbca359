-- Agents that answer by email, text message and web chat (docs/decisions/0046).
alter table agents add column text jsonb not null default
  '{"answers_max": 5, "hours": null, "topics": [], "confidence_min": 0.6, "facts": null, "says_it_is_ai": true}';

-- Versions kept until now are of agents that had none of it.
alter table agent_versions no force row level security;
update agent_versions set agent = agent || jsonb_build_object('text',
  '{"answers_max": 5, "hours": null, "topics": [], "confidence_min": 0.6, "facts": null, "says_it_is_ai": true}'::jsonb);
alter table agent_versions force row level security;

-- Which agent a conversation that begins by a message to this mailbox has.
alter table mailboxes
  add column agent_id text collate "C",
  add column agent_mode text collate "C" not null default 'off' check (agent_mode in ('off', 'draft', 'auto'));

-- The same for text messages and everything else, and whether each agent must say what it is.
alter table conversation_settings
  add column agent_id text collate "C",
  add column agent_mode text collate "C" not null default 'off' check (agent_mode in ('off', 'draft', 'auto')),
  add column agents_say_ai boolean not null default true;

-- What an agent proposes to answer, for a person: one of each conversation, and none once somebody has answered.
create table conversation_drafts (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  conversation_id text collate "C" not null,
  -- The message that it answers.
  entry_id text collate "C" not null,
  agent_id text collate "C" not null,
  agent_name text not null,
  text text not null,
  sources jsonb not null,
  model text collate "C" not null,
  fell_back text,
  created_at timestamptz(3) not null,
  primary key (team_id, conversation_id),
  foreign key (team_id, conversation_id) references conversations on delete cascade
);
select make_tenant_table('conversation_drafts', 'select, insert, update, delete');

-- What came of each message that an agent was asked to answer.
create table conversation_agent_turns (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  -- That of its job: done again after a crash, it is found.
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  conversation_id text collate "C" not null,
  entry_id text collate "C" not null,
  agent_id text collate "C" not null,
  agent_name text not null,
  mode text collate "C" not null check (mode in ('draft', 'auto')),
  outcome text collate "C" not null check (outcome in ('answered', 'drafted', 'handed_over', 'nothing', 'replaced')),
  reason text,
  asked text not null,
  text text,
  -- Our message, where it was sent.
  message_id text collate "C",
  confidence real,
  sources jsonb not null,
  tools jsonb not null,
  model text collate "C",
  fell_back text,
  tokens_in integer not null,
  tokens_out integer not null,
  created_at timestamptz(3) not null,
  primary key (team_id, id),
  foreign key (team_id, conversation_id) references conversations on delete cascade
);
create index conversation_agent_turns_in_order on conversation_agent_turns (team_id, conversation_id, created_at, id);
-- No message is answered twice.
create unique index conversation_agent_turns_answered on conversation_agent_turns (team_id, entry_id) where outcome = 'answered';
select make_tenant_table('conversation_agent_turns');

insert into personal_tables values
  ('conversation_drafts', 'conversation_id in (select c.id from conversations as c where c.team_id = t.team_id and c.lead_id = $1)',
    'delete'),
  ('conversation_agent_turns',
    'conversation_id in (select c.id from conversations as c where c.team_id = t.team_id and c.lead_id = $1)', 'delete');
