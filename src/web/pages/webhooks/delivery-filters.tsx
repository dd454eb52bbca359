import type { WebhookEndpoint } from '#domains/deliveries/contract.ts'
import { deliveryStatuses } from '#domains/deliveries/values.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import { periodFilter, withChosen } from '../../ui/record-list/filters.ts'
import { valuesOf, type ListSearch } from '../../ui/record-list/search.ts'
import { deliveryWords, endpointOptions } from './words.ts'

type Props = {
  search: ListSearch
  set: (next: ListSearch) => void
  endpoints: WebhookEndpoint[]
}

export function DeliveryFilters({ search, set, endpoints }: Props) {
  const chosen = valuesOf(search, 'endpoint_id')
  const options = withChosen(endpointOptions(endpoints), chosen, () => 'Unknown endpoint')
  return (
    <ListBar
      label="Delivery filters"
      filters={[
        { kind: 'choice', name: 'endpoint_id', label: 'Endpoint', options },
        { kind: 'choice', name: 'status', label: 'Status', options: statuses },
        periodFilter('Created'),
      ]}
      search={search}
      set={set}
      inside
    />
  )
}

const statuses = deliveryStatuses.map(value => ({ value, label: deliveryWords[value].label }))
