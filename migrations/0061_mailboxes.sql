-- Files of messages: the rows are here, the bytes where FILES_URL says.
create table files (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  name text not null,
  type text collate "C" not null,
  size bigint not null check (size >= 0),
  -- Whose private mailbox it came from: nobody else may read it.
  private_to text collate "C",
  -- Since when it belongs to a message. One that belongs to none is removed after a day.
  used_at timestamptz(3),
  created_by text collate "C",
  created_at timestamptz(3) not null,
  primary key (team_id, id)
);
create index files_unused on files (team_id, created_at, id) where used_at is null;
select make_tenant_table('files', 'select, insert, update, delete');

-- Where a team or one of its members gets and sends email.
create table mailboxes (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  kind text collate "C" not null check (kind in ('imap', 'google', 'microsoft')),
  -- Null: the team shares it.
  owner_id text collate "C",
  visibility text collate "C" not null check (visibility in ('team', 'owner')),
  address text collate "C" not null,
  name text,
  signature text,
  is_default boolean not null,
  -- A stranger who writes to it becomes a lead.
  creates_leads boolean not null,
  username text not null,
  imap jsonb not null,
  smtp jsonb not null,
  -- Sealed: the password, or what a token is got with.
  secret text not null,
  import_days integer not null,
  sent_folder text,
  state text collate "C" not null check (state in ('NEW', 'OK', 'FAILING')),
  note text,
  failing_since timestamptz(3),
  told boolean not null default false,
  checked_at timestamptz(3),
  -- The job of the next reading.
  wait_id text collate "C",
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  address_key text collate "C" not null generated always as (lower(address)) stored,
  primary key (team_id, id)
);
create unique index mailboxes_by_address on mailboxes (team_id, address_key);
create unique index mailboxes_default on mailboxes (team_id) where is_default;
create index mailboxes_of_owner on mailboxes (team_id, owner_id) where owner_id is not null;
create index mailboxes_in_order on mailboxes (team_id, created_at, id);
select make_tenant_table('mailboxes', 'select, insert, update, delete');

-- How far each is read.
create table mailbox_readings (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  mailbox_id text collate "C" not null,
  uid_validity text collate "C" not null,
  uid bigint not null,
  -- What came before is history: it is shown, and nothing is done about it.
  since timestamptz(3) not null,
  read_at timestamptz(3) not null,
  primary key (team_id, mailbox_id),
  foreign key (team_id, mailbox_id) references mailboxes on delete cascade
);
select make_tenant_table('mailbox_readings', 'select, insert, update, delete');

-- Which process waits for news of a mailbox; any may take over what is not extended in time.
create table mailbox_watches (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  mailbox_id text collate "C" not null,
  owner text collate "C",
  lease_until timestamptz(3) not null,
  primary key (team_id, mailbox_id)
);
create index mailbox_watches_free on mailbox_watches (lease_until);
create index mailbox_watches_of_owner on mailbox_watches (owner) where owner is not null;
select make_installation_table('mailbox_watches');

alter table conversations add column mailbox_id text collate "C";
create index conversations_of_mailbox on conversations (team_id, mailbox_id, last_message_at, id)
  where mailbox_id is not null and merged_into is null;
alter table conversation_entries
  add column mailbox_id text collate "C",
  -- It came to the private mailbox of this member: the others see that it came, and not what it says.
  add column private_to text collate "C",
  -- It was written before its mailbox was connected, and waits for no answer.
  add column is_history boolean not null default false,
  -- Whether there is more of it than its text: a page, or what it quotes.
  add column has_original boolean not null default false;

-- An email that came in as a whole; its entry has what was written in it.
create table conversation_mails (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  entry_id text collate "C" not null,
  recipients jsonb not null,
  text text not null,
  html text,
  -- Tells two emails apart whose program gave them one Message-ID.
  fingerprint text collate "C",
  primary key (team_id, entry_id),
  foreign key (team_id, entry_id) references conversation_entries on delete cascade
);
select make_tenant_table('conversation_mails');

-- Whether it answers what came in; an email that is passed on to somebody else does not.
alter table conversation_replies add column is_answer boolean not null default true;

-- What a message of ours has beside its text.
create table conversation_letters (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  message_id text collate "C" not null,
  conversation_id text collate "C" not null,
  mailbox_id text collate "C",
  cc text[] collate "C" not null,
  bcc text[] collate "C" not null,
  primary key (team_id, message_id),
  foreign key (team_id, conversation_id) references conversations on delete cascade
);
create index conversation_letters_of_conversation on conversation_letters (team_id, conversation_id);
select make_tenant_table('conversation_letters');

-- The files of an entry or of a message of ours.
create table conversation_files (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  conversation_id text collate "C" not null,
  -- The entry, or the message.
  part_of text collate "C" not null,
  position integer not null,
  file_id text collate "C" not null,
  content_id text,
  primary key (team_id, part_of, position),
  foreign key (team_id, conversation_id) references conversations on delete cascade
);
create index conversation_files_of_file on conversation_files (team_id, file_id);
create index conversation_files_of_conversation on conversation_files (team_id, conversation_id);
select make_tenant_table('conversation_files');

-- Files are forgotten before the rows that tell whose they are.
create or replace function tables_of_people() returns setof text language sql stable set search_path = public as $$
  select relname::text from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'team_id' and not attisdropped
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and not is_setting(relname)
  order by relname <> 'leads', relname <> 'files', relname
$$;

insert into personal_tables values
  ('files', 'id in (select f.file_id from conversation_files as f
      join conversations as c on c.team_id = f.team_id and c.id = f.conversation_id
      where f.team_id = t.team_id and c.lead_id = $1)',
    'name = ''erased'', used_at = null, created_at = ''epoch''');

-- As before (migration 0047); with a lead go the files of its conversation that nobody has sent to somebody else.
create or replace function purge_trash(name regclass, before timestamptz) returns integer
language plpgsql as $$
declare
  team text := current_setting('app.team');
  old text[];
  link record;
  purged integer;
begin
  execute format(
    'select array_agg(id) from (select id from %s where team_id = %L and deleted_at < %L order by id for update) as trashed',
    name, team, before) into old;
  if old is null then
    return 0;
  end if;
  for link in
    select conrelid::regclass as name, attname as key from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = any(conkey) and attname <> 'team_id'
    where confrelid = purge_trash.name and contype = 'f' and confdeltype = 'a' order by conrelid
  loop
    execute format('update %1$s set %2$I = null where team_id = %3$L and %2$I = any(%4$L::text[])',
      link.name, link.key, team, old);
  end loop;
  if name = 'leads'::regclass then
    execute format('update files set used_at = null, created_at = ''epoch'' where team_id = %1$L and id in (
      select f.file_id from conversations as c
      join conversation_files as f on f.team_id = c.team_id and f.conversation_id = c.id
      where c.team_id = %1$L and c.lead_id = any(%2$L::text[]) and not exists (
        select from conversation_files as o join conversations as k on k.team_id = o.team_id and k.id = o.conversation_id
        where o.team_id = %1$L and o.file_id = f.file_id and (k.lead_id is null or k.lead_id <> all(%2$L::text[]))))',
      team, old);
  end if;
  execute format('delete from %s where team_id = %L and id = any(%L::text[])', name, team, old);
  get diagnostics purged = row_count;
  return purged;
end
$$;
