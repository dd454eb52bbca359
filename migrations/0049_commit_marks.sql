-- On a cluster the coordinator commits before the nodes do. A job without an event, which would show it, leaves a mark beside the
-- rows that it is about: as long as the mark is not there, neither are they (decision 0035). On one PostgreSQL it stays empty.
create table commit_marks (
  team_id text collate "C" not null,
  id text collate "C" not null,
  primary key (team_id, id)
);
select make_tenant_table('commit_marks', 'select, insert, delete');
alter table jobs add column mark text collate "C";
