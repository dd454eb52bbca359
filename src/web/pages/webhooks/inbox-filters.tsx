import { Button } from '@mantine/core'
import {
  acceptedTypes,
  EVENT_ID_LENGTH_MAX,
  inboundStatuses,
  type InboundStatus,
} from '#domains/webhooks/values.ts'
import { DayInput } from '../../ui/day-input.tsx'
import { Choice, Words } from '../../ui/filter-fields.tsx'
import { inboundEndpoints, type Endpoint, type InboxSearch } from './search.ts'
import { endpointChoices, endpointNames, inboundWords } from './words.ts'
import filtersClasses from '../../ui/filters.module.css'

type Props = { search: InboxSearch; set: (next: InboxSearch) => void; reset: () => void; isFiltered: boolean }

export function InboxFilters({ search, set, reset, isFiltered }: Props) {
  const { endpoint, type, status, event_id, from, until } = search
  const put = (change: { [K in keyof InboxSearch]: InboxSearch[K] | undefined }) => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined)
    set(Object.fromEntries(next) as InboxSearch)
  }
  return (
    <search className={filtersClasses.filters} aria-label="Inbox filters">
      <Choice
        label="Endpoint"
        any="Any"
        data={endpointChoices}
        value={endpoint}
        set={value => put({ endpoint: value as Endpoint | undefined })}
      />
      <Choice
        label="Type"
        any="Any"
        data={typeChoices(type)}
        value={type}
        set={value => put({ type: value })}
      />
      <Choice
        label="Status"
        any="Any"
        data={statusChoices}
        value={status}
        set={value => put({ status: value as InboundStatus | undefined })}
      />
      <Words
        label="Event ID"
        placeholder="Exact ID"
        value={event_id}
        maxLength={EVENT_ID_LENGTH_MAX}
        set={value => put({ event_id: value })}
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

const statusChoices = inboundStatuses.map(value => ({ value, label: inboundWords[value].label }))

/** The supported types, and an unsupported one if the URL filters by it. */
function typeChoices(chosen: string | undefined) {
  const known = inboundEndpoints.map(endpoint => ({
    group: endpointNames[endpoint],
    items: acceptedTypes[endpoint].map(type => ({ value: type, label: type })),
  }))
  const isKnown = !chosen || known.some(({ items }) => items.some(({ value }) => value === chosen))
  return isKnown ? known : [{ group: 'Selected', items: [{ value: chosen, label: chosen }] }, ...known]
}
