-- What people and agents write with one counterpart, on every channel (docs/decisions/0042). A lead has one conversation, and so has
-- an address that belongs to no lead yet.
create table conversations (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  lead_id text collate "C",
  -- Email addresses in lower case, phone numbers as they are dialled. Of a lead, the address it wrote from last.
  address text collate "C" not null,
  name text,
  channel text collate "C" not null check (channel in ('email', 'sms')),
  subject text,
  state text collate "C" not null check (state in ('OPEN', 'WAITING', 'SNOOZED', 'CLOSED')),
  snoozed_until timestamptz(3),
  assignee_id text collate "C",
  labels text[] collate "C" not null default '{}',
  last_message_at timestamptz(3) not null,
  last_direction text collate "C" not null check (last_direction in ('in', 'out')),
  last_text text not null,
  last_in_at timestamptz(3),
  -- The first message that nobody has answered yet, until when it is to be answered, and since when it is late.
  unanswered_since timestamptz(3),
  answer_due_at timestamptz(3),
  overdue_at timestamptz(3),
  -- When a person of the team wrote first: the first answer has a target of its own.
  answered_at timestamptz(3),
  -- It went on in this one, when an address turned out to be a lead that had one.
  merged_into text collate "C",
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- What is due first, then everything else by its last message, the latest first.
  due_key numeric not null generated always as
    (coalesce(extract(epoch from answer_due_at at time zone 'UTC'),
      1000000000000 - extract(epoch from last_message_at at time zone 'UTC'))) stored,
  primary key (team_id, id),
  foreign key (team_id, lead_id) references leads on delete cascade
);
create unique index conversations_of_lead on conversations (team_id, lead_id) where lead_id is not null;
create unique index conversations_of_address on conversations (team_id, address)
  where lead_id is null and merged_into is null;
-- Lists, by the last message and by what is due first.
create index conversations_by_message on conversations (team_id, last_message_at, id) where merged_into is null;
create index conversations_by_due on conversations (team_id, due_key, id) where merged_into is null;
create index conversations_late on conversations (team_id, id) where overdue_at is not null and merged_into is null;
create index conversations_by_state on conversations (team_id, state, last_message_at, id) where merged_into is null;
create index conversations_of_assignee on conversations (team_id, assignee_id, state, last_message_at, id)
  where merged_into is null;
create index conversations_by_address on conversations (team_id, address) where merged_into is null;
select make_tenant_table('conversations');

-- The labels once more, for the list: row security lets no index of arrays be used.
create table conversation_labels (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  conversation_id text collate "C" not null,
  label text collate "C" not null,
  primary key (team_id, conversation_id, label),
  foreign key (team_id, conversation_id) references conversations on delete cascade
);
create index conversations_by_label on conversation_labels (team_id, label, conversation_id);
select make_tenant_table('conversation_labels', 'select, insert, delete');

-- What is kept nowhere else: what came in, and notes. What we send is in messages, calls are in calls.
create table conversation_entries (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  conversation_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('message', 'note')),
  channel text collate "C" check (channel in ('email', 'sms')),
  address text collate "C",
  name text,
  subject text,
  text text not null,
  -- An out-of-office reply or another machine's answer.
  automatic boolean not null default false,
  -- Who wrote a note, and whom it mentions.
  author_id text collate "C",
  mentions text[] collate "C" not null default '{}',
  -- What tells that the same message is brought a second time, and the Message-ID that an answer names.
  source_key text collate "C",
  message_id text,
  at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (team_id, id),
  foreign key (team_id, conversation_id) references conversations on delete cascade
);
create index conversation_entries_in_order on conversation_entries (team_id, conversation_id, at, id);
create unique index conversation_entries_by_source on conversation_entries (team_id, source_key) where source_key is not null;
select make_tenant_table('conversation_entries');

-- What conversations know of a message that somebody has written there; the message itself is in messages.
create table conversation_replies (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  message_id text collate "C" not null,
  conversation_id text collate "C" not null,
  hold_reason text collate "C" check (hold_reason in ('send_later', 'quiet_hours')),
  -- Since when it is no answer: it was cancelled, or did not get through.
  undone_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (team_id, message_id),
  foreign key (team_id, conversation_id) references conversations on delete cascade
);
create index conversation_replies_in_order on conversation_replies (team_id, conversation_id, created_at);
select make_tenant_table('conversation_replies');

-- Until when each person has read a conversation.
create table conversation_reads (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  conversation_id text collate "C" not null,
  user_id text collate "C" not null,
  read_at timestamptz(3) not null,
  primary key (team_id, conversation_id, user_id),
  foreign key (team_id, conversation_id) references conversations on delete cascade
);
select make_tenant_table('conversation_reads');

create table saved_replies (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  name text not null,
  text text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  name_key text not null generated always as (lower(name)) stored,
  primary key (team_id, id)
);
create unique index saved_replies_by_name on saved_replies (team_id, name_key);
create index saved_replies_in_order on saved_replies (team_id, created_at, id);
select make_tenant_table('saved_replies', 'select, insert, update, delete');

create table conversation_settings (
  team_id text collate "C" primary key check (team_id ~ '^[0-9a-f]{24}$'),
  first_answer_min integer,
  next_answer_min integer,
  timezone text collate "C" not null,
  hours jsonb not null,
  updated_at timestamptz(3) not null
);
select make_tenant_table('conversation_settings');

-- A lead's messages as a conversation shows them: by when they went out, or are to go.
create index messages_of_lead_in_order on messages (team_id, lead_id, due_at, id);
drop index messages_of_lead;

insert into personal_tables values
  ('conversations', 'lead_id = $1', 'delete'),
  ('conversation_entries', 'conversation_id in (select c.id from conversations as c where c.team_id = t.team_id and c.lead_id = $1)',
    'delete');
