-- Whether people become leads when they write for the first time: to the mailbox of the installation, by text message or by WhatsApp.
-- Mailboxes that the team has connected say it themselves.
alter table conversation_settings add column creates_leads boolean not null default false;
