-- What changes all the time about a lead, kept once more in a narrow table with a row for each active lead. Its indexes
-- take the place of those on leads: a change of status or activity then leaves every index of leads alone, the trigrams
-- above all (docs/decisions/0031).
create table lead_states (
  team_id text collate "C" not null,
  id text collate "C" not null,
  pipeline_stage text collate "C" not null,
  status text collate "C" not null,
  call_status text collate "C" not null,
  created_at timestamptz(3) not null,
  -- updated_at and activity_key of the lead.
  changed_at timestamptz(3) not null,
  active_at timestamptz(3) not null,
  primary key (team_id, id)
) with (fillfactor = 85);
select make_tenant_table('lead_states');

alter table leads no force row level security;
insert into lead_states
select team_id, id, pipeline_stage, status, call_status, created_at, updated_at, activity_key from leads
where deleted_at is null order by team_id, created_at;
alter table leads force row level security;

create index lead_states_by_change on lead_states (team_id, changed_at, id);
create index lead_states_by_activity on lead_states (team_id, active_at, id);
create index lead_states_by_stage on lead_states (team_id, pipeline_stage, created_at, id);
-- Many leads share an entry of these two: a few bytes each.
create index lead_states_by_status on lead_states (team_id, status);
create index lead_states_by_call_status on lead_states (team_id, call_status);

drop index leads_by_change, leads_by_activity, leads_by_stage, leads_by_facet;
create index leads_by_facet on leads using gin (team_id, source, owner_id, account_id);
-- Room on each page for the next version of a row beside the last.
alter table leads set (fillfactor = 90);

-- Nothing in it says who a person is; without the row the lead is in no list.
insert into personal_tables values ('lead_states', 'id = $1', 'delete');

-- Lists join it at once, and the first statistics of its own would come minutes later.
analyze lead_states;
