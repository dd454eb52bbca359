-- How many emails a mailbox sends a day, at most. Null: as many as are written.
alter table mailboxes add column daily_limit integer check (daily_limit between 1 and 10000);

-- What is sent from each mailbox day by day, in its time zone, and how much of it came back.
create table mailbox_days (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  mailbox_id text collate "C" not null,
  day date not null,
  emails integer not null default 0,
  bounced integer not null default 0,
  primary key (team_id, mailbox_id, day),
  foreign key (team_id, mailbox_id) references mailboxes on delete cascade
);
select make_tenant_table('mailbox_days', 'select, insert, update, delete');

-- On which of these days an email counts.
alter table conversation_letters add column counted_on date;

alter table conversation_replies
  drop constraint conversation_replies_hold_reason_check,
  add constraint conversation_replies_hold_reason_check check (hold_reason in ('send_later', 'quiet_hours', 'daily_limit'));
