-- What triggered a run is in the log, and the body of a webhook in the inbox: neither is kept again with every run that has
-- ended (docs/decisions/0041). The trace of a run that ended at once is part of its row, as text: JSON in binary takes a third more.
-- Only the catalogue changes: no row is read or written, whatever the size of the tables. Each lock is held for a moment.
alter table workflow_runs alter column event drop not null;
alter table workflow_runs add column trace text;

-- Half of each page was left free for the next version of a run. A run that ends leaves its copy of the event behind: its last
-- version takes a third of the room, and most runs are written only once.
alter table workflow_runs set (fillfactor = 75);

update personal_tables set forget = 'event = ''{}'', trace = case when trace is not null then ''[]'' end'
where name = 'workflow_runs';

-- What the team's automations made of a webhook is noted in its row, which is written at that moment anyway.
alter table inbound_events add column automations text;
alter table inbound_events add column automated_at timestamptz(3);
-- Its indexes know the status, so that a new version of a row never stayed on its page: the free space was never used.
alter table inbound_events reset (fillfactor);
