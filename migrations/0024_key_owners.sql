-- A key belongs to a person, and ends with their membership, or to a service that has a name.
alter table api_keys add column user_id text collate "C", add column service text;

update api_keys set user_id = created_by
where exists (select from memberships as m where m.team_id = api_keys.team_id and m.user_id = api_keys.created_by);
-- Whoever made these is no member any more: they should have ended then.
delete from api_keys where user_id is null and created_by is not null;
update api_keys set service = name where user_id is null;

alter table api_keys
  add constraint api_keys_owner check (num_nonnulls(user_id, service) = 1),
  add constraint api_keys_of_member foreign key (team_id, user_id) references memberships (team_id, user_id)
    on update cascade on delete cascade;
create index api_keys_of_person on api_keys (team_id, user_id) where user_id is not null;
