-- A sign-in link that was asked for on the sign-in page and mailed: when, and where its owner wanted to go.
alter table signin_links add column mailed_at timestamptz(3), add column return_to text;
create index signin_links_mailed on signin_links (user_id, mailed_at) where mailed_at is not null;
