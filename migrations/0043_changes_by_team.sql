-- Every process read the changes of every team. It now reads those of the teams that somebody listens to there, in the same
-- order; positions and pruning are over all teams, for which the number of the transaction is enough.
alter table changes drop constraint changes_pkey;
alter table changes add primary key (team_id, xid, event_id);
create index changes_by_xid on changes (xid);
