-- Who is not to be written to: kept for good, and told apart by why. A row that was lifted stays as history.
create table suppressions (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  channel text collate "C" not null check (channel in ('email', 'phone')),
  -- An address in lower case, or a phone number in E.164.
  address text collate "C" not null,
  reason text collate "C" not null,
  source text not null,
  note text,
  created_at timestamptz(3) not null,
  lifted_at timestamptz(3),
  primary key (team_id, id)
);
create unique index suppressions_in_force on suppressions (team_id, channel, address) where lifted_at is null;
select make_tenant_table('suppressions', 'select, insert, update');

create table templates (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  name text collate "C" not null,
  subject text not null,
  body text not null,
  format text collate "C" not null check (format in ('markdown', 'html')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  name_key text collate "C" not null generated always as (lower(name)) stored,
  primary key (team_id, id)
);
create unique index templates_by_name on templates (team_id, name) where deleted_at is null;
create index templates_by_creation on templates (team_id, created_at, id) where deleted_at is null;
create index templates_by_change on templates (team_id, updated_at, id) where deleted_at is null;
create index templates_by_name_key on templates (team_id, name_key, id) where deleted_at is null;
create index templates_in_trash on templates (team_id, deleted_at, id) where deleted_at is not null;
select make_tenant_table('templates');

-- Teams that have had their first templates: whatever becomes of these, they are not made a second time.
create table template_starts (
  team_id text collate "C" primary key check (team_id ~ '^[0-9a-f]{24}$'),
  at timestamptz(3) not null
);
select make_tenant_table('template_starts', 'select, insert');

-- Who writes, how, and when not. One row per team, made when it is first changed.
create table outreach_settings (
  team_id text collate "C" primary key check (team_id ~ '^[0-9a-f]{24}$'),
  from_name text,
  reply_to text,
  signature text,
  postal_address text,
  meeting_url text,
  sms_quiet_from text collate "C",
  sms_quiet_until text collate "C",
  -- Nothing of the team goes out until it is released.
  paused_at timestamptz(3),
  updated_at timestamptz(3) not null
);
select make_tenant_table('outreach_settings');

-- What goes out to leads, one row each, from before it is handed over until the last thing that is heard of it.
create table messages (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  channel text collate "C" not null check (channel in ('email', 'sms')),
  lead_id text collate "C" not null,
  address text collate "C" not null,
  subject text,
  links jsonb not null,
  message_id text collate "C",
  provider_id text collate "C",
  thread jsonb not null,
  segments smallint,
  status text collate "C" not null,
  reason text,
  tries smallint not null default 0,
  -- What it came of: a step of a sequence, a workflow, a person.
  source_kind text collate "C" not null,
  source_id text collate "C",
  source_name text,
  enrolment_id text collate "C",
  version integer,
  step_index smallint,
  round integer,
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  opened_at timestamptz(3),
  machine_opened_at timestamptz(3),
  clicked_at timestamptz(3),
  replied_at timestamptz(3),
  bounced_at timestamptz(3),
  bounce jsonb,
  complained_at timestamptz(3),
  unsubscribed_at timestamptz(3),
  -- Which of its links were followed, by a person or by a machine: the first time of each.
  clicks jsonb not null default '[]',
  -- Since when it is FAILED or UNKNOWN.
  trouble_at timestamptz(3),
  -- Whoever reports on an address need not spell it as the lead does.
  address_key text collate "C" not null generated always as (lower(address)) stored,
  primary key (team_id, id),
  foreign key (team_id, lead_id) references leads on delete cascade
) with (fillfactor = 45);
-- A step of an enrolment has one message, whoever tries to write a second.
create unique index messages_of_step on messages (team_id, enrolment_id, round) where enrolment_id is not null;
create index messages_of_lead on messages (team_id, lead_id, id);
create index messages_to_address on messages (team_id, address_key, id);
create index messages_of_source on messages (team_id, source_id, step_index) where source_id is not null;
create index messages_of_provider on messages (team_id, provider_id) where provider_id is not null;
-- What waits for a person. The status itself is in no index: a message goes through several, and a row whose indexed
-- columns stay the same is rewritten where it stands.
create index messages_in_trouble on messages (team_id, id) where trouble_at is not null;
select make_tenant_table('messages');

-- What its reader sees, written once: it would be copied at every change of the row it belongs to.
create table message_contents (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  message_id text collate "C" not null,
  text text not null,
  html text,
  primary key (team_id, message_id),
  foreign key (team_id, message_id) references messages on delete cascade
);
select make_tenant_table('message_contents', 'select, insert');

-- Whose message went to this address last: a provider that knows no id of ours names the address alone.
create function team_of_recipient(recipient text) returns text
language sql stable security definer set search_path = public
begin atomic
  select latest.team_id from teams cross join lateral (
    select messages.team_id, messages.id from messages
    where messages.team_id = teams.id and messages.address_key = lower(recipient) order by messages.id desc limit 1) as latest
  order by latest.id desc limit 1;
end;
create policy search on messages for select to rapport_search using (true);
grant select on messages to rapport_search;
grant create on schema public to rapport_search;
select make_internal('team_of_recipient(text)');
revoke create on schema public from rapport_search;

-- What was answered, by the answer's own id: one that is read or sent to us again is told of once.
create table message_answers (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  message_id text collate "C" not null,
  answer_id text collate "C" not null,
  at timestamptz(3) not null,
  primary key (team_id, message_id, answer_id),
  foreign key (team_id, message_id) references messages on delete cascade
);
select make_tenant_table('message_answers', 'select, insert');

-- How far the mailbox for replies has been read. One of the node's own.
create table mailbox_places (
  name text collate "C" primary key,
  uid_validity text collate "C" not null,
  uid bigint not null,
  read_at timestamptz(3) not null
);
grant select, insert, update, delete on mailbox_places to rapport_app;

create table sequences (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  sequence_id text collate "C" not null,
  name text not null,
  steps jsonb not null,
  status text collate "C" not null check (status in ('DRAFT', 'ACTIVE', 'PAUSED')),
  settings jsonb not null,
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  name_key text collate "C" not null generated always as (lower(name)) stored,
  search_text text collate "C" not null generated always as (lower(' ' || name || ' ' || sequence_id)) stored,
  primary key (team_id, id)
);
create unique index sequences_by_sequence_id on sequences (team_id, sequence_id);
create index sequences_by_creation on sequences (team_id, created_at, id) where deleted_at is null;
create index sequences_by_change on sequences (team_id, updated_at, id) where deleted_at is null;
create index sequences_by_name on sequences (team_id, name_key, id) where deleted_at is null;
create index sequences_in_trash on sequences (team_id, deleted_at, id) where deleted_at is not null;
select make_tenant_table('sequences');
grant create on schema public to rapport_search;
select make_searchable('sequences');
revoke create on schema public from rapport_search;

create table sequence_versions (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  sequence_id text collate "C" not null,
  version integer not null,
  steps jsonb not null,
  created_at timestamptz(3) not null,
  created_by text,
  primary key (team_id, sequence_id, version),
  foreign key (team_id, sequence_id) references sequences on delete cascade
);
select make_tenant_table('sequence_versions');

-- A lead on its way through a sequence. What it waits for is a row of jobs, whose id stands in wait_id: no other counts.
create table enrolments (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  lead_id text collate "C" not null,
  sequence_id text collate "C" not null,
  version integer not null,
  status text collate "C" not null,
  step_index smallint not null,
  round integer not null,
  next_step_at timestamptz(3),
  wait_id text collate "C",
  -- The message of the present step, while it is on its way.
  message_id text collate "C",
  -- Why it does not go on just now; null while it does.
  held text collate "C",
  stop_reason text collate "C",
  paused_at timestamptz(3),
  -- The place of the present step within the daily cap.
  slot_on date,
  enrolled_by text collate "C",
  started_at timestamptz(3),
  sent_at timestamptz(3),
  opened_at timestamptz(3),
  clicked_at timestamptz(3),
  replied_at timestamptz(3),
  booked_at timestamptz(3),
  converted_at timestamptz(3),
  ended_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (team_id, id),
  foreign key (team_id, lead_id) references leads on delete cascade,
  foreign key (team_id, sequence_id) references sequences on delete cascade
) with (fillfactor = 50);
-- A lead goes through a sequence once at a time.
create unique index enrolments_under_way on enrolments (team_id, sequence_id, lead_id) where ended_at is null;
create index enrolments_of_lead on enrolments (team_id, lead_id, id);
create index enrolments_of_sequence on enrolments (team_id, sequence_id, id);
select make_tenant_table('enrolments');

-- Why each thing was done or left undone. Nobody rewrites it.
create table enrolment_trace (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  enrolment_id text collate "C" not null,
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  lead_id text collate "C" not null,
  sequence_id text collate "C" not null,
  step_index smallint not null,
  decision text collate "C" not null,
  reason text not null,
  message_id text collate "C",
  until timestamptz(3),
  at timestamptz(3) not null,
  primary key (team_id, enrolment_id, id),
  foreign key (team_id, enrolment_id) references enrolments on delete cascade
);
create index enrolment_trace_of_sequence on enrolment_trace (team_id, sequence_id, id);
select make_tenant_table('enrolment_trace', 'select, insert');

-- How many messages of a sequence have a place on a day.
create table sequence_days (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  sequence_id text collate "C" not null,
  day date not null,
  taken integer not null,
  primary key (team_id, sequence_id, day),
  foreign key (team_id, sequence_id) references sequences on delete cascade
);
select make_tenant_table('sequence_days');

-- What a writer wrote about a lead for a step, with what it was asked and what it cost, before it is sent.
create table icebreakers (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  enrolment_id text collate "C" not null,
  step_index smallint not null,
  text text not null,
  prompt text not null,
  model text not null,
  tokens_in integer not null,
  tokens_out integer not null,
  -- Why it is not what the model wrote; null where it is.
  fell_back text,
  reviewed_by text,
  reviewed_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (team_id, enrolment_id, step_index),
  foreign key (team_id, enrolment_id) references enrolments on delete cascade
);
select make_tenant_table('icebreakers');

