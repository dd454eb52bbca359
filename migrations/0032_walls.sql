-- The tables that were looked up before the team is known, or worked off for all teams at once, are behind the same wall as
-- every other now. A team sees its own rows. Who works for the installation says so: app.team is '*' then. With nothing said,
-- there is nothing to see.
create function make_installation_table(name regclass, privileges text default 'select, insert, update, delete') returns void
language plpgsql as $$
begin
  perform make_tenant_table(name, privileges);
  execute format(
    'create policy installation on %s to rapport_app using (current_setting(''app.team'', true) = ''*'') with check (current_setting(''app.team'', true) = ''*'')',
    name);
end
$$;

select make_installation_table(name::regclass)
from unnest(array['agent_listings', 'agent_numbers', 'api_keys', 'attended_calls', 'booking_addresses', 'call_addresses',
  'form_addresses', 'invitations', 'invoice_addresses', 'jobs', 'memberships', 'oauth_clients', 'oauth_grants', 'sessions'])
  as name;
select make_installation_table('changes', 'select, insert, delete');
select make_installation_table('call_commands', 'select, insert, delete');
select make_installation_table('settlements', 'select, insert, update');

-- Here, nothing said meant everything.
drop policy unsorted on inbound_events;
create policy installation on inbound_events to rapport_app
  using (current_setting('app.team', true) = '*') with check (current_setting('app.team', true) = '*');

-- Without a column for the team: a team itself, and what belongs to one by something else.
create function wall_off(name regclass, seen text) returns void
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format('create policy belonging on %s to rapport_app using (%s) with check (%2$s)', name, seen);
  execute format(
    'create policy installation on %s to rapport_app using (current_setting(''app.team'', true) = ''*'') with check (current_setting(''app.team'', true) = ''*'')',
    name);
end
$$;
select wall_off('teams', $$id = current_setting('app.team', true)$$);
select wall_off('deployments', $$current_setting('app.team', true) in (seller_team_id, claimed_team_id)$$);
select wall_off('oauth_codes', 'exists (select from oauth_grants as g where g.id = grant_id)');
select wall_off('oauth_tokens', 'exists (select from oauth_grants as g where g.id = grant_id)');
-- People are in several teams: whoever says for whom they ask sees them.
select wall_off('users', $$current_setting('app.team', true) <> ''$$);
select wall_off('user_identities', $$current_setting('app.team', true) <> ''$$);
select wall_off('signin_links', $$current_setting('app.team', true) <> ''$$);
drop function wall_off(regclass, text);

-- The functions that lead from a record to its team read the teams.
create policy search on teams for select to rapport_search using (true);

-- The product no longer logs in as the owner, and may erase one team by itself: the demo.
create function erase_demo_team() returns bigint
language plpgsql security definer set search_path = public as $$
declare
  team text;
  erased bigint := 0;
begin
  set local app.team = '*';
  select id into team from teams where demo;
  if team is not null then
    erased := erase_team(team);
    set local app.team = '*';
  end if;
  return erased;
end
$$;
revoke all on function erase_demo_team() from public;
grant execute on function erase_demo_team() to rapport_app;

-- The login the product works with (src/platform/database/login.ts). Nothing is granted here: only the owner reads it.
create table database_logins (
  name text collate "C" primary key,
  password text not null,
  created_at timestamptz(3) not null default now()
);
