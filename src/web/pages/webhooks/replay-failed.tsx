import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { instantsOf } from '../../ui/day.ts'
import { plural } from '../../ui/words.ts'
import { endpointsQuery, replayFailed } from './deliveries-cache.ts'
import type { DeliveriesSearch } from './search.ts'
import { TimeDialog } from './time-dialog.tsx'
import { endpointOptions } from './words.ts'

/** Sends again what failed in a time; it begins with what the list is filtered by. */
export function ReplayFailed({ search, close }: { search: DeliveriesSearch; close: () => void }) {
  const endpoints = useQuery(endpointsQuery).data ?? []
  const [endpointId, setEndpointId] = useState<string | null>(search.endpoint_id ?? null)
  async function act(window: { from: string; until: string }) {
    const count = await replayFailed({ ...window, ...(endpointId && { endpoint_id: endpointId }) })
    return count === 0
      ? 'Nothing failed in this time'
      : `${plural(count, 'delivery', 'deliveries')} will be sent again`
  }
  return (
    <TimeDialog
      title="Send failed ones again"
      about="What failed in this time is sent again, each under the id it had before: a receiver that has it already can tell."
      verb="Send again"
      initial={instantsOf(search.from, search.until)}
      act={act}
      close={close}
    >
      <Select
        label="To"
        placeholder="Every address"
        data={endpointOptions(endpoints)}
        value={endpointId}
        onChange={setEndpointId}
        clearable
        clearButtonProps={{ 'aria-label': 'Every address' }}
      />
    </TimeDialog>
  )
}
