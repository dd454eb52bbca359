-- What is like three words or more was looked up by the trigrams of all of them, and nearly every record of a large team has half of
-- those: 130 ms to find thousands that share a word. A typo changes a smaller part of many words than of one or two, so more of
-- them have to agree, and the index is done in a third of the time.
grant create on schema public to rapport_search;
drop function search_leads_loosely(text, boolean, integer);
create function search_leads_loosely(words text, trashed boolean, matches_max integer)
returns table (id text, likeness real)
language plpgsql stable security definer set search_path = public set pg_trgm.word_similarity_threshold = 0.45 as $$
begin
  if words ~ '\S\s+\S+\s+\S' then
    perform set_config('pg_trgm.word_similarity_threshold', '0.6', true);
  end if;
  -- Measuring likeness is dear: the first few hundred that are like enough stand for the thousands of a common name.
  return query execute format(
    'select candidate.id, word_similarity(%1$L, candidate.search_text) from (
       select leads.id, leads.search_text from leads
       where team_id = %2$L and (deleted_at is not null) = %3$L and deleted_at is distinct from ''infinity''
         and search_text %%> %1$L
       limit %4$s) as candidate
     order by 2 desc, 1 limit %5$s',
    words, current_setting('app.team', true), trashed, matches_max * 10, matches_max);
end
$$;
select make_internal('search_leads_loosely(text, boolean, integer)');
revoke create on schema public from rapport_search;
