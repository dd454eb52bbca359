-- What an event came of: the event whose reaction recorded it. So one can ask what a provider's event has caused.
alter table events add column cause_id text collate "C";
create index events_caused on events (team_id, cause_id, id) where cause_id is not null;

-- Mails the service itself writes to a person. A row is written with what causes it, says SENDING before the server is
-- called, and is sent by whoever moved it there and by nobody else.
create table mails (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  message_id text not null,
  kind text collate "C" not null,
  about_kind text collate "C" not null,
  about_id text collate "C" not null,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  status text collate "C" not null check (status in ('DUE', 'SENDING', 'SENT', 'UNKNOWN', 'FAILED')),
  error text,
  created_at timestamptz(3) not null,
  sent_at timestamptz(3),
  primary key (team_id, id)
);
create index mails_about on mails (team_id, about_kind, about_id, id);
create index mails_to on mails (team_id, kind, recipient, created_at);
select make_tenant_table('mails');

-- A reminder is a mail like the others from here on. The column stays: the function that searches tasks returns it.
comment on column tasks.reminder is 'no longer used';
