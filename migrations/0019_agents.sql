create table agents (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  name text not null,
  kind text collate "C" not null check (kind in ('voice')),
  -- What strangers read of it in the catalogue.
  description text,
  instructions text not null,
  model text,
  voice text,
  tools jsonb not null,
  phone_number text,
  -- {amount, currency}; null: not for sale.
  price jsonb,
  listed boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  name_key text collate "C" not null generated always as (lower(name)) stored,
  search_text text collate "C" not null generated always as (lower(' ' || name)) stored,
  primary key (team_id, id)
);
create index agents_by_creation on agents (team_id, created_at, id) where deleted_at is null;
create index agents_by_change on agents (team_id, updated_at, id) where deleted_at is null;
create index agents_by_name on agents (team_id, name_key, id) where deleted_at is null;
create index agents_in_trash on agents (team_id, deleted_at, id) where deleted_at is not null;
select make_tenant_table('agents');
grant create on schema public to rapport_search;
select make_searchable('agents');
revoke create on schema public from rapport_search;

-- What is for sale, for who knows no team: the catalogue and the way to the seller. What was withdrawn stays, so that who paid
-- for it meanwhile still gets it. One of the node's own tables.
create table agent_listings (
  agent_id text collate "C" primary key,
  team_id text collate "C" not null,
  seller text not null,
  name text not null,
  kind text collate "C" not null,
  description text,
  amount numeric not null check (amount > 0),
  currency text collate "C" not null,
  listed_at timestamptz(3) not null,
  withdrawn_at timestamptz(3)
);
create index agent_listings_by_time on agent_listings (listed_at, agent_id) where withdrawn_at is null;
create index agent_listings_of_team on agent_listings (team_id);
grant select, insert, update, delete on agent_listings to rapport_app;

-- Every payment on a chain that bought something, whatever it was: one transaction pays once in the whole system.
create table settlements (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{24}$'),
  network text collate "C" not null,
  tx_hash text collate "C" not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  -- Whose sale it was.
  team_id text collate "C" not null,
  purpose text collate "C" not null check (purpose in ('agent', 'invoice')),
  subject_id text collate "C" not null,
  challenge_id text collate "C" not null,
  payer text collate "C" not null,
  recipient text collate "C" not null,
  token text collate "C" not null,
  -- What was asked for and what came, as decimal amounts of the token.
  asked numeric not null check (asked > 0),
  amount numeric not null check (amount > 0),
  block_number bigint not null,
  block_hash text collate "C" not null,
  block_time timestamptz(3) not null,
  -- WATCHED until it is deep enough to stay, then FINAL; REORGED when the chain no longer has it.
  state text collate "C" not null check (state in ('WATCHED', 'FINAL', 'REORGED')),
  checked_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (network, tx_hash)
);
-- Those that may still change: one that the chain took back may come again.
create index settlements_watched on settlements (checked_at, id) where state <> 'FINAL';
create index settlements_of_team on settlements (team_id, created_at, id);
grant select, insert, update on settlements to rapport_app;

-- A purchased agent. It belongs to who paid, until somebody claims it into a team.
create table deployments (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{24}$'),
  settlement_id text collate "C" not null unique references settlements on delete cascade,
  agent_id text collate "C" not null,
  seller_team_id text collate "C" not null,
  invoice_id text collate "C",
  payer text collate "C" not null,
  key_hash text collate "C" not null,
  -- The agent as it was sold.
  agent jsonb not null,
  limits jsonb not null,
  claimed_team_id text collate "C",
  claimed_agent_id text collate "C",
  claimed_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index deployments_by_seller on deployments (seller_team_id, created_at, id);
create index deployments_by_claimer on deployments (claimed_team_id, created_at, id) where claimed_team_id is not null;
grant select, insert, update on deployments to rapport_app;
