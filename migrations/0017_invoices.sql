-- How a team bills: who it is on paper, its currency, and the number of its next invoice.
create table billing_settings (
  team_id text collate "C" primary key check (team_id ~ '^[0-9a-f]{24}$'),
  seller jsonb not null,
  currency text collate "C" not null,
  number_prefix text not null,
  next_number integer not null check (next_number > 0),
  -- Days until an invoice is due, and after that day the days on which its reader is reminded.
  due_days integer not null,
  reminder_days jsonb not null,
  note text,
  updated_at timestamptz(3) not null
);
select make_tenant_table('billing_settings');

create table invoices (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  -- Given when it is opened, without gaps.
  number text collate "C",
  status text collate "C" not null check (status in ('DRAFT', 'OPEN', 'PARTIALLY_PAID', 'PAID', 'VOID')),
  lead_id text collate "C",
  account_id text collate "C",
  opportunity_id text collate "C",
  customer jsonb not null,
  seller jsonb,
  lines jsonb not null,
  currency text collate "C" not null,
  subtotal numeric not null,
  tax numeric not null,
  amount numeric not null check (amount >= 0),
  -- What of the payments counts towards the amount, and what was forgiven.
  paid numeric not null default 0 check (paid >= 0),
  written_off numeric not null default 0 check (written_off >= 0),
  due_at timestamptz(3),
  issued_at timestamptz(3),
  paid_at timestamptz(3),
  voided_at timestamptz(3),
  sent_at timestamptz(3),
  reminders_sent integer not null default 0,
  leadgen_credits integer not null default 0 check (leadgen_credits >= 0),
  bank_ref text,
  note text,
  -- Who asked for it, where that was no person: one key, one invoice.
  source_key text collate "C",
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  -- INV-9999 comes before INV-10000.
  number_key text collate "C" not null generated always as (
    coalesce(rtrim(number, '0123456789') || lpad(coalesce(substring(number from '[0-9]+$'), ''), 30, '0'), '')
  ) stored,
  due_key timestamptz(3) not null generated always as (coalesce(due_at, '9999-12-31 00:00:00+00'::timestamptz)) stored,
  search_text text collate "C" not null generated always as (
    lower(' ' || coalesce(number, '') || ' ' || coalesce(customer->>'name', '') || ' ' || coalesce(customer->>'email', ''))
  ) stored,
  primary key (team_id, id),
  foreign key (team_id, lead_id) references leads on delete set null (lead_id),
  foreign key (team_id, account_id) references accounts on delete set null (account_id),
  foreign key (team_id, opportunity_id) references opportunities on delete set null (opportunity_id)
);
create unique index invoices_numbers on invoices (team_id, number) where number is not null;
create unique index invoices_by_source on invoices (team_id, source_key) where source_key is not null;
create index invoices_by_creation on invoices (team_id, created_at, id) where deleted_at is null;
create index invoices_by_change on invoices (team_id, updated_at, id) where deleted_at is null;
create index invoices_by_number on invoices (team_id, number_key, id) where deleted_at is null;
create index invoices_by_due on invoices (team_id, due_key, id) where deleted_at is null;
create index invoices_by_amount on invoices (team_id, amount, id) where deleted_at is null;
create index invoices_of_lead on invoices (team_id, lead_id) where lead_id is not null;
create index invoices_of_account on invoices (team_id, account_id) where account_id is not null;
create index invoices_of_opportunity on invoices (team_id, opportunity_id) where opportunity_id is not null;
-- The few of which something is still to come, among any number that are paid.
create index invoices_unpaid on invoices (team_id, due_key, id)
  where status in ('DRAFT', 'OPEN', 'PARTIALLY_PAID') and deleted_at is null;
create index invoices_in_trash on invoices (team_id, deleted_at, id) where deleted_at is not null;
select make_tenant_table('invoices');
grant create on schema public to rapport_search;
select make_searchable('invoices');
revoke create on schema public from rapport_search;

-- Where who pays comes from: neither a link nor a provider's event says anything of a team. One of the node's own tables.
create table invoice_addresses (
  invoice_id text collate "C" primary key,
  team_id text collate "C" not null,
  number text collate "C" not null,
  token text collate "C" not null unique
);
create index invoice_addresses_by_number on invoice_addresses (number);
grant select, insert, update, delete on invoice_addresses to rapport_app;

create table invoice_payments (
  team_id text collate "C" not null check (team_id ~ '^[0-9a-f]{24}$'),
  id text collate "C" not null check (id ~ '^[0-9a-f]{24}$'),
  invoice_id text collate "C" not null,
  method text collate "C" not null check (method in ('provider', 'chain', 'manual', 'credit')),
  -- The same payment told twice is one: its transaction, or the event of the provider.
  reference text collate "C" not null,
  amount numeric not null check (amount > 0),
  currency text collate "C" not null,
  -- What of it counts towards the invoice.
  applied numeric not null check (applied >= 0),
  network text,
  tx_hash text collate "C",
  payer text,
  -- The names of the provider's events that told of it: by each of them it is told once.
  told_by jsonb not null default '[]',
  -- What is not as it should be, and what a person decided about it.
  issue text collate "C" check (issue in ('underpaid', 'overpaid', 'late', 'void', 'wrong_currency', 'reorged')),
  resolution text collate "C" check (resolution in ('accepted', 'refunded', 'credited')),
  resolution_note text,
  resolved_by text collate "C",
  resolved_at timestamptz(3),
  note text,
  received_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (team_id, id),
  foreign key (team_id, invoice_id) references invoices on delete cascade
);
create unique index invoice_payments_once on invoice_payments (team_id, invoice_id, reference);
create index invoice_payments_of_invoice on invoice_payments (team_id, invoice_id, received_at, id);
create index invoice_payments_by_time on invoice_payments (team_id, received_at);
create index invoice_payments_of_transaction on invoice_payments (team_id, tx_hash) where tx_hash is not null;
create index invoice_payments_open on invoice_payments (team_id, created_at, id) where issue is not null and resolution is null;
select make_tenant_table('invoice_payments');

-- An invoice is mailed as a file, in the name of who sells: answers go there.
alter table mails
  add column from_name text,
  add column reply_to text,
  add column attachments jsonb;
