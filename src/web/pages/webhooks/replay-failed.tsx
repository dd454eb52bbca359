import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { valuesOf } from '../../ui/record-list/search.ts'
import { plural } from '../../ui/words.ts'
import { endpointsQuery, replayFailed } from './deliveries-cache.ts'
import { deliveriesQuery, type DeliveriesSearch } from './search.ts'
import { TimeDialog } from './time-dialog.tsx'
import { endpointOptions } from './words.ts'

/** Resends deliveries that failed in a period, which defaults to the filters of the list. */
export function ReplayFailed({ search, close }: { search: DeliveriesSearch; close: () => void }) {
  const endpoints = useQuery(endpointsQuery).data ?? []
  const [endpointId, setEndpointId] = useState<string | null>(valuesOf(search, 'endpoint_id')[0] ?? null)
  async function act(window: { from: string; until: string }) {
    const count = await replayFailed({ ...window, ...(endpointId && { endpoint_id: endpointId }) })
    return count === 0
      ? 'No failed deliveries in this period'
      : `Resending ${plural(count, 'delivery', 'deliveries')}`
  }
  return (
    <TimeDialog
      title="Resend failed deliveries"
      about="Resends all deliveries that failed in this period. Event IDs stay the same, so that receivers can detect duplicates."
      verb="Resend"
      initial={deliveriesQuery(search)}
      act={act}
      close={close}
    >
      <Select
        label="Endpoint"
        placeholder="All endpoints"
        data={endpointOptions(endpoints)}
        value={endpointId}
        onChange={setEndpointId}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear endpoint' }}
      />
    </TimeDialog>
  )
}
