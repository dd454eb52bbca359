-- What a person should know of, in Rapport itself. It goes with the membership: who has left the team is told nothing more.
create table notifications (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  user_id text collate "C" not null,
  title text not null,
  text text,
  -- A path inside the app, like /leads/<id>.
  link text collate "C",
  source_kind text collate "C" not null,
  source_id text collate "C",
  source_name text,
  created_at timestamptz(3) not null,
  read_at timestamptz(3),
  primary key (team_id, id),
  foreign key (team_id, user_id) references memberships on delete cascade
);
create index notifications_of_person on notifications (team_id, user_id, created_at, id);
create index notifications_unread on notifications (team_id, user_id, created_at, id) where read_at is null;
select make_tenant_table('notifications');

-- Browsers that a person wants told as well. One goes with its session: a browser that was signed out hears nothing more.
create table push_subscriptions (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  user_id text collate "C" not null,
  session_id text collate "C" not null references sessions on delete cascade,
  endpoint text collate "C" not null,
  p256dh text collate "C" not null,
  auth text collate "C" not null,
  created_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  -- Its push service has asked to be left in peace until then.
  wait_until timestamptz(3),
  primary key (team_id, id),
  foreign key (team_id, user_id) references memberships on delete cascade
);
create unique index push_subscriptions_by_endpoint on push_subscriptions (team_id, endpoint);
create index push_subscriptions_of_person on push_subscriptions (team_id, user_id, seen_at, id);
create index push_subscriptions_of_session on push_subscriptions (session_id);
select make_tenant_table('push_subscriptions');
