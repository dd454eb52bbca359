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
