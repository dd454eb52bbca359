-- People, teams and ways in are local by nature: they are looked up before the team is known.
create table users (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{24}$'),
  email text not null,
  name text not null,
  image text not null default '',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index users_by_email on users (lower(email));

create table teams (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{24}$'),
  name text not null,
  demo boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table memberships (
  team_id text collate "C" not null references teams on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  role text not null check (role in ('SUPER_ADMIN', 'ADMIN', 'MEMBER', 'VIEWER')),
  created_at timestamptz(3) not null,
  primary key (team_id, user_id)
);
create index memberships_of_user on memberships (user_id, created_at);

create table sessions (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  team_id text collate "C" not null references teams on delete cascade,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ip text,
  user_agent text
);
create index sessions_of_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

create table signin_links (
  hash text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);

create table api_keys (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{24}$'),
  team_id text collate "C" not null references teams on delete cascade,
  hash text collate "C" not null unique,
  prefix text not null,
  name text not null,
  scopes text[] not null,
  created_by text collate "C",
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index api_keys_of_team on api_keys (team_id, created_at, id);

grant select, insert, update, delete on users, teams, memberships, sessions, signin_links, api_keys to rapport_app;

-- A process remembers for a minute who a key or session stands for, and lets the database confirm it within the first
-- flush of each request: what was revoked, has run out or changed its role fails there, before anything is read or
-- written (src/domains/identity/authenticate.ts).
create function refuse_caller() returns boolean
language plpgsql as $$
begin
  raise exception 'this key or session is no longer valid' using errcode = 'RP401';
end
$$;
