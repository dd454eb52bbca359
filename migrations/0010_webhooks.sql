-- What providers send, as it came. It is stored before anybody knows whose it is, so that the table is one of the node's
-- own: with a team set one sees that team's, with none everything. (endpoint, event_id) is what makes an event the same.
create table inbound_events (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{24}$'),
  endpoint text collate "C" not null,
  event_id text collate "C" not null,
  type text collate "C" not null,
  team_id text collate "C",
  body text not null,
  status text collate "C" not null,
  duplicates integer not null default 0,
  replays integer not null default 0,
  recorded_id text collate "C",
  received_at timestamptz(3) not null,
  repeated_at timestamptz(3),
  unique (endpoint, event_id)
);
create index inbound_events_of_team on inbound_events (team_id, id);
create index inbound_events_to_mend on inbound_events (team_id, status, id) where status in ('unmatched', 'failed', 'waiting');
select make_tenant_table('inbound_events');
create policy unsorted on inbound_events to rapport_app
  using (coalesce(current_setting('app.team', true), '') = '') with check (coalesce(current_setting('app.team', true), '') = '');

-- What each part of the product made of an event. One that is done is not done again, however often it is replayed.
create table inbound_effects (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  inbound_id text collate "C" not null,
  reaction text collate "C" not null,
  outcome text collate "C" not null check (outcome in ('done', 'unmatched', 'failed')),
  note text,
  at timestamptz(3) not null,
  primary key (team_id, inbound_id, reaction)
);
select make_tenant_table('inbound_effects');

-- Whose lead this is: a provider names a record, and says nothing of a team. Each team's own key serves, so that no index
-- over all of them is paid for at every write.
grant select on teams to rapport_search;
create function team_of_lead(lead text) returns text
language sql stable security definer set search_path = public
begin atomic
  select leads.team_id from teams join leads on leads.team_id = teams.id and leads.id = lead limit 1;
end;
-- Who gives a function to a role must be let create in the role's name.
grant create on schema public to rapport_search;
select make_internal('team_of_lead(text)');
revoke create on schema public from rapport_search;
