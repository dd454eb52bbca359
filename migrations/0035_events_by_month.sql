-- What grows without end is kept month by month. An id begins with the second it was made in, so that ids divide a table by
-- time, and whoever names an id reads one month only. The parts are in a schema of their own: nobody names them, and nobody
-- but the owner may.
create schema partitions;

-- The first id of a second.
create function first_id(at timestamptz) returns text language sql immutable
return lpad(to_hex(greatest(0, least(4294967295, floor(extract(epoch from at))::bigint))), 8, '0') || repeat('0', 16);

create function month_of(id text) returns timestamptz language sql immutable
return date_trunc('month', to_timestamp(('x' || lpad(left(id, 8), 16, '0'))::bit(64)::bigint) at time zone 'UTC') at time zone 'UTC';

-- Makes a part for each month up to that time, of every table that is kept so. What was written for a month that had none yet
-- waits in <table>_other, and moves over here. A part is filled before the table knows of it: until then nobody waits.
create function make_partitions(until timestamptz) returns integer
language plpgsql security definer set search_path = public set timezone = 'UTC' set lock_timeout = '1s' as $$
declare
  grown record;
  month timestamptz;
  part text;
  made integer := 0;
begin
  -- One at a time: two processes may find the same month missing.
  perform pg_advisory_xact_lock(7266791);
  for grown in
    select partrelid::regclass::text as name, pg_get_partkeydef(partrelid) as key,
      (select max((regexp_match(pg_get_expr(relpartbound, pg_class.oid), 'TO \(''([0-9a-f]{24})'))[1])
        from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = partrelid) as bound
    from pg_partitioned_table join pg_class on pg_class.oid = partrelid
    where relnamespace = 'public'::regnamespace order by 1
  loop
    month := month_of(grown.bound);
    while month < until loop
      part := format('partitions.%I', grown.name || to_char(month, '_YYYY_MM'));
      execute format('create table %s (like %s including all)', part, grown.name);
      execute format(
        'with moved as (delete from partitions.%1$I where %2$s >= %3$L and %2$s < %4$L returning *) insert into %5$s select * from moved',
        grown.name || '_other', substring(grown.key from '\((.*)\)'), first_id(month), first_id(month + interval '1 month'), part);
      execute format('alter table %s attach partition %s for values from (%L) to (%L)',
        grown.name, part, first_id(month), first_id(month + interval '1 month'));
      month := month + interval '1 month';
      made := made + 1;
    end loop;
  end loop;
  return made;
end
$$;
revoke all on function make_partitions(timestamptz) from public;
grant execute on function make_partitions(timestamptz) to rapport_app;

-- What there is so far becomes the first part as it is: no row is written again.
alter table events rename to events_early;
alter table events_early set schema partitions;
alter index partitions.events_pkey rename to events_early_pkey;
drop index partitions.events_of_lead, partitions.events_by_type, partitions.events_by_actor, partitions.events_caused,
  partitions.events_of_replies;
drop policy team on partitions.events_early;
alter table partitions.events_early no force row level security, disable row level security;
revoke all on partitions.events_early from rapport_app;

-- The program makes the ids, and PostgreSQL would parse a rule about them anew with every row.
alter table partitions.events_early drop constraint events_team_id_check, drop constraint events_id_check;

create table events (like partitions.events_early including defaults) partition by range (id);
alter table events add primary key (team_id, id);
select make_tenant_table('events', 'select, insert');
do $$
declare
  bound text := greatest((select max(id) from partitions.events_early), first_id(now()));
begin
  execute format('alter table events attach partition partitions.events_early for values from (minvalue) to (%L)',
    first_id(month_of(bound) + interval '1 month'));
end
$$;
create table partitions.events_other partition of events default;

-- One small index answers every question but the order of time: GIN writes each value down once, with a byte or two for every
-- event that has it. A B-tree each for the filters of the audit log took more room than the events.
create index events_by_facet on events using gin (team_id, type, subject_kind, subject_id, lead_id, actor_kind, actor_id, cause_id);
create index events_of_replies on events (team_id, id) where type = 'email.replied';
select make_partitions(now() + interval '3 months');
