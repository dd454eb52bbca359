import { Button } from '@mantine/core'
import type { Step } from '#domains/sequences/contract.ts'
import { holds, outreachStatuses, stopReasons } from '#domains/enrolments/values.ts'
import { Choice } from '../../ui/filter-fields.tsx'
import { reachedValues, sequenceSearch, type SequenceSearch } from '../../records/sequences/search.ts'
import {
  holdWords,
  outreachWords,
  reachedWords,
  stepTitle,
  stopWords,
} from '../../records/sequences/words.ts'
import filtersClasses from '../../ui/filters.module.css'

type Props = { steps: readonly Step[]; search: SequenceSearch; show: (search: SequenceSearch) => void }

export function EnrolmentFilters({ steps, search, show }: Props) {
  // The URL's own rule also removes cleared values.
  const put = (change: Record<string, unknown>) => show(sequenceSearch({ ...search, ...change }))
  const { tab: _tab, enrolment: _enrolment, ...filters } = search
  return (
    <search className={filtersClasses.filters} aria-label="Lead filters">
      <Choice
        label="State"
        any="Any"
        data={[
          { value: 'true', label: 'Active' },
          { value: 'false', label: 'Ended' },
        ]}
        value={search.active === undefined ? undefined : String(search.active)}
        set={active => put({ active })}
      />
      <Choice
        label="Status"
        any="Any"
        data={outreachStatuses.map(value => ({ value, label: outreachWords[value].label }))}
        value={search.status}
        set={status => put({ status })}
      />
      <Choice
        label="Progress"
        any="Any"
        data={reachedValues.map(value => ({ value, label: reachedWords[value] }))}
        value={search.reached}
        set={reached => put({ reached })}
      />
      <Choice
        label="Next step"
        any="Any"
        data={steps.map((step, at) => ({ value: String(at), label: `${at + 1} ${stepTitle(step)}` }))}
        value={search.step_index === undefined ? undefined : String(search.step_index)}
        set={step_index => put({ step_index })}
      />
      <Choice
        label="Waiting reason"
        any="Any"
        data={[
          { value: 'any', label: 'Waiting for any reason' },
          ...holds.map(value => ({ value, label: holdWords[value] })),
        ]}
        value={search.held}
        set={held => put({ held })}
      />
      <Choice
        label="End reason"
        any="Any"
        data={stopReasons.map(value => ({ value, label: stopWords[value] }))}
        value={search.stop_reason}
        set={stop_reason => put({ stop_reason })}
      />
      {Object.keys(filters).length > 0 && (
        <Button size="xs" variant="subtle" color="gray" onClick={() => show({ tab: 'leads' })}>
          Clear filters
        </Button>
      )}
    </search>
  )
}
