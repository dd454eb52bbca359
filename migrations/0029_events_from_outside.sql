-- Whose message the provider calls so: an event may bring its id alone.
create function team_of_provided(provided text) returns text
language sql stable security definer set search_path = public
begin atomic
  select named.team_id from teams cross join lateral (
    select messages.team_id, messages.id from messages
    where messages.team_id = teams.id and messages.provider_id = provided order by messages.id desc limit 1) as named
  order by named.id desc limit 1;
end;
grant create on schema public to rapport_search;
select make_internal('team_of_provided(text)');
revoke create on schema public from rapport_search;

-- Whom an event is about: found out once, by the part of the product that takes it up.
alter table inbound_events add column lead_id text collate "C";

-- What names no record of any team is nobody's until the operator assigns it. Before, it came to the oldest team.
create index inbound_events_unassigned on inbound_events (id) where team_id is null and status = 'unmatched';
alter table inbound_events no force row level security;
alter table inbound_effects no force row level security;
alter table events no force row level security;
with guessed as (
  update inbound_events set team_id = null, recorded_id = null, status = 'unmatched'
  from events where events.team_id = inbound_events.team_id and events.id = inbound_events.recorded_id
    and events.type like 'webhook:%' and events.data @> '{"guessed": true}'
    and inbound_events.status in ('unmatched', 'waiting', 'failed')
  returning inbound_events.id)
delete from inbound_effects using guessed where inbound_effects.inbound_id = guessed.id;
alter table inbound_events force row level security;
alter table inbound_effects force row level security;
alter table events force row level security;
