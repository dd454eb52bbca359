import { Select } from '@mantine/core'
import { useState } from 'react'
import { inboundStatuses, type InboundStatus } from '#domains/webhooks/values.ts'
import { valuesOf } from '../../ui/record-list/search.ts'
import { plural } from '../../ui/words.ts'
import { replayWindow } from './inbox-cache.ts'
import { inboxQuery, type Endpoint, type InboxSearch } from './search.ts'
import { TimeDialog } from './time-dialog.tsx'
import { endpointChoices, inboundWords } from './words.ts'

const UNDONE = 'undone'
const ALL = 'all'
/** Ignored events stay ignored. */
const known = inboundStatuses.filter(status => status !== 'ignored')
const statusChoices = [
  { value: UNDONE, label: 'Not processed' },
  { value: ALL, label: 'All events' },
  ...known.map(value => ({ value, label: `Only ${inboundWords[value].label.toLowerCase()}` })),
]

/** Replays events of a period, which defaults to the filters of the list. */
export function ReplayTime({ search, close }: { search: InboxSearch; close: () => void }) {
  const [endpoint, setEndpoint] = useState<string | null>(valuesOf(search, 'endpoint')[0] ?? null)
  const [status, setStatus] = useState<string>(
    valuesOf(search, 'status').find(each => each !== 'ignored') ?? UNDONE,
  )
  async function act(window: { from: string; until: string }) {
    const count = await replayWindow({
      ...window,
      ...(endpoint && { endpoint: [endpoint as Endpoint] }),
      ...(status === ALL && { status: known }),
      ...(status !== ALL && status !== UNDONE && { status: [status as InboundStatus] }),
    })
    return count === 0 ? 'No events match' : `Replaying ${plural(count, 'event')}`
  }
  return (
    <TimeDialog
      title="Replay events"
      about="Replays events received in this period. Effects already applied are not repeated."
      verb="Replay"
      initial={inboxQuery(search)}
      act={act}
      close={close}
    >
      <Select
        label="Endpoint"
        placeholder="Any"
        data={endpointChoices}
        value={endpoint}
        onChange={setEndpoint}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear endpoint' }}
      />
      <Select
        label="Events"
        data={statusChoices}
        value={status}
        allowDeselect={false}
        onChange={next => setStatus(next ?? UNDONE)}
      />
    </TimeDialog>
  )
}
