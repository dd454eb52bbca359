-- How often a job lost the worker that had it. Its tries count what it failed at itself.
alter table jobs add column lost smallint not null default 0;
