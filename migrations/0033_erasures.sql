-- What is known of a person can be read as a whole, and taken away from every table. Rows that are counted stay, and say
-- nothing of the person any more.
create table erasures (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  lead_id text collate "C" not null,
  status text collate "C" not null check (status in ('RUNNING', 'DONE', 'FAILED')),
  counts jsonb not null,
  -- What the person is known by, encrypted, until nothing is left to be found by it.
  words text,
  requested_by text collate "C",
  created_at timestamptz(3) not null,
  erased_at timestamptz(3),
  primary key (team_id, id)
);
create unique index erasures_of_lead on erasures (team_id, lead_id);
select make_tenant_table('erasures', 'select, insert, update');

-- The lead stays as an empty row that nobody sees, in a trash without end: messages and enrolments that point at it are still
-- counted. What is asked of living leads asks nothing more than before, so that their indexes serve as they did.
create policy erased on leads as restrictive to rapport_app
  using (deleted_at is null or deleted_at <> 'infinity' or current_setting('app.erasing', true) = 'on');
create policy erased_search on leads as restrictive to rapport_search using (deleted_at is null or deleted_at <> 'infinity');

-- Where something is kept of a person: which rows belong to a lead ($1), and what becomes of them. A table that comes later
-- gets its row here in its own migration (test/tidy.test.ts).
create table personal_tables (
  name text collate "C" primary key,
  linked text not null,
  -- The word delete, or what is set. What was still to be sent is sent no more.
  forget text not null
);
grant select on personal_tables to rapport_app;
insert into personal_tables values
  ('leads', 'id = $1', 'first_name = null, last_name = null, email = null, phone = null, company = null, title = null,
    website = null, timezone = null, source = null, utm = ''{}'', custom = ''{}'', account_id = null,
    deleted_at = ''infinity'''),
  ('events', 'lead_id = $1 or (subject_kind = ''lead'' and subject_id = $1)
      or (subject_kind = ''inbound_event'' and (data::text like ''%'' || $1 || ''%''
        or id in (select e.cause_id from events as e where e.team_id = t.team_id and e.lead_id = $1)))',
    'data = ''{"erased": true}'', ip = null'),
  ('messages', 'lead_id = $1', 'address = '''', subject = null, links = ''[]'', thread = ''[]'', clicks = ''[]'', bounce = null,
    status = case status when ''DUE'' then ''CANCELLED'' else status end'),
  ('message_contents', 'message_id in (select m.id from messages as m where m.team_id = t.team_id and m.lead_id = $1)',
    'text = '''', html = null'),
  ('message_answers', 'message_id in (select m.id from messages as m where m.team_id = t.team_id and m.lead_id = $1)', 'delete'),
  ('enrolments', 'lead_id = $1', 'held = null'),
  ('enrolment_trace', 'lead_id = $1', 'reason = reason'),
  ('icebreakers', 'enrolment_id in (select e.id from enrolments as e where e.team_id = t.team_id and e.lead_id = $1)',
    'text = '''', prompt = '''''),
  ('calls', 'lead_id = $1', '"from" = null, "to" = null, summary = null, notes = null, recording_url = null, follow_up = null'),
  ('call_lines', 'call_id in (select c.id from calls as c where c.team_id = t.team_id and c.lead_id = $1)', 'delete'),
  ('call_briefs', 'call_id in (select c.id from calls as c where c.team_id = t.team_id and c.lead_id = $1)', 'delete'),
  ('call_consents', 'lead_id = $1', 'delete'),
  ('attended_calls', 'lead_id = $1', 'delete'),
  ('meetings', 'lead_id = $1', 'guest_name = null, guest_email = null, title = ''Meeting'', description = null,
    location = null, cancel_reason = null'),
  ('submissions', 'lead_id = $1', 'field_values = ''{}'', notes = ''[]'', first_touch = null, last_touch = ''{}'', ip = null,
    user_agent = null'),
  ('tasks', 'lead_id = $1', 'description = null'),
  ('opportunities', 'lead_id = $1', 'name = name'),
  ('candidates', 'lead_id = $1', 'email = null, phone = null'),
  ('invoices', 'lead_id = $1', 'customer = ''{"name": "Erased", "email": null, "address": null, "tax_id": null}'', note = null'),
  ('invoice_payments', 'invoice_id in (select i.id from invoices as i where i.team_id = t.team_id and i.lead_id = $1)',
    'payer = null, note = null'),
  ('mails', 'about_id = $1
      or about_id in (select m.id from meetings as m where m.team_id = t.team_id and m.lead_id = $1)
      or about_id in (select i.id from invoices as i where i.team_id = t.team_id and i.lead_id = $1)
      or about_id in (select s.id from submissions as s where s.team_id = t.team_id and s.lead_id = $1)',
    'recipient = '''', subject = '''', text = '''', html = '''', reply_to = null, attachments = null, calendar = null,
    status = case status when ''DUE'' then ''FAILED'' else status end'),
  ('workflow_runs', 'lead_id = $1', 'event = ''{}'''),
  ('workflow_traces', 'run_id in (select r.id from workflow_runs as r where r.team_id = t.team_id and r.lead_id = $1)',
    'entries = ''[]'''),
  ('notifications', 'link like ''%'' || $1 || ''%''', 'delete'),
  ('inbound_events', 'lead_id = $1 or body like ''%'' || $1 || ''%''
      or recorded_id in (select e.id from events as e where e.team_id = t.team_id and e.lead_id = $1)
      or recorded_id in (select e.cause_id from events as e where e.team_id = t.team_id and e.lead_id = $1)', 'body = ''{}'''),
  ('inbound_effects', 'inbound_id in (select i.id from inbound_events as i join events as e
      on e.team_id = i.team_id and i.recorded_id in (e.id, e.cause_id) where i.team_id = t.team_id and e.lead_id = $1)', 'note = null'),
  ('webhook_attempts', 'delivery_id in (select d.id from webhook_deliveries as d join events as e on e.team_id = d.team_id and e.id = d.event_id
      where d.team_id = t.team_id and e.lead_id = $1)', 'response_body = null'),
  ('webhook_deliveries', 'body like ''%'' || $1 || ''%''
      or event_id in (select e.id from events as e where e.team_id = t.team_id and e.lead_id = $1)',
    'body = ''{}'', status = case status when ''PENDING'' then ''FAILED'' else status end'),
  ('idempotency_keys', 'body like ''%'' || $1 || ''%''', 'delete'),
  ('changes', 'message::text like ''%'' || $1 || ''%''
      or event_id in (select e.id from events as e where e.team_id = t.team_id and e.lead_id = $1)
      or message -> ''subject'' ->> ''id'' in (select c.id from calls as c where c.team_id = t.team_id and c.lead_id = $1)', 'delete'),
  ('erasures', 'lead_id = $1', 'words = words');

-- Settings are what the team wrote for everybody: an address in them is somebody's of the team, or nobody's in particular.
create function is_setting(name text) returns boolean language sql immutable
return name = any (array['account_settings', 'agent_listings', 'agent_numbers', 'agent_versions', 'agents', 'api_keys',
  'automation_listeners', 'availabilities', 'billing_settings', 'booking_addresses', 'busy_times', 'calendar_connections',
  'credit_accounts', 'erasures', 'form_addresses', 'form_notices', 'form_versions', 'forms', 'invitations', 'invoice_addresses',
  'lead_settings', 'memberships', 'oauth_clients', 'oauth_grants', 'outreach_settings', 'push_subscriptions',
  'sequence_days', 'sequence_versions', 'sequences', 'sessions', 'template_starts', 'templates', 'views', 'webhook_endpoints',
  'workflow_turns', 'workflow_versions', 'workflows']);

-- The tables a person may stand in. The lead itself comes first: what goes on meanwhile makes nothing new of it then.
create function tables_of_people() returns setof text language sql stable set search_path = public as $$
  select relname::text from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'team_id' and not attisdropped
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and not is_setting(relname)
  order by relname <> 'leads', relname
$$;

-- Everything that the table keeps of a person: rows that belong to the lead, and rows with an address or a name in them.
create function read_person_in(name text, lead text, words text) returns setof jsonb
language plpgsql stable set search_path = public as $$
begin
  return query execute format(
    'select to_jsonb(t) - ''team_id'' - ''search_text'' from %I as t where team_id = current_setting(''app.team'', true) and ((%s) or t::text ~* $2)',
    name, coalesce((select linked from personal_tables as p where p.name = read_person_in.name), 'false')) using lead, words;
end
$$;

-- What is written of an address that nobody is to write to, once its owner is forgotten.
create function forgotten_address(address text) returns text language sql immutable
return 'sha256:' || encode(sha256(convert_to(address, 'UTF8')), 'hex');

create function erase_person_in(name text, lead text, words text) returns bigint
language plpgsql security definer set search_path = public as $$
declare
  rule personal_tables;
  columns text;
  found_in text;
  touched bigint := 0;
  swept bigint := 0;
begin
  if current_setting('app.team', true) !~ '^[0-9a-f]{24}$' then
    raise exception 'a person is erased from one team';
  end if;
  if name not in (select tables_of_people()) then
    raise exception 'nothing is erased from %', name;
  end if;
  if name = 'suppressions' then
    -- Of somebody who came back and is erased again, the hash may be in force already.
    delete from suppressions as s where team_id = current_setting('app.team') and address ~* words and lifted_at is null
      and exists (select from suppressions as kept where kept.team_id = s.team_id and kept.channel = s.channel
        and kept.address = forgotten_address(s.address) and kept.lifted_at is null);
    get diagnostics swept = row_count;
    update suppressions set address = forgotten_address(address), note = null
      where team_id = current_setting('app.team') and address ~* words;
    get diagnostics touched = row_count;
    return touched + swept;
  end if;
  set local app.erasing = 'on';
  select * into rule from personal_tables as p where p.name = erase_person_in.name;
  if rule.forget = 'delete' then
    execute format('delete from %I as t where team_id = current_setting(''app.team'') and ((%s) or t::text ~* $2)', name, rule.linked)
      using lead, words;
    get diagnostics touched = row_count;
    set local app.erasing = 'off';
    return touched;
  end if;
  if rule.forget is not null then
    execute format('update %I as t set %s where team_id = current_setting(''app.team'') and (%s)', name, rule.forget, rule.linked)
      using lead;
    get diagnostics touched = row_count;
  end if;
  -- Whatever else has an address or the name in it keeps the rest of its words.
  select string_agg(format(
      case format_type(atttypid, null) when 'jsonb' then '%1$I = regexp_replace(%1$I::text, $1, ''[erased]'', ''gi'')::jsonb'
        else '%1$I = regexp_replace(%1$I, $1, ''[erased]'', ''gi'')' end, attname), ', '),
    string_agg(format('%I::text ~* $1', attname), ' or ')
    into columns, found_in
  from pg_attribute
  where attrelid = format('%I', name)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    and format_type(atttypid, null) in ('text', 'jsonb')
    and not (attname = 'id' or attname like '%\_id' or attname in ('team_id', 'status', 'kind', 'type'))
    and attname not in (select a.attname from pg_index join pg_attribute as a on a.attrelid = indrelid and a.attnum = any(indkey)
      where indrelid = format('%I', name)::regclass and indisprimary);
  if columns is not null then
    execute format('update %I as t set %s where team_id = current_setting(''app.team'') and (%s)', name, columns, found_in)
      using words;
    get diagnostics swept = row_count;
  end if;
  set local app.erasing = 'off';
  return touched + swept;
end
$$;
revoke all on function erase_person_in(text, text, text) from public;
grant execute on function erase_person_in(text, text, text) to rapport_app;
