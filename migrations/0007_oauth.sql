-- The authorization server's own tables are local by nature: a client and a token are looked up before the team is known.
-- Everything that opens a door is stored as its hash.
create table oauth_clients (
  -- Ours are object ids; a client that describes itself has the address of its description as its id.
  id text collate "C" primary key check (length(id) <= 2000),
  -- Whose administrators look after it; none: the operator's, or a client that came by itself.
  team_id text collate "C" references teams on delete cascade,
  source text not null check (source in ('team', 'operator', 'registration', 'document')),
  name text not null,
  redirect_uris text[] not null,
  scopes text[] not null,
  secret_hash text collate "C",
  created_by text collate "C" references users on delete set null,
  fetched_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index oauth_clients_of_team on oauth_clients (team_id, created_at, id);

-- What a person allowed a client to do in a team. It ends with the membership, and everything issued under it ends with it.
-- The role is the membership's, kept equal by the foreign key: a guard looks here, and nowhere else, whether it changed.
alter table memberships add unique (team_id, user_id, role);
create table oauth_grants (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{24}$'),
  client_id text collate "C" not null references oauth_clients on delete cascade,
  user_id text collate "C" not null,
  team_id text collate "C" not null,
  role text not null,
  scopes text[] not null,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (client_id, user_id, team_id),
  foreign key (team_id, user_id, role) references memberships (team_id, user_id, role)
    on delete cascade on update cascade
);
create index oauth_grants_of_team on oauth_grants (team_id, user_id, created_at, id);

-- Codes and refresh tokens repeat the client of their grant: redeeming one looks at its own row alone.
create table oauth_codes (
  hash text collate "C" primary key,
  grant_id text collate "C" not null references oauth_grants on delete cascade,
  client_id text collate "C" not null,
  redirect_uri text not null,
  scopes text[] not null,
  challenge text not null,
  resource text,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  -- The tokens that came of it: a second redemption ends them.
  family_id text collate "C" not null
);
create index oauth_codes_of_grant on oauth_codes (grant_id);

-- A pair of tokens is one row, found by either half: exchanging a code is one insert.
create table oauth_tokens (
  refresh_hash text collate "C" primary key,
  -- None once it was given back by itself.
  access_hash text collate "C" unique,
  grant_id text collate "C" not null references oauth_grants on delete cascade,
  client_id text collate "C" not null,
  family_id text collate "C" not null,
  scopes text[] not null,
  access_scopes text[] not null,
  audience text,
  created_at timestamptz(3) not null,
  access_expires_at timestamptz(3) not null,
  refresh_expires_at timestamptz(3) not null,
  rotated_at timestamptz(3),
  -- The pair that took its place, encrypted: a client whose answer was lost on the way may ask once more for a moment.
  successor text
);
create index oauth_tokens_of_grant on oauth_tokens (grant_id);

grant select, insert, update, delete on oauth_clients, oauth_grants, oauth_codes, oauth_tokens to rapport_app;
