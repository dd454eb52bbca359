import { acceptedTypes, inboundStatuses } from '#domains/webhooks/values.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import { periodFilter, withChosen } from '../../ui/record-list/filters.ts'
import { valuesOf, type ListSearch } from '../../ui/record-list/search.ts'
import { inboundEndpoints } from './search.ts'
import { endpointChoices, endpointNames, inboundWords } from './words.ts'

type Props = { search: ListSearch; set: (next: ListSearch) => void }

export function InboxFilters({ search, set }: Props) {
  // A provider may also send types that are not supported.
  const types = withChosen(supported, valuesOf(search, 'type'), type => type)
  return (
    <ListBar
      label="Inbox filters"
      filters={[
        { kind: 'choice', name: 'endpoint', label: 'Endpoint', options: endpointChoices },
        { kind: 'choice', name: 'type', label: 'Type', options: types },
        { kind: 'choice', name: 'status', label: 'Status', options: statuses },
        { kind: 'words', name: 'event_id', label: 'Event ID', single: true },
        periodFilter('Received'),
      ]}
      search={search}
      set={set}
    />
  )
}

const statuses = inboundStatuses.map(value => ({ value, label: inboundWords[value].label }))
const supported = inboundEndpoints.flatMap(endpoint =>
  acceptedTypes[endpoint].map(type => ({ value: type, label: type, group: endpointNames[endpoint] })),
)
