-- A transcript that comes as a whole is one row: its lines as [speaker, text], a millisecond apart from `at` on. Lines that come
-- one by one, and tools, are rows of their own as before (docs/decisions/0041).
alter table call_lines add column lines jsonb;

-- A line is found by the provider's name for it, and lines are read call by call: a second index by their own ids served nothing.
-- The key is built anew while no line can be read or written: five to ten seconds for a million lines.
alter table call_lines drop constraint call_lines_pkey;
alter table call_lines drop constraint call_lines_team_id_call_id_ref_key;
alter table call_lines add primary key (team_id, call_id, ref);
