-- Companies that somebody wants to know more about, and what their sites say of them.
create table candidates (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  -- Where its site begins, and the host of it, without www; with its port where that is none of the usual.
  url text not null,
  domain text collate "C" not null,
  status text collate "C" not null check (status in ('QUEUED', 'CRAWLING', 'CRAWLED', 'BLOCKED', 'FAILED', 'GONE')),
  name text,
  email text collate "C",
  phone text collate "C",
  description text,
  -- {facts: [{kind, label, value, url, at}], score: [{points, why}]}
  data jsonb not null,
  facts_count integer not null,
  score integer not null check (score between 0 and 100),
  -- When its site was last read, whether or not something was new, and when something was.
  crawled_at timestamptz(3),
  changed_at timestamptz(3),
  -- When it is to be read again; none while a crawl is under way.
  next_crawl_at timestamptz(3),
  -- Counts the crawls that were asked for: the job of an earlier one finds nothing to do.
  crawls integer not null,
  -- Crawls in a row that failed, and why the last one did.
  failures integer not null,
  error text,
  origin text collate "C" not null check (origin in ('added', 'list', 'csv', 'lead')),
  lead_id text collate "C",
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  name_key text collate "C" not null generated always as (lower(coalesce(name, domain))) stored,
  search_text text collate "C" not null generated always as (
    lower(' ' || domain || ' ' || coalesce(name, '') || ' ' || coalesce(description, '') || ' ' || coalesce(email, ''))
  ) stored,
  primary key (team_id, id),
  foreign key (team_id, lead_id) references leads on delete set null (lead_id)
);
create unique index candidates_by_domain on candidates (team_id, domain) where deleted_at is null;
create index candidates_by_creation on candidates (team_id, created_at, id);
create index candidates_by_change on candidates (team_id, updated_at, id);
create index candidates_by_name on candidates (team_id, name_key, id);
create index candidates_by_score on candidates (team_id, score, id);
create index candidates_of_lead on candidates (team_id, lead_id) where lead_id is not null;
create index candidates_due on candidates (team_id, next_crawl_at, id)
  where next_crawl_at is not null and deleted_at is null;
create index candidates_under_way on candidates (team_id, status)
  where status in ('QUEUED', 'CRAWLING') and deleted_at is null;
select make_tenant_table('candidates');
grant create on schema public to rapport_search;
select make_searchable('candidates');
revoke create on schema public from rapport_search;
-- A claim of many that are due rewrites their rows, and lets what waits to be merged grow for that moment, as an import does.
alter index candidates_search reset (gin_pending_list_limit);

-- The pages of a site that were read: what each said, and by what a server knows whether it has changed since.
create table candidate_pages (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  candidate_id text collate "C" not null,
  url text collate "C" not null,
  etag text,
  last_modified text,
  -- [{kind, label, value, at}]
  facts jsonb not null,
  read_at timestamptz(3) not null,
  primary key (team_id, candidate_id, url),
  foreign key (team_id, candidate_id) references candidates on delete cascade
);
select make_tenant_table('candidate_pages');

-- What all processes know of a host: its robots.txt while that is fresh, and when it may be asked again. One of the node's
-- own tables: whoever's candidates lie there, it is one host.
create table crawl_hosts (
  host text collate "C" primary key,
  robots text,
  robots_until timestamptz(3),
  free_at timestamptz(3)
);
grant select, insert, update, delete on crawl_hosts to rapport_app;
