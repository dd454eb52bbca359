-- Who an outside provider vouches for. The subject is what stays the same when an address changes.
create table user_identities (
  provider text collate "C" not null,
  subject text collate "C" not null,
  user_id text collate "C" not null references users on delete cascade,
  email text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  primary key (provider, subject)
);
create index user_identities_of_user on user_identities (user_id);

-- An invitation is found by the hash of its mailed token before the team is known. There is one per team and address.
create table invitations (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{24}$'),
  team_id text collate "C" not null references teams on delete cascade,
  email text not null,
  role text not null check (role in ('SUPER_ADMIN', 'ADMIN', 'MEMBER', 'VIEWER')),
  hash text collate "C" not null unique,
  invited_by text collate "C" references users on delete set null,
  mail_status text not null check (mail_status in ('QUEUED', 'SENDING', 'SENT', 'FAILED', 'UNKNOWN')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create unique index invitations_by_email on invitations (team_id, lower(email));
create index invitations_of_team on invitations (team_id, created_at, id);
create index invitations_of_email on invitations (lower(email));

grant select, insert, update, delete on user_identities, invitations to rapport_app;

-- The audit log reads events newest first, by what happened and by who did it. Ids are in the order of time, so that the
-- primary key serves where nothing is filtered.
create index events_by_type on events (team_id, type, id);
create index events_by_actor on events (team_id, actor_id, id) where actor_id is not null;
