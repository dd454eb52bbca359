-- How many living leads a team has, by what boards and lists ask for. Boards of half a million leads used to count them.
create table lead_counts (
  team_id text collate "C" not null,
  pipeline_stage text collate "C" not null,
  status text collate "C" not null,
  call_status text collate "C" not null,
  -- Empty where a lead has no owner.
  owner_id text collate "C" not null,
  n integer not null,
  primary key (team_id, pipeline_stage, status, call_status, owner_id)
);
select make_tenant_table('lead_counts');

-- What changed since: rows that are only added wait for no lock. They are folded into the counts every few hundred.
create table lead_count_changes (
  team_id text collate "C" not null,
  pipeline_stage text collate "C" not null,
  status text collate "C" not null,
  call_status text collate "C" not null,
  owner_id text collate "C" not null,
  n integer not null
);
create index lead_count_changes_of_team on lead_count_changes (team_id);
select make_tenant_table('lead_count_changes');
alter table lead_count_changes set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

alter table leads no force row level security;
insert into lead_counts
select team_id, pipeline_stage, status, call_status, coalesce(owner_id, ''), count(*) from leads
where deleted_at is null group by 1, 2, 3, 4, 5;

-- Filters by what many leads have in common: a byte or two of each lead, where a B-tree for each took a hundred. The board keeps
-- the B-tree of its stages.
drop index leads_by_owner, leads_by_account;
create index leads_by_facet on leads using gin (team_id, status, call_status, source, owner_id, account_id, pipeline_stage);
alter table leads force row level security;
