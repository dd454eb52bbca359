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

-- Messages, calls and enrolments change their state all the time, and an index of every state would follow each change. These have
-- only what is rare, and only what changes together with another index.
create index messages_unsent on messages (team_id, id) where sent_at is null;
create index messages_answered on messages (team_id, id)
  where replied_at is not null or bounced_at is not null or complained_at is not null or unsubscribed_at is not null;
create index calls_unanswered on calls (team_id, started_at, id) where status in ('NO_ANSWER', 'VOICEMAIL', 'FAILED');
create index enrolments_answered on enrolments (team_id, id)
  where replied_at is not null or clicked_at is not null or booked_at is not null or converted_at is not null;
