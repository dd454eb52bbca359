-- Six more tables that only grow are partitioned by month, like events (0035): by their own id, or by the id of what they
-- belong to, which begins with a second as well. Tables whose uniqueness has to hold across all months cannot be
-- (docs/decisions/0029).

-- Turns a table into a partitioned one. What it has so far becomes its first part as it is; no row is rewritten. Its keys and
-- indexes are those the table had, so that the first part brings its own.
create function keep_by_month(name text, key text, privileges text) returns void
language plpgsql set search_path = public set timezone = 'UTC' as $$
declare
  early text := format('partitions.%I', name || '_early');
  definition record;
  newest text;
begin
  execute format('alter table %I rename to %I', name, name || '_early');
  execute format('alter table %I set schema partitions', name || '_early');
  execute format('drop policy team on %s', early);
  execute format('alter table %s no force row level security, disable row level security', early);
  execute format('revoke all on %s from rapport_app', early);
  -- The program makes the ids. A rule about their form is parsed for every row.
  for definition in
    select conname from pg_constraint where conrelid = early::regclass and contype = 'c' and pg_get_constraintdef(oid) ~ '0-9a-f'
  loop
    execute format('alter table %s drop constraint %I', early, definition.conname);
  end loop;
  execute format('create table %I (like %s including defaults including constraints) partition by range (%I)', name, early, key);
  for definition in
    select conname, pg_get_constraintdef(oid) as text from pg_constraint
    where conrelid = early::regclass and contype in ('p', 'u', 'f') order by contype = 'f', conname
  loop
    execute format('alter table %I add constraint %I %s', name, definition.conname, definition.text);
  end loop;
  for definition in
    select replace(pg_get_indexdef(indexrelid), format(' ON %s ', early), format(' ON %I ', name)) as text, indexrelid::regclass as index,
      (select string_agg(attname, '_' order by attnum) from pg_attribute where attrelid = indexrelid) as columns
    from pg_index where indrelid = early::regclass and not exists (select from pg_constraint where conindid = indexrelid)
    order by indexrelid
  loop
    execute definition.text;
    -- As PostgreSQL would call it, and does when a backup is restored.
    execute format('alter index %s rename to %I', definition.index, format('%s_early_%s_idx', name, definition.columns));
  end loop;
  perform make_tenant_table(name, privileges);
  execute format('select max(%I) from %s', key, early) into newest;
  execute format('alter table %I attach partition %s for values from (minvalue) to (%L)', name, early,
    first_id(month_of(greatest(newest, first_id(now()))) + interval '1 month'));
  execute format('create table partitions.%I partition of %I default', name || '_other', name);
end
$$;
revoke all on function keep_by_month(text, text, text) from public;

select keep_by_month('workflow_traces', 'run_id', 'select, insert, delete');
select keep_by_month('enrolment_trace', 'id', 'select, insert');
select keep_by_month('message_contents', 'message_id', 'select, insert');
select keep_by_month('webhook_attempts', 'id', 'select, insert, update, delete');
select keep_by_month('inbound_effects', 'inbound_id', 'select, insert, update, delete');
select keep_by_month('call_lines', 'call_id', 'select, insert, update, delete');
select make_partitions(now() + interval '3 months');
