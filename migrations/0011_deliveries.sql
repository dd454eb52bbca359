-- An address of somebody else's that is told of events. It belongs to a record, like a form; its secrets are sealed.
create table webhook_endpoints (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  owner_kind text collate "C" not null,
  owner_id text collate "C" not null,
  name text not null,
  url text not null,
  status text collate "C" not null check (status in ('ACTIVE', 'DISABLED', 'REMOVED')),
  -- The first signs, and the others with it until their time is over: [{"sealed": "...", "until": null | instant}].
  secrets jsonb not null,
  failures integer not null default 0,
  -- How often in a row it was left in peace: each time for longer.
  pauses integer not null default 0,
  failing_since timestamptz(3),
  paused_until timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  disabled_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (team_id, id)
);
create unique index webhook_endpoints_of_owner on webhook_endpoints (team_id, owner_kind, owner_id);
select make_tenant_table('webhook_endpoints');

create table webhook_deliveries (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  type text collate "C" not null,
  -- What is sent, to the byte: a signature is over bytes.
  body text not null,
  status text collate "C" not null check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts integer not null default 0,
  -- Of the round that goes on: a replay begins with all of them.
  tries integer not null default 0,
  next_at timestamptz(3),
  -- The one job that may try it. None while it is pending: it waits until the address has room for it.
  job_id text collate "C",
  -- It has a place at the address, of which there are few: one that hangs must not take everybody's time.
  in_hand boolean not null default false,
  last_status integer,
  last_error text,
  created_at timestamptz(3) not null,
  delivered_at timestamptz(3),
  primary key (team_id, id),
  foreign key (team_id, endpoint_id) references webhook_endpoints on delete cascade
);
create unique index webhook_deliveries_once on webhook_deliveries (team_id, endpoint_id, event_id);
create index webhook_deliveries_by_status on webhook_deliveries (team_id, status, id);
create index webhook_deliveries_of_endpoint on webhook_deliveries (team_id, endpoint_id, id);
create index webhook_deliveries_waiting on webhook_deliveries (team_id, endpoint_id, id)
  where status = 'PENDING' and job_id is null;
create index webhook_deliveries_in_hand on webhook_deliveries (team_id, endpoint_id) where in_hand;
select make_tenant_table('webhook_deliveries');

create table webhook_attempts (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  delivery_id text collate "C" not null,
  at timestamptz(3) not null,
  duration_ms integer not null,
  url text not null,
  response_status integer,
  response_body text,
  error text,
  primary key (team_id, id),
  foreign key (team_id, delivery_id) references webhook_deliveries on delete cascade
);
create index webhook_attempts_of_delivery on webhook_attempts (team_id, delivery_id, id);
select make_tenant_table('webhook_attempts');
