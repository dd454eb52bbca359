-- Lists filtered by what many records have in common read their whole team where few or none passed. As with leads, they look at
-- the next records of the order first, and then use these (docs/decisions/0028, 0040): a few bytes for each record.
create index opportunities_by_facet on opportunities using gin (team_id, owner_id, currency);
create index accounts_by_facet on accounts using gin (team_id, owner_id, industry);
create index invoices_by_facet on invoices using gin (team_id, status, currency);
create index tasks_by_status on tasks (team_id, status) where deleted_at is null;
create index candidates_by_status on candidates (team_id, status) where deleted_at is null;
create index meetings_by_status on meetings (team_id, status);

-- The list of tasks by title sorted all of them.
create index tasks_by_title on tasks (team_id, title_key, id) where deleted_at is null;

-- Settlements are listed by their IDs, which are in order of time.
drop index settlements_of_team;
create index settlements_of_team on settlements (team_id, id);
