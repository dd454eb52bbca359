-- How much of a rate limit a caller has used, in all processes together: each adds what it counted and reads the sum. Unlogged,
-- because a count is worth nothing after its minute: it costs no write to the log, and no wait for a standby. The caller is a keyed
-- hash, so that no addresses are stored. Free space in each page lets a row be updated in place.
create unlogged table rate_windows (
  caller text primary key,
  used integer not null,
  ends_at timestamptz not null
) with (fillfactor = 50);
grant select, insert, update, delete on rate_windows to rapport_app;
