create table forms (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  name text not null,
  slug text collate "C" not null,
  -- What a visitor sees and what becomes of it, as it is being worked on; a version is a copy of it.
  title text not null,
  description text,
  fields jsonb not null,
  steps jsonb not null,
  submit_label text not null,
  thank_you text not null,
  redirect_url text,
  field_mapping jsonb not null,
  -- What takes effect at once.
  webhook_url text,
  auto_reply jsonb,
  notify jsonb not null,
  allowed_domains jsonb not null,
  on_existing text collate "C" not null,
  published boolean not null,
  version integer not null,
  draft_changed boolean not null,
  published_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  name_key text collate "C" not null generated always as (lower(name)) stored,
  search_text text collate "C" not null generated always as (lower(' ' || name || ' ' || slug || ' ' || title)) stored,
  primary key (team_id, id)
);
create index forms_by_creation on forms (team_id, created_at, id) where deleted_at is null;
create index forms_by_change on forms (team_id, updated_at, id) where deleted_at is null;
create index forms_by_name on forms (team_id, name_key, id) where deleted_at is null;
create index forms_in_trash on forms (team_id, deleted_at, id) where deleted_at is not null;
select make_tenant_table('forms');
grant create on schema public to rapport_search;
select make_searchable('forms');
revoke create on schema public from rapport_search;

-- Where strangers come from: an address says nothing of a team. One of the node's own tables, for all teams.
create table form_addresses (
  form_id text collate "C" primary key,
  team_id text collate "C" not null,
  slug text collate "C" not null unique
);
grant select, insert, update, delete on form_addresses to rapport_app;

create table form_versions (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  form_id text collate "C" not null,
  version integer not null,
  content jsonb not null,
  published_at timestamptz(3) not null,
  published_by text,
  primary key (team_id, form_id, version),
  foreign key (team_id, form_id) references forms on delete cascade
);
select make_tenant_table('form_versions');

create table submissions (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  form_id text collate "C" not null,
  form_version integer not null,
  -- Of the page it was sent from: the same page sent twice is one submission.
  page_key text collate "C",
  lead_id text collate "C",
  status text collate "C" not null check (status in ('RECEIVED', 'QUARANTINED')),
  reasons jsonb not null,
  -- What the mapping could not use for the lead, and why.
  notes jsonb not null,
  field_values jsonb not null,
  first_touch jsonb,
  last_touch jsonb not null,
  ip text,
  user_agent text,
  created_at timestamptz(3) not null,
  released_at timestamptz(3),
  primary key (team_id, id),
  foreign key (team_id, form_id) references forms on delete cascade,
  foreign key (team_id, lead_id) references leads on delete set null (lead_id)
);
create unique index submissions_once on submissions (team_id, form_id, page_key) where page_key is not null;
create index submissions_of_form on submissions (team_id, form_id, created_at, id);
create index submissions_of_lead on submissions (team_id, lead_id) where lead_id is not null;
select make_tenant_table('submissions');

-- Who is told of submissions, while what comes is being gathered for one mail: how many wait, and the first of them.
create table form_notices (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  form_id text collate "C" not null,
  recipient text not null,
  gathering boolean not null,
  waiting integer not null,
  first_ids jsonb not null,
  primary key (team_id, form_id, recipient),
  foreign key (team_id, form_id) references forms on delete cascade
);
select make_tenant_table('form_notices');
