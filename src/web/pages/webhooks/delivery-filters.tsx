import { Button } from '@mantine/core'
import type { WebhookEndpoint } from '#domains/deliveries/contract.ts'
import { deliveryStatuses, type DeliveryStatus } from '#domains/deliveries/values.ts'
import { DayInput } from '../../ui/day-input.tsx'
import { Choice } from '../../ui/filter-fields.tsx'
import type { DeliveriesSearch } from './search.ts'
import { deliveryWords, endpointOptions } from './words.ts'
import filtersClasses from '../../ui/filters.module.css'

type Props = {
  search: DeliveriesSearch
  set: (next: DeliveriesSearch) => void
  reset: () => void
  isFiltered: boolean
  endpoints: WebhookEndpoint[]
}

export function DeliveryFilters({ search, set, reset, isFiltered, endpoints }: Props) {
  const { endpoint_id, status, from, until } = search
  const put = (change: { [K in keyof DeliveriesSearch]: DeliveriesSearch[K] | undefined }) => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined)
    set(Object.fromEntries(next) as DeliveriesSearch)
  }
  const isOther = endpoint_id && !endpoints.some(({ id }) => id === endpoint_id)
  return (
    <search className={`${filtersClasses.filters} ${filtersClasses.within}`} aria-label="Delivery filters">
      <Choice
        label="Endpoint"
        any="All endpoints"
        data={[
          ...(isOther ? [{ value: endpoint_id, label: 'Unknown endpoint' }] : []),
          ...endpointOptions(endpoints),
        ]}
        value={endpoint_id}
        set={value => put({ endpoint_id: value })}
      />
      <Choice
        label="Status"
        any="Any"
        data={statusChoices}
        value={status}
        set={value => put({ status: value as DeliveryStatus | undefined })}
      />
      <DayInput label="From" day={from} set={day => put({ from: day })} className={filtersClasses.day} />
      <DayInput label="Until" day={until} set={day => put({ until: day })} className={filtersClasses.day} />
      {isFiltered && (
        <Button size="xs" variant="subtle" color="gray" onClick={reset}>
          Clear
        </Button>
      )}
    </search>
  )
}

const statusChoices = deliveryStatuses.map(value => ({ value, label: deliveryWords[value].label }))
