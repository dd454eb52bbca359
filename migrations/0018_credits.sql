-- What a team has of credits, in two purses: those of the month, which do not last, and those it bought.
create table credit_accounts (
  team_id text collate "C" primary key check (team_id ~ '^[0-9a-f]{24}$'),
  monthly bigint not null check (monthly >= 0),
  purchased bigint not null check (purchased >= 0),
  -- Used in this period, less what was given back.
  used bigint not null check (used >= 0),
  -- None of its own: what the installation gives.
  monthly_quota integer check (monthly_quota >= 0),
  -- The day of the month on which the quota is renewed, in UTC; in shorter months the last day.
  reset_day smallint not null check (reset_day between 1 and 31),
  -- The period that was granted last, like 2026-11-15: the day on which it began.
  period date,
  resets_at timestamptz(3) not null,
  plan text collate "C" not null check (plan in ('TRIAL', 'ACTIVE', 'EXPIRED')),
  trial_ends_at timestamptz(3),
  -- How many entries the ledger has: the place of the last one.
  entries bigint not null,
  updated_at timestamptz(3) not null
);
-- Who is here already has no trial. What belongs to the month is granted as soon as somebody asks.
insert into credit_accounts
select id, 0, 0, 0, null, extract(day from created_at at time zone 'UTC'), null, created_at, 'ACTIVE', null, 0, created_at
from teams;
select make_tenant_table('credit_accounts');

-- Only ever added to.
create table credit_entries (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  -- In the order of booking, without a gap, whatever the clock did meanwhile.
  place bigint not null,
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  kind text collate "C" not null check (kind in ('grant', 'quota', 'purchase', 'use', 'refund', 'expiry')),
  purse text collate "C" not null check (purse in ('monthly', 'purchased')),
  amount integer not null check (amount <> 0),
  -- Of both purses, after this entry.
  balance bigint not null check (balance >= 0),
  -- The same thing is booked once: an invoice, a crawl, a period.
  reference text collate "C" not null,
  note text,
  actor_kind text collate "C" not null,
  actor_id text,
  created_at timestamptz(3) not null,
  primary key (team_id, id)
);
create unique index credit_entries_in_order on credit_entries (team_id, place);
create unique index credit_entries_once on credit_entries (team_id, kind, purse, reference);
create index credit_entries_by_time on credit_entries (team_id, created_at);
select make_tenant_table('credit_entries', 'select, insert');
