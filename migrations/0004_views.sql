create table views (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  kind text not null,
  name text not null,
  query text not null,
  columns jsonb,
  shared boolean not null,
  owner_id text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (team_id, id)
);
create index views_by_kind on views (team_id, kind, created_at, id);
select make_tenant_table('views');
