-- A search used the index for its longest word only, and read every row that has it: 83,000 for one company. The words are
-- now part of the statement, so that the index intersects them all, and the plan fits their values (see make_quickly_searchable).
create function make_search(name text) returns void
language plpgsql as $$
begin
  execute format('drop function if exists %I(text, text[], boolean, integer)', 'search_' || name);
  execute format(
    $f$create function %I(pattern text, more_patterns text[], trashed boolean, matches_max integer) returns setof %I
      language plpgsql stable security definer set search_path = public as $body$
      declare
        word text;
        conditions text := '';
      begin
        foreach word in array pattern || more_patterns loop
          conditions := conditions || format(' and search_text like %%L', word);
        end loop;
        return query execute format('select * from %I where team_id = %%L and %%s%%s limit %%s', current_setting('app.team', true),
          case when trashed then 'deleted_at < ''infinity''' else 'deleted_at is null' end, conditions, matches_max);
      end
      $body$ $f$,
    'search_' || name, name, name);
  perform make_internal(format('search_%s(text, text[], boolean, integer)', name));
end
$$;

create or replace function make_searchable(name regclass) returns void
language plpgsql as $$
begin
  execute format('create index %I on %s using gin (team_id, search_text gin_trgm_ops) with (gin_pending_list_limit = 256)', name || '_search', name);
  execute format('create policy search on %s for select to rapport_search using (true)', name);
  execute format('grant select on %s to rapport_search', name);
  perform make_search(name::text);
  perform make_quickly_searchable(name);
end
$$;

grant create on schema public to rapport_search;
do $$
declare
  searched text;
begin
  for searched in
    select relname from pg_proc join pg_class on pg_class.oid = (select typrelid from pg_type where pg_type.oid = prorettype)
    where pronamespace = 'public'::regnamespace and proname = 'search_' || relname
      and proargtypes = '25 1009 16 23'::oidvector
  loop
    perform make_search(searched);
  end loop;
end
$$;
revoke create on schema public from rapport_search;
