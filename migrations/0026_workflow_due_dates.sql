-- The delay of create_task and schedule_call used to be the due date. It is now waited for, like that of every other action, and
-- the due date is a field of its own: definitions that are there already say `due` for what they meant.
create function pg_temp.with_due(part jsonb) returns jsonb
language plpgsql as $$
begin
  if jsonb_typeof(part) = 'array' then
    return (select coalesce(jsonb_agg(pg_temp.with_due(entry) order by at), '[]')
      from jsonb_array_elements(part) with ordinality as entries (entry, at));
  end if;
  if jsonb_typeof(part) <> 'object' then
    return part;
  end if;
  if part ->> 'type' = 'action' and part ->> 'action' in ('create_task', 'schedule_call') and part ? 'delay' then
    part := (part - 'delay') || jsonb_build_object('due', part -> 'delay');
  end if;
  return (select coalesce(jsonb_object_agg(key, pg_temp.with_due(value)), '{}') from jsonb_each(part));
end
$$;

-- Who a task is for when the lead has no owner: the person who made the workflow.
alter table workflows add column author_id text collate "C";
-- What searches returns whole rows as they were when it was made: it is made again for those that there are now.
drop function search_workflows(text, text[], boolean, integer);
drop function quick_workflows(text[], integer);
drop policy search on workflows;
drop index workflows_search;
grant create on schema public to rapport_search;
select make_searchable('workflows');
revoke create on schema public from rapport_search;

-- For that moment their owner sees the rows of every team.
alter table workflows no force row level security;
alter table workflow_versions no force row level security;
alter table automation_listeners no force row level security;
alter table events no force row level security;

update workflows set nodes = pg_temp.with_due(nodes)
where nodes::text like '%"create_task"%' or nodes::text like '%"schedule_call"%';
update workflows set draft = jsonb_set(draft, '{nodes}', pg_temp.with_due(draft -> 'nodes'))
where draft::text like '%"create_task"%' or draft::text like '%"schedule_call"%';
update workflow_versions set definition = jsonb_set(definition, '{nodes}', pg_temp.with_due(definition -> 'nodes'))
where definition::text like '%"create_task"%' or definition::text like '%"schedule_call"%';

-- The event of a form is ours, however it is written.
update workflows set trigger = 'form.submitted', hears = 'form.submitted' where trigger = 'webhook:form.submitted';
update workflows set draft = jsonb_set(draft, '{trigger}', '"form.submitted"')
where draft ->> 'trigger' = 'webhook:form.submitted';
update workflow_versions set definition = jsonb_set(definition, '{trigger}', '"form.submitted"')
where definition ->> 'trigger' = 'webhook:form.submitted';
delete from automation_listeners where type = 'webhook:form.submitted';
insert into automation_listeners (team_id, type)
select distinct team_id, 'form.submitted' from workflows
where hears = 'form.submitted' and status = 'ACTIVE' and deleted_at is null on conflict do nothing;

update workflows set author_id = coalesce(keys.user_id, case when events.actor_kind = 'person' then events.actor_id end)
from events left join api_keys as keys
  on keys.team_id = events.team_id and keys.id = events.actor_id and events.actor_kind = 'key'
where events.team_id = workflows.team_id and events.type = 'workflow.created' and events.subject_id = workflows.id;

alter table workflows force row level security;
alter table workflow_versions force row level security;
alter table automation_listeners force row level security;
alter table events force row level security;
drop function pg_temp.with_due(jsonb);
