-- What a list searches: the column search_text, found by trigrams. Row level security keeps LIKE away from an index
-- (see 0003), so that each table gets a function of the role that may search, and the team stands in the function.
create function make_searchable(name regclass) returns void
language plpgsql as $$
begin
  execute format('create index %I on %s using gin (team_id, search_text gin_trgm_ops) with (gin_pending_list_limit = 256)', name || '_search', name);
  execute format('create policy search on %s for select to rapport_search using (true)', name);
  execute format('grant select on %s to rapport_search', name);
  execute format(
    $f$create function %I(pattern text, more_patterns text[], trashed boolean, matches_max integer) returns setof %s
      language sql stable security definer set search_path = public
      begin atomic
        select * from %s
        where team_id = current_setting('app.team', true)
          and (deleted_at is not null) = trashed
          and search_text like pattern
          and search_text like all (more_patterns)
        limit matches_max;
      end$f$,
    'search_' || name, name, name);
  perform make_internal(format('search_%s(text, text[], boolean, integer)', name));
  perform make_quickly_searchable(name);
end
$$;

-- The first few living records that contain every pattern. The values stand in the statement, so that it is planned for
-- them: what nearly everybody's record contains is found by reading a few, and what is rare by the index.
create function make_quickly_searchable(name regclass) returns void
language plpgsql as $$
begin
  execute format(
    $f$create function %I(patterns text[], matches_max integer) returns setof %s
      language plpgsql stable security definer set search_path = public as $body$
      declare
        pattern text;
        conditions text := '';
      begin
        foreach pattern in array patterns loop
          conditions := conditions || format(' and search_text like %%L', pattern);
        end loop;
        return query execute format('select * from %s where team_id = %%L and deleted_at is null%%s limit %%s',
          current_setting('app.team', true), conditions, matches_max);
      end
      $body$ $f$,
    'quick_' || name, name, name);
  perform make_internal(format('quick_%s(text[], integer)', name));
end
$$;

-- A function of the searching role that only the application may call.
create function make_internal(signature text) returns void
language plpgsql as $$
begin
  execute format('alter function %s owner to rapport_search', signature);
  execute format('revoke all on function %s from public', signature);
  execute format('grant execute on function %s to rapport_app', signature);
end
$$;
grant create on schema public to rapport_search;
select make_quickly_searchable('leads');

create table accounts (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  name text not null,
  domain text collate "C",
  website text,
  industry text,
  phone text,
  owner_id text collate "C",
  custom jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  name_key text collate "C" not null generated always as (lower(name)) stored,
  search_text text collate "C" not null generated always as (
    lower(' ' || name || ' ' || coalesce(domain, '') || ' ' || coalesce(industry, '') || ' ' || coalesce(phone, ''))) stored,
  primary key (team_id, id)
);
-- One living account per domain: a lead's address then points at one account or none.
create unique index accounts_by_domain on accounts (team_id, domain) where deleted_at is null;
create index accounts_by_name on accounts (team_id, name_key, id) where deleted_at is null;
create index accounts_by_creation on accounts (team_id, created_at, id) where deleted_at is null;
create index accounts_by_change on accounts (team_id, updated_at, id) where deleted_at is null;
create index accounts_in_trash on accounts (team_id, deleted_at, id) where deleted_at is not null;
select make_tenant_table('accounts');
select make_searchable('accounts');

create table account_settings (
  team_id text collate "C" primary key check (team_id ~ '^[0-9a-f]{24}$'),
  custom_fields jsonb not null,
  updated_at timestamptz(3) not null
);
select make_tenant_table('account_settings');

-- What waits to be merged into the search index is read by every search: the application keeps it short on each of its
-- connections, and an import lets it grow while it runs, which a setting of the index would not let it.
alter index leads_search reset (gin_pending_list_limit);
alter table leads add foreign key (team_id, account_id) references accounts on delete set null (account_id);
create index leads_by_account on leads (team_id, account_id, created_at, id) where account_id is not null;

create table opportunities (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  name text not null,
  lead_id text collate "C",
  account_id text collate "C",
  amount numeric check (amount >= 0),
  currency text collate "C" not null,
  stage text collate "C" not null,
  close_date date,
  owner_id text collate "C",
  closed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  name_key text collate "C" not null generated always as (lower(name)) stored,
  amount_key numeric not null generated always as (coalesce(amount, 0)) stored,
  close_key date not null generated always as (coalesce(close_date, date '9999-12-31')) stored,
  search_text text collate "C" not null generated always as (lower(' ' || name)) stored,
  primary key (team_id, id),
  foreign key (team_id, lead_id) references leads on delete set null (lead_id),
  foreign key (team_id, account_id) references accounts on delete set null (account_id)
);
create index opportunities_by_creation on opportunities (team_id, created_at, id) where deleted_at is null;
create index opportunities_by_change on opportunities (team_id, updated_at, id) where deleted_at is null;
create index opportunities_by_name on opportunities (team_id, name_key, id) where deleted_at is null;
create index opportunities_by_close on opportunities (team_id, close_key, id) where deleted_at is null;
create index opportunities_by_amount on opportunities (team_id, amount_key, id) where deleted_at is null;
create index opportunities_by_stage on opportunities (team_id, stage, updated_at, id) where deleted_at is null;
create index opportunities_of_lead on opportunities (team_id, lead_id) where lead_id is not null;
create index opportunities_of_account on opportunities (team_id, account_id) where account_id is not null;
create index opportunities_in_trash on opportunities (team_id, deleted_at, id) where deleted_at is not null;
select make_tenant_table('opportunities');
select make_searchable('opportunities');

