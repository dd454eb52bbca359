-- The logo of a web chat, small enough to be kept with it. Its hash is part of its address, so that browsers keep it for ever.
alter table chat_widgets add column logo_hash text collate "C";

create table chat_logos (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  widget_id text collate "C" not null,
  hash text collate "C" not null,
  type text collate "C" not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  bytes bytea not null check (octet_length(bytes) <= 262144),
  created_at timestamptz(3) not null,
  primary key (team_id, widget_id),
  foreign key (team_id, widget_id) references chat_widgets on delete cascade
);
select make_tenant_table('chat_logos', 'select, insert, update, delete');

-- What an answer in a web chat is from is read with it.
create index conversation_agent_turns_of_message on conversation_agent_turns (team_id, message_id) where message_id is not null;

-- How soon people answered in web chats lately.
create index conversation_answers_in_chats on conversation_answers (team_id, ended_at) include (open_sec)
  where channel = 'chat' and author_kind = 'person' and is_answer;
