-- A policy with a condition keeps LIKE away from the index (see 0003), also for the role that searches. So the functions
-- leave out erased leads themselves.
drop policy erased_search on leads;
drop function search_leads(text, text[], boolean, integer);
drop function search_leads_loosely(text, boolean, integer);
drop function team_of_lead(text);

create function search_leads(pattern text, more_patterns text[], trashed boolean, matches_max integer)
returns setof leads
language sql stable security definer set search_path = public
begin atomic
  select * from leads
  where team_id = current_setting('app.team', true)
    and (deleted_at is not null) = trashed
    and deleted_at is distinct from 'infinity'
    and search_text like pattern
    and search_text like all (more_patterns)
  limit matches_max;
end;

create function search_leads_loosely(words text, trashed boolean, matches_max integer)
returns table (id text, likeness real)
language sql stable security definer set search_path = public set pg_trgm.word_similarity_threshold = 0.45
as $$
  select candidate.id, word_similarity(words, candidate.search_text)
  from (
    -- Measuring likeness is dear: the first few hundred that are like enough stand for the thousands of a common name.
    select leads.id, leads.search_text from leads
    where team_id = current_setting('app.team', true)
      and (deleted_at is not null) = trashed
      and deleted_at is distinct from 'infinity'
      and search_text %> words
    limit matches_max * 10) as candidate
  order by 2 desc, 1
  limit matches_max
$$;

create function team_of_lead(lead text) returns text
language sql stable security definer set search_path = public
begin atomic
  select leads.team_id from teams
  join leads on leads.team_id = teams.id and leads.id = lead and deleted_at is distinct from 'infinity'
  limit 1;
end;

grant create on schema public to rapport_search;
select make_internal('search_leads(text, text[], boolean, integer)');
select make_internal('search_leads_loosely(text, boolean, integer)');
select make_internal('team_of_lead(text)');
revoke create on schema public from rapport_search;
