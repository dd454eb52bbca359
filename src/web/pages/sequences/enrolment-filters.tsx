import type { Step } from '#domains/sequences/contract.ts'
import { holds, outreachStatuses, stopReasons } from '#domains/enrolments/values.ts'
import { ANY_HOLD, reachedValues } from '../../records/sequences/search.ts'
import {
  holdWords,
  outreachWords,
  reachedWords,
  stepTitle,
  stopWords,
} from '../../records/sequences/words.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import type { ListSearch } from '../../ui/record-list/search.ts'

type Props = { steps: readonly Step[]; search: ListSearch; set: (next: ListSearch) => void }

export function EnrolmentFilters({ steps, search, set }: Props) {
  const next = steps.map((step, at) => ({ value: String(at), label: `${at + 1} ${stepTitle(step)}` }))
  return (
    <ListBar
      label="Lead filters"
      filters={[
        { kind: 'choice', name: 'active', label: 'State', options: states, single: true },
        { kind: 'choice', name: 'status', label: 'Status', options: statuses },
        { kind: 'choice', name: 'reached', label: 'Progress', options: progress },
        { kind: 'choice', name: 'step_index', label: 'Next step', options: next, single: true },
        { kind: 'choice', name: 'held', label: 'Waiting reason', options: waiting, single: true },
        { kind: 'choice', name: 'stop_reason', label: 'End reason', options: endings },
      ]}
      search={search}
      set={set}
    />
  )
}

const states = [
  { value: 'true', label: 'Active' },
  { value: 'false', label: 'Ended' },
]
const statuses = outreachStatuses.map(value => ({ value, label: outreachWords[value].label }))
const progress = reachedValues.map(value => ({ value, label: reachedWords[value] }))
const waiting = [
  { value: ANY_HOLD, label: 'Any reason' },
  ...holds.map(value => ({ value, label: holdWords[value] })),
]
const endings = stopReasons.map(value => ({ value, label: stopWords[value] }))
