-- Conversations by web chat (docs/decisions/0045). What the team says there is kept as an entry: nothing carries it anywhere, the
-- visitor's page reads it.
alter table conversations
  drop constraint conversations_channel_check,
  add constraint conversations_channel_check check (channel in ('email', 'sms', 'chat', 'whatsapp')),
  -- Which agent answers here, and whether it drafts for a person or answers by itself.
  add column agent_id text collate "C",
  add column agent_mode text collate "C" not null default 'off' check (agent_mode in ('off', 'draft', 'auto'));

alter table conversation_entries
  drop constraint conversation_entries_channel_check,
  add constraint conversation_entries_channel_check check (channel in ('email', 'sms', 'chat', 'whatsapp')),
  add column direction text collate "C" not null default 'in' check (direction in ('in', 'out')),
  -- Who wrote what went out, or a note; without one, a person.
  add column author_kind text collate "C" check (author_kind in ('person', 'agent', 'workflow')),
  -- When the visitor's page showed what went out.
  add column seen_at timestamptz(3);
create index conversation_entries_of_chat on conversation_entries (team_id, address, at, id) where channel = 'chat';
