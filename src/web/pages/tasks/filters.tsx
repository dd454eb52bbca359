import { useQuery } from '@tanstack/react-query'
import { useMembers, useUser } from '../../queries.ts'
import { useLeadName } from '../../records/leads/lead-link.tsx'
import { LeadPicker } from '../../records/leads/lead-picker.tsx'
import { ANYONE, NONE } from '../../records/tasks/search.ts'
import { projectNamesQuery } from '../../records/tasks/tasks-cache.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import { withChosen } from '../../ui/record-list/filters.ts'
import { valuesOf, type ListSearch } from '../../ui/record-list/search.ts'

type Props = { search: ListSearch; set: (next: ListSearch) => void }

/** Filters by assignee, project, lead and text. */
export function Filters({ search, set }: Props) {
  const me = useUser().id
  const others = useMembers().filter(({ id }) => id !== me)
  const projects = useQuery(projectNamesQuery).data
  const lead = useLeadName(valuesOf(search, 'lead_id')[0] ?? null)
  const assignees = [
    { value: me, label: 'Me' },
    { value: ANYONE, label: 'Anyone' },
    { value: NONE, label: 'Unassigned' },
    ...others.map(({ id, name, email }) => ({ value: id, label: name || email })),
  ]
  const known = [
    ...(projects ?? []).map(({ id, name }) => ({ value: id, label: name })),
    { value: NONE, label: 'No project' },
  ]
  return (
    <ListBar
      label="Task filters"
      searchLabel="Search tasks"
      filters={[
        {
          kind: 'choice',
          name: 'assignee_id',
          label: 'Assignee',
          options: withChosen(assignees, valuesOf(search, 'assignee_id'), () => 'Former member'),
          single: true,
          usual: me,
        },
        {
          kind: 'choice',
          name: 'project_id',
          label: 'Project',
          options: withChosen(known, valuesOf(search, 'project_id'), () => (projects ? 'chosen' : '…')),
          single: true,
        },
        { kind: 'record', name: 'lead_id', label: 'Lead', nameOf: () => lead ?? '…', picker: LeadPicker },
      ]}
      search={search}
      set={set}
    />
  )
}
