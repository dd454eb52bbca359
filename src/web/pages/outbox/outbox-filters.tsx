import { useQuery } from '@tanstack/react-query'
import { holds } from '#domains/enrolments/values.ts'
import { messageChannels, messageOutcomes } from '#domains/messages/values.ts'
import { ALL_ACTIVE } from '../../records/enrolments/search.ts'
import { useSequenceName } from '../../records/enrolments/sequence-link.tsx'
import { channelWords, outcomeWords } from '../../records/enrolments/words.ts'
import { useLeadName } from '../../records/leads/lead-link.tsx'
import { sequenceChoicesQuery } from '../../records/sequences/sequences-cache.ts'
import { holdWords } from '../../records/sequences/words.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import type { Option } from '../../ui/picker.tsx'
import { withChosen, type Filter } from '../../ui/record-list/filters.ts'
import { without, valuesOf, type ListSearch } from '../../ui/record-list/search.ts'

type Props = {
  search: ListSearch
  set: (next: ListSearch) => void
  /** Whether held enrolments are listed too. */
  withHeld: boolean
}

export function OutboxFilters({ search, set, withHeld }: Props) {
  const sequences = useSequenceOptions(search)
  const lead = useLeadName(valuesOf(search, 'lead_id')[0] ?? null)
  const filters: Filter[] = [
    { kind: 'choice', name: 'channel', label: 'Channel', options: channels },
    { kind: 'choice', name: 'outcome', label: 'Engagement', options: outcomes },
    { kind: 'choice', name: 'source_id', label: 'Sequence', options: sequences, single: true },
    { kind: 'record', name: 'step_index', label: 'Step', nameOf: index => String(Number(index) + 1) },
    { kind: 'record', name: 'lead_id', label: 'Lead', nameOf: () => lead ?? '…' },
    { kind: 'record', name: 'enrolment_id', label: 'Enrolment', nameOf: () => 'chosen' },
  ]
  if (withHeld)
    filters.push({ kind: 'choice', name: 'held', label: 'Waiting reason', options: reasons, single: true })
  return (
    <ListBar
      label="Outbox filters"
      searchLabel="Search email or phone"
      filters={filters}
      search={search}
      // A step is of one sequence.
      set={next => set(next.source_id === search.source_id ? next : without(next, 'step_index'))}
    />
  )
}

const channels = messageChannels.map(value => ({ value, label: channelWords[value] }))
const outcomes = messageOutcomes.map(value => ({ value, label: outcomeWords[value] }))
const reasons = [
  { value: ALL_ACTIVE, label: 'Any or none' },
  ...holds.map(value => ({ value, label: holdWords[value] })),
]

/** The sequences, and a chosen one that is in the trash or not among the first. */
function useSequenceOptions(search: ListSearch): Option[] {
  const sequences = useQuery(sequenceChoicesQuery('')).data
  const known = sequences?.map(({ id, name }) => ({ value: id, label: name })) ?? []
  const chosen = valuesOf(search, 'source_id')
  const name = useSequenceName(chosen[0] ?? null)
  return withChosen(known, chosen, () => name ?? '…')
}
