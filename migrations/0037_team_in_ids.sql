-- Leads from an id to its team. Looking into every team took 7 ms with a thousand of them, for each event that names a lead or
-- a call. An id made for a team has the end of the team's id in its digits 9 to 12: a few teams share it, and are asked.
create index teams_by_end on teams (right(id, 4));

-- Ids that are older name no team. A process of the version before may still be making some for a day.
do $$
begin
  execute format('create function ids_name_their_team_from() returns text language sql immutable return %L', first_id(now() + interval '1 day'));
end
$$;

do $$
declare
  owned record;
begin
  for owned in
    select * from (values ('lead', 'leads', 'and deleted_at is distinct from ''infinity'''), ('call', 'calls', ''), ('agent', 'agents', ''))
      as kinds (name, rows, alive)
  loop
    execute format('drop function team_of_%s(text)', owned.name);
    execute format($make$
      create function team_of_%1$s(named text) returns text
      language plpgsql stable security definer set search_path = public as $body$
      declare
        found text;
      begin
        select %2$s.team_id into found from teams join %2$s on %2$s.team_id = teams.id and %2$s.id = named %3$s
        where right(teams.id, 4) = substr(named, 9, 4) limit 1;
        if found is null and named < ids_name_their_team_from() then
          select %2$s.team_id into found from teams join %2$s on %2$s.team_id = teams.id and %2$s.id = named %3$s limit 1;
        end if;
        return found;
      end
      $body$
      $make$, owned.name, owned.rows, owned.alive);
  end loop;
end
$$;

-- What a provider calls a message, and the address it went to, say nothing of a team: these indexes are of all teams.
drop index messages_of_provider;
create index messages_of_provider on messages (provider_id) where provider_id is not null;
create index messages_by_address on messages using hash (address_key);
create or replace function team_of_provided(provided text) returns text
language sql stable security definer set search_path = public
begin atomic
  select team_id from messages where provider_id = provided order by id desc limit 1;
end;
create or replace function team_of_recipient(recipient text) returns text
language sql stable security definer set search_path = public
begin atomic
  select team_id from messages where address_key = lower(recipient) order by id desc limit 1;
end;
create or replace function teams_that_texted(recipient text) returns setof text
language sql stable security definer set search_path = public
begin atomic
  select distinct team_id from messages where address_key = lower(recipient) and channel = 'sms';
end;

grant create on schema public to rapport_search;
select make_internal('team_of_lead(text)');
select make_internal('team_of_call(text)');
select make_internal('team_of_agent(text)');
revoke create on schema public from rapport_search;
