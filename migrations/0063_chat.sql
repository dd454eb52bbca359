-- Web chats: what a team shows on its sites, and who chats there (docs/decisions/0045). What is said is in conversation_entries.
create table chat_widgets (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  name text not null,
  is_on boolean not null,
  allowed_domains jsonb not null,
  colour text collate "C" not null,
  greeting text,
  timezone text collate "C" not null,
  hours jsonb not null,
  questions jsonb not null,
  field_mapping jsonb not null,
  takes_files boolean not null,
  privacy_url text,
  agent_id text collate "C",
  agent_mode text collate "C" not null check (agent_mode in ('draft', 'auto')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  name_key text collate "C" not null generated always as (lower(name)) stored,
  primary key (team_id, id),
  foreign key (team_id, agent_id) references agents
);
create index chat_widgets_in_order on chat_widgets (team_id, created_at, id);
create index chat_widgets_by_change on chat_widgets (team_id, updated_at, id);
create index chat_widgets_by_name on chat_widgets (team_id, name_key, id);
create index chat_widgets_of_agent on chat_widgets (team_id, agent_id) where agent_id is not null;
select make_tenant_table('chat_widgets', 'select, insert, update, delete');

-- Where visitors come from: the id of a widget says nothing of a team.
create table chat_addresses (
  widget_id text collate "C" primary key,
  team_id text collate "C" not null
);
select make_installation_table('chat_addresses', 'select, insert, delete');

create table chat_sessions (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  widget_id text collate "C" not null,
  lead_id text collate "C",
  -- What they say of themselves: nothing of it is proven.
  name text,
  email text collate "C",
  phone text collate "C",
  answers jsonb not null,
  first_page text,
  page text,
  referrer text,
  utm jsonb not null,
  language text collate "C" not null,
  timezone text collate "C",
  -- When they wrote for the first time.
  begun_at timestamptz(3),
  asked_for_person_at timestamptz(3),
  -- When their page was last open.
  here_at timestamptz(3),
  -- What was said until then has been sent to their email address.
  emailed_until timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (team_id, id),
  foreign key (team_id, widget_id) references chat_widgets on delete cascade,
  foreign key (team_id, lead_id) references leads on delete cascade
);
create index chat_sessions_of_widget on chat_sessions (team_id, widget_id);
create index chat_sessions_of_lead on chat_sessions (team_id, lead_id) where lead_id is not null;
create index chat_sessions_silent on chat_sessions (team_id, created_at) where begun_at is null;
select make_tenant_table('chat_sessions', 'select, insert, update, delete');

-- Who uploaded a file: nobody else may send it.
create table chat_files (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  file_id text collate "C" not null,
  session_id text collate "C" not null,
  primary key (team_id, file_id),
  foreign key (team_id, session_id) references chat_sessions on delete cascade
);
create index chat_files_of_session on chat_files (team_id, session_id);
select make_tenant_table('chat_files', 'select, insert, update, delete');

insert into personal_tables values ('chat_sessions', 'lead_id = $1', 'delete');

-- A line that nobody wrote, such as that a visitor asked for a person.
alter table conversation_entries
  drop constraint conversation_entries_author_kind_check,
  add constraint conversation_entries_author_kind_check check (author_kind in ('person', 'agent', 'workflow', 'system'));
