-- Conversations by WhatsApp (docs/decisions/0047).
alter table messages
  drop constraint messages_channel_check,
  add constraint messages_channel_check check (channel in ('email', 'sms', 'whatsapp')),
  -- Since when WhatsApp has it and has not said whether it is sent: until then it is SENDING.
  add column accepted_at timestamptz(3);

-- As before (migration 0047), by WhatsApp as well: the number is the installation's there too.
grant create on schema public to rapport_search;
drop function teams_that_texted(text);
create function teams_that_texted(recipient text) returns setof text
language plpgsql stable security definer set search_path = public as $$
begin
  recipient := lower(recipient);
  return query select distinct team_id from messages where address_key = recipient and channel in ('sms', 'whatsapp');
end
$$;
select make_internal('teams_that_texted(text)');
revoke create on schema public from rapport_search;

-- When and from where somebody wrote last by WhatsApp: free text may be sent for 24 hours.
create index conversation_entries_of_whatsapp on conversation_entries (team_id, conversation_id, at, id)
  where channel = 'whatsapp' and direction = 'in';

-- The templates that may be sent at any time: approved by WhatsApp, and synced from there or entered.
create table whatsapp_templates (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  name text collate "C" not null,
  language text collate "C" not null,
  category text collate "C" not null,
  header text,
  body text not null,
  footer text,
  source text collate "C" not null check (source in ('synced', 'entered')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (team_id, id)
);
create unique index whatsapp_templates_by_name on whatsapp_templates (team_id, name, language);
create index whatsapp_templates_in_order on whatsapp_templates (team_id, created_at, id);
select make_tenant_table('whatsapp_templates', 'select, insert, update, delete');

-- Which template a message of ours is, and its values. What its reader sees is in messages.
create table conversation_template_uses (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  message_id text collate "C" not null,
  conversation_id text collate "C" not null,
  name text collate "C" not null,
  language text collate "C" not null,
  parameters jsonb not null,
  primary key (team_id, message_id),
  foreign key (team_id, conversation_id) references conversations on delete cascade
);
create index conversation_template_uses_of_conversation on conversation_template_uses (team_id, conversation_id);
select make_tenant_table('conversation_template_uses');
