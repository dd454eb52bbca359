-- How soon conversations are answered: targets of each mailbox, a second step for what stays late, and a record of every answer.
alter table mailboxes
  -- Null: as the team has it (conversation_settings).
  add column first_answer_min integer,
  add column next_answer_min integer,
  add column timezone text collate "C",
  add column hours jsonb;

-- Minutes of open hours after an answer was due. Null: nothing more happens.
alter table conversation_settings add column escalate_after_min integer;

alter table conversations
  -- Where the first message came in that waits for an answer.
  add column waits_channel text collate "C",
  add column waits_mailbox_id text collate "C",
  add column escalate_at timestamptz(3),
  add column escalated_at timestamptz(3);
update conversations set waits_channel = channel, waits_mailbox_id = mailbox_id where unanswered_since is not null;
-- What is late, by when it was due.
drop index conversations_late;
create index conversations_late on conversations (team_id, answer_due_at, id)
  include (assignee_id, waits_channel, waits_mailbox_id) where overdue_at is not null and merged_into is null;

-- Who wrote it: if what it answers has to be counted again, it may count for another message.
alter table conversation_replies
  add column author_kind text collate "C" check (author_kind in ('person', 'agent', 'workflow')),
  add column author_id text collate "C",
  add column author_name text;

-- Every end of a wait: an answer, under the ID of its message, or a conversation that was closed without one.
create table conversation_answers (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  conversation_id text collate "C" not null,
  is_answer boolean not null,
  is_first boolean not null,
  -- Null: there was no target.
  is_late boolean,
  waited_since timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  -- Seconds of open hours between the two.
  open_sec integer not null check (open_sec >= 0),
  -- Where the message came in that waited.
  channel text collate "C" not null,
  mailbox_id text collate "C",
  author_kind text collate "C" not null check (author_kind in ('person', 'agent', 'workflow')),
  author_id text collate "C",
  -- Of agents and workflows.
  author_name text,
  -- The clock as it was, for the message that waits again if this is taken back.
  due_at timestamptz(3),
  overdue_at timestamptz(3),
  escalate_at timestamptz(3),
  escalated_at timestamptz(3),
  primary key (team_id, id),
  foreign key (team_id, conversation_id) references conversations on delete cascade
);
create index conversation_answers_in_order on conversation_answers (team_id, conversation_id, ended_at);
-- All that the report asks for.
create index conversation_answers_report on conversation_answers (team_id, ended_at)
  include (is_answer, is_first, is_late, open_sec, channel, mailbox_id, author_kind, author_id, author_name);
select make_tenant_table('conversation_answers', 'select, insert, update, delete');
