create table leads (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  first_name text,
  last_name text,
  email text,
  phone text,
  company text,
  title text,
  website text,
  timezone text,
  owner_id text collate "C",
  account_id text collate "C",
  status text not null,
  call_status text not null,
  pipeline_stage text not null,
  source text,
  utm jsonb not null,
  custom jsonb not null,
  last_activity_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  -- What the list sorts by: never null, in one collation on every server, and plain columns, because row level
  -- security lets the planner use an index for an expression only where its functions are leakproof.
  last_name_key text collate "C" not null generated always as (lower(coalesce(last_name, '') || ' ' || coalesce(first_name, ''))) stored,
  company_key text collate "C" not null generated always as (lower(coalesce(company, ''))) stored,
  email_key text collate "C" not null generated always as (lower(coalesce(email, ''))) stored,
  activity_key timestamptz(3) not null generated always as (coalesce(last_activity_at, created_at)) stored,
  -- A space before every word, so that a word's beginning can be searched for.
  search_text text collate "C" not null generated always as (
    lower(' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' ||
      coalesce(company, '') || ' ' || coalesce(phone, ''))) stored,
  primary key (team_id, id)
);

create index leads_by_creation on leads (team_id, created_at, id) where deleted_at is null;
create index leads_by_change on leads (team_id, updated_at, id) where deleted_at is null;
create index leads_by_activity on leads (team_id, activity_key, id) where deleted_at is null;
create index leads_by_name on leads (team_id, last_name_key, id) where deleted_at is null;
create index leads_by_company on leads (team_id, company_key, id) where deleted_at is null;
create index leads_by_email on leads (team_id, email_key, id) where deleted_at is null;
create index leads_by_stage on leads (team_id, pipeline_stage, created_at, id) where deleted_at is null;
create index leads_by_owner on leads (team_id, owner_id, created_at, id) where deleted_at is null;
create index leads_by_phone on leads (team_id, phone) where phone is not null;
create index leads_in_trash on leads (team_id, deleted_at, id) where deleted_at is not null;
create index leads_search on leads using gin (team_id, search_text gin_trgm_ops) with (gin_pending_list_limit = 256);
select make_tenant_table('leads');

-- Row level security keeps LIKE and similarity away from an index, because those operators are not leakproof. So the
-- search is a function of a role that may read leads and nothing else; the team stands in the function itself, and the
-- application can only call it.
create policy search on leads for select to rapport_search using (true);
grant select on leads to rapport_search;

create function search_leads(pattern text, more_patterns text[], trashed boolean, matches_max integer)
returns setof leads
language sql stable security definer set search_path = public
begin atomic
  select * from leads
  where team_id = current_setting('app.team', true)
    and (deleted_at is not null) = trashed
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
      and search_text %> words
    limit matches_max * 10) as candidate
  order by 2 desc, 1
  limit matches_max
$$;

grant create on schema public to rapport_search;
alter function search_leads(text, text[], boolean, integer) owner to rapport_search;
alter function search_leads_loosely(text, boolean, integer) owner to rapport_search;
revoke create on schema public from rapport_search;
revoke all on function search_leads(text, text[], boolean, integer), search_leads_loosely(text, boolean, integer) from public;
grant execute on function search_leads(text, text[], boolean, integer), search_leads_loosely(text, boolean, integer) to rapport_app;

create table lead_settings (
  team_id text collate "C" primary key check (team_id ~ '^[0-9a-f]{24}$'),
  pipeline_stages jsonb not null,
  custom_fields jsonb not null,
  updated_at timestamptz(3) not null
);
select make_tenant_table('lead_settings');
