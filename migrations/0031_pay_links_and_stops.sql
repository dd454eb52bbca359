-- Whoever reads this table must not be able to open the pages of invoices: their links are derived from the server's key, and
-- only a hash of each link that was given out is kept, so that it works for as long as the invoice exists.
alter table invoice_addresses add column token_hash text collate "C";
update invoice_addresses set token_hash = encode(sha256(convert_to(token, 'UTF8')), 'hex');
alter table invoice_addresses alter column token_hash set not null, add unique (token_hash), drop column token;

-- Everybody who ever sent a text message to this number: all of them use the installation's sender, so a STOP is meant for all.
create function teams_that_texted(recipient text) returns setof text
language sql stable security definer set search_path = public
begin atomic
  select teams.id from teams where exists (
    select from messages where messages.team_id = teams.id and messages.address_key = lower(recipient)
      and messages.channel = 'sms');
end;
grant create on schema public to rapport_search;
select make_internal('teams_that_texted(text)');
revoke create on schema public from rapport_search;
