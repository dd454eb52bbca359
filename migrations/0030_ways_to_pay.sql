-- What a payer quotes: unlike a number, it is one invoice's in the whole installation. A creditor reference (ISO 11649).
create function pg_temp.creditor_reference() returns text language plpgsql as $$
declare
  body text := upper(substr(md5(gen_random_uuid()::text), 1, 12));
  digits text := '';
  letter text;
begin
  foreach letter in array regexp_split_to_array(body || 'RF00', '') loop
    digits := digits || case when letter ~ '[0-9]' then letter else (ascii(letter) - 55)::text end;
  end loop;
  return 'RF' || lpad((98 - mod(digits::numeric, 97))::text, 2, '0') || body;
end
$$;
alter table invoice_addresses add column reference text collate "C";
update invoice_addresses set reference = pg_temp.creditor_reference();
alter table invoice_addresses alter column reference set not null;
alter table invoice_addresses add constraint invoice_addresses_references unique (reference);

-- Where customers transfer money to, and the tax of a line that says none.
alter table billing_settings
  add column bank jsonb,
  add column tax_percent text not null default '0';