create table projects (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  name text not null,
  account_id text collate "C",
  opportunity_id text collate "C",
  columns jsonb not null,
  status text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  name_key text collate "C" not null generated always as (lower(name)) stored,
  search_text text collate "C" not null generated always as (lower(' ' || name)) stored,
  primary key (team_id, id),
  foreign key (team_id, account_id) references accounts on delete set null (account_id),
  foreign key (team_id, opportunity_id) references opportunities on delete set null (opportunity_id)
);
-- One click makes one project, however often it is clicked.
create unique index projects_of_opportunity on projects (team_id, opportunity_id) where deleted_at is null;
create index projects_by_creation on projects (team_id, created_at, id) where deleted_at is null;
create index projects_by_change on projects (team_id, updated_at, id) where deleted_at is null;
create index projects_by_name on projects (team_id, name_key, id) where deleted_at is null;
create index projects_of_account on projects (team_id, account_id) where account_id is not null;
create index projects_in_trash on projects (team_id, deleted_at, id) where deleted_at is not null;
select make_tenant_table('projects');
select make_searchable('projects');

create table tasks (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  title text not null,
  description text,
  lead_id text collate "C",
  project_id text collate "C",
  "column" text collate "C",
  -- Between those of its neighbours, in the order of bytes: a move writes one row (see src/domains/projects/positions.ts).
  position text collate "C",
  assignee_id text collate "C",
  due_at timestamptz(3),
  remind_at timestamptz(3),
  -- How far the mail of the reminder has come: DUE, SENDING, SENT, UNKNOWN, FAILED.
  reminder text collate "C",
  status text collate "C" not null,
  done_at timestamptz(3),
  overdue_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  title_key text collate "C" not null generated always as (lower(title)) stored,
  due_key timestamptz(3) not null generated always as (coalesce(due_at, timestamptz '9999-12-31 00:00:00+00')) stored,
  search_text text collate "C" not null generated always as (lower(' ' || title)) stored,
  primary key (team_id, id),
  foreign key (team_id, lead_id) references leads on delete set null (lead_id),
  foreign key (team_id, project_id) references projects on delete cascade,
  check ((project_id is null) = ("column" is null) and ("column" is null) = (position is null))
);
create index tasks_by_due on tasks (team_id, due_key, id) where deleted_at is null;
create index tasks_by_assignee on tasks (team_id, assignee_id, status, due_key, id) where deleted_at is null;
create index tasks_by_creation on tasks (team_id, created_at, id) where deleted_at is null;
create index tasks_by_change on tasks (team_id, updated_at, id) where deleted_at is null;
create index tasks_on_board on tasks (team_id, project_id, "column", position, id) where project_id is not null and deleted_at is null;
create index tasks_of_project on tasks (team_id, project_id) where project_id is not null;
create index tasks_of_lead on tasks (team_id, lead_id) where lead_id is not null;
create index tasks_in_trash on tasks (team_id, deleted_at, id) where deleted_at is not null;
select make_tenant_table('tasks');
select make_searchable('tasks');

revoke create on schema public from rapport_search;

-- One change for everything that matches, done block by block.
create table bulk_changes (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  filter jsonb not null,
  change jsonb not null,
  status text collate "C" not null,
  total integer not null,
  processed integer not null,
  changed integer not null,
  -- How far it has come, in the order of ids; leads made after it began are not its business.
  last_id text collate "C" not null,
  until timestamptz(3) not null,
  actor jsonb not null,
  error text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (team_id, id)
);
create index bulk_changes_by_creation on bulk_changes (team_id, created_at, id);
select make_tenant_table('bulk_changes');

create table imports (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  file_name text not null,
  bytes integer not null,
  status text collate "C" not null,
  columns jsonb not null,
  mapping jsonb not null,
  duplicates text collate "C" not null,
  duplicate_key text collate "C" not null,
  automations boolean not null,
  defaults jsonb not null,
  total integer not null,
  processed integer not null,
  created integer not null,
  updated integer not null,
  skipped integer not null,
  failed integer not null,
  next_part integer not null,
  actor jsonb not null,
  error text,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (team_id, id)
);
create index imports_by_creation on imports (team_id, created_at, id);
select make_tenant_table('imports');

-- The rows of the file as they were read, in blocks: what has been read once need not be parsed again.
create table import_parts (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  import_id text collate "C" not null,
  n integer not null,
  -- The line of the table that the first one is, counted from 1 without the header.
  first_row integer not null,
  rows text not null,
  primary key (team_id, import_id, n),
  foreign key (team_id, import_id) references imports on delete cascade
);
select make_tenant_table('import_parts');

create table import_errors (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  import_id text collate "C" not null,
  row integer not null,
  cells text not null,
  errors jsonb not null,
  primary key (team_id, import_id, row),
  foreign key (team_id, import_id) references imports on delete cascade
);
select make_tenant_table('import_errors');

-- What the first page counts.
create index events_of_replies on events (team_id, id) where type = 'email.replied';
