create extension if not exists btree_gist;

-- When somebody can be met, and the address at which others book: one row for each member who set it up.
create table availabilities (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  user_id text collate "C" not null check (user_id ~ '^[0-9a-f]{24}$'),
  slug text collate "C" not null,
  active boolean not null,
  timezone text not null,
  -- [{day: 1…7, from: '09:00', until: '17:00'}], 1 is Monday; a day may have several.
  hours jsonb not null,
  -- [{day: '2026-12-24', hours: [{from, until}]}]: days that are different; none: away.
  exceptions jsonb not null,
  duration_min integer not null,
  buffer_before_min integer not null,
  buffer_after_min integer not null,
  -- How long before a meeting it may still be booked, how far ahead, and how many on one day (null: any).
  notice_min integer not null,
  horizon_days integer not null,
  per_day_max integer,
  title text not null,
  location text,
  welcome text,
  -- Counted up, every feed address given out before is void.
  feed_version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (team_id, user_id)
);
select make_tenant_table('availabilities');

-- From an address in a browser to a team, for who knows no team. One of the node's own tables.
create table booking_addresses (
  slug text collate "C" primary key,
  team_id text collate "C" not null,
  user_id text collate "C" not null,
  unique (team_id, user_id)
);
grant select, insert, update, delete on booking_addresses to rapport_app;

create table meetings (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  lead_id text collate "C",
  host_id text collate "C" not null,
  title text not null,
  description text,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  -- Of the guest.
  timezone text not null,
  location text,
  guest_name text,
  guest_email text,
  status text collate "C" not null check (status in ('BOOKED', 'CANCELLED', 'HELD', 'NO_SHOW')),
  cancel_reason text,
  -- Who asked for it: a person, the booking page, a voice agent, an app, a workflow.
  origin text collate "C" not null check (origin in ('person', 'booking_page', 'agent', 'api', 'workflow')),
  call_id text collate "C",
  -- One key, one meeting, however often it is asked for.
  source_key text collate "C",
  -- How it stands in the calendars of others: the SEQUENCE of iCalendar counts its changes.
  calendar_uid text collate "C" not null,
  sequence integer not null default 0,
  -- Counts the times it was given: a reminder of an earlier one finds nothing to do.
  moves integer not null default 0,
  -- Whether the host's own calendar has it as it is now.
  sync_state text collate "C" not null check (sync_state in ('NONE', 'PENDING', 'SYNCED', 'FAILED')),
  sync_note text,
  calendar_href text,
  calendar_etag text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Every list of records asks for it; a meeting is cancelled instead.
  deleted_at timestamptz(3) check (deleted_at is null),
  search_text text collate "C" not null generated always as (
    lower(' ' || title || ' ' || coalesce(guest_name, '') || ' ' || coalesce(guest_email, ''))
  ) stored,
  primary key (team_id, id),
  check (ends_at > starts_at),
  -- Nobody is in two meetings at once, whoever books: what the application makes sure of, the table does a second time.
  exclude using gist (team_id with =, host_id with =, tstzrange(starts_at, ends_at) with &&) where (status <> 'CANCELLED'),
  foreign key (team_id, lead_id) references leads on delete set null (lead_id)
);
create index meetings_by_start on meetings (team_id, starts_at, id);
create index meetings_by_creation on meetings (team_id, created_at, id);
create index meetings_of_host on meetings (team_id, host_id, starts_at) where status <> 'CANCELLED';
create index meetings_of_lead on meetings (team_id, lead_id, starts_at, id) where lead_id is not null;
create unique index meetings_by_source on meetings (team_id, source_key) where source_key is not null;
create unique index meetings_by_uid on meetings (team_id, calendar_uid);
create index meetings_to_sync on meetings (team_id, updated_at, id) where sync_state in ('PENDING', 'FAILED');
select make_tenant_table('meetings');
grant create on schema public to rapport_search;
select make_searchable('meetings');
revoke create on schema public from rapport_search;

-- A member's own calendar elsewhere.
create table calendar_connections (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  user_id text collate "C" not null check (user_id ~ '^[0-9a-f]{24}$'),
  kind text collate "C" not null check (kind in ('caldav')),
  server_url text not null,
  username text not null,
  -- Sealed.
  password text not null,
  calendar_url text not null,
  calendar_name text,
  state text collate "C" not null check (state in ('OK', 'FAILING')),
  note text,
  -- When what is busy there was last read, and when that was last tried.
  read_at timestamptz(3),
  tried_at timestamptz(3),
  -- Since when it does not work, and whether its owner was told.
  failing_since timestamptz(3),
  told boolean not null default false,
  -- The job of the next reading: another one finds nothing to do.
  wait_id text collate "C",
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (team_id, user_id)
);
select make_tenant_table('calendar_connections');

-- What is busy in that calendar, as it was last read: what counts while it does not answer.
create table busy_times (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  user_id text collate "C" not null,
  uid text collate "C" not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  primary key (team_id, user_id, starts_at, uid),
  foreign key (team_id, user_id) references calendar_connections on delete cascade
);
select make_tenant_table('busy_times');

-- A mail may carry what a calendar takes up by itself: {method, ics}.
alter table mails add column calendar jsonb;
