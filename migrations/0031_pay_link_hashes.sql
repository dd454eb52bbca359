-- Whoever reads this table must not be able to open the pages of invoices: their links are derived from the server's key, and
-- only a hash of each link that was given out is kept, so that it works for as long as the invoice exists.
alter table invoice_addresses add column token_hash text collate "C";
update invoice_addresses set token_hash = encode(sha256(convert_to(token, 'UTF8')), 'hex');
alter table invoice_addresses alter column token_hash set not null, add unique (token_hash), drop column token;
