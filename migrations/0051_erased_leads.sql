-- Lists and counts of active leads can be read from an index alone where the planner proves this policy from the condition of the
-- index. It proves nothing from a clause with a setting, which could change between two rows. In a sub-select, the setting is read
-- once for each statement, and the clause is proven.
alter policy erased on leads
  using (deleted_at is null or deleted_at <> 'infinity' or (select current_setting('app.erasing', true) = 'on'));
