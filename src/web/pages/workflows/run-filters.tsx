import { runStatuses } from '#domains/workflows/values.ts'
import { useLeadName } from '../../records/leads/lead-link.tsx'
import { LeadPicker } from '../../records/leads/lead-picker.tsx'
import { runWords } from '../../records/workflows/words.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import { periodFilter, withChosen } from '../../ui/record-list/filters.ts'
import { valuesOf, type ListSearch } from '../../ui/record-list/search.ts'

/** Older versions can only be chosen by URL. */
const VERSIONS_SHOWN = 100

type Props = { versions: number; search: ListSearch; set: (next: ListSearch) => void }

export function RunFilters({ versions, search, set }: Props) {
  const lead = useLeadName(valuesOf(search, 'lead')[0] ?? null)
  const newest = Array.from({ length: Math.min(versions, VERSIONS_SHOWN) }, (_, at) => {
    const value = String(versions - at)
    return { value, label: value }
  })
  return (
    <ListBar
      label="Run filters"
      filters={[
        { kind: 'choice', name: 'status', label: 'Status', options: statuses },
        {
          kind: 'choice',
          name: 'version',
          label: 'Version',
          options: withChosen(newest, valuesOf(search, 'version'), value => value),
          single: true,
        },
        { kind: 'record', name: 'lead', label: 'Lead', nameOf: () => lead ?? '…', picker: LeadPicker },
        periodFilter('Started'),
      ]}
      search={search}
      set={set}
    />
  )
}

const statuses = runStatuses.map(value => ({ value, label: runWords[value].label }))
