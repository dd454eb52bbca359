import { sequenceStatuses } from '#domains/sequences/values.ts'
import { StatusFilters } from '../../ui/status-filters.tsx'
import { sequencesSearch, type SequencesSearch } from '../../records/sequences/search.ts'
import { sequenceWords } from '../../records/sequences/words.ts'

type Props = { search: SequencesSearch; show: (search: SequencesSearch) => void }

const statuses = sequenceStatuses.map(value => ({ value, label: sequenceWords[value].label }))

export function SequenceFilters({ search, show }: Props) {
  const put = (change: Record<string, unknown>) => show(sequencesSearch({ ...search, ...change }))
  return <StatusFilters noun="sequences" search={search} put={put} statuses={statuses} />
}
