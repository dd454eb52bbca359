import { workflowStatuses } from '#domains/workflows/values.ts'
import { StatusFilters } from '../../ui/status-filters.tsx'
import { workflowsSearch, type WorkflowsSearch } from '../../records/workflows/search.ts'
import { workflowWords } from '../../records/workflows/words.ts'

type Props = { search: WorkflowsSearch; show: (search: WorkflowsSearch) => void }

const statuses = workflowStatuses.map(value => ({ value, label: workflowWords[value].label }))

export function WorkflowFilters({ search, show }: Props) {
  const put = (change: Record<string, unknown>) => show(workflowsSearch({ ...search, ...change }))
  return <StatusFilters noun="workflows" search={search} put={put} statuses={statuses} />
}
