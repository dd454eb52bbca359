import { Button } from '@mantine/core'
import IconFilterOff from 'icon:filter-off'
import IconTrash from 'icon:trash'
import IconUserPlus from 'icon:user-plus'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { opened } from '../../ui/opened.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { Empty } from '../../ui/states.tsx'
import { clearedFilters, isFiltered, type LeadsSearch } from '../../records/leads/search.ts'

export function NothingHere({ search }: { search: LeadsSearch }) {
  const canWrite = useCan('leads:write')
  if (isFiltered(search)) {
    return (
      <Empty
        icon={<IconFilterOff size={32} stroke={1.4} />}
        title="No leads match these filters"
        action={
          <LinkButton variant="default" to={paths.leads} search={clearedFilters(search)}>
            Clear filters
          </LinkButton>
        }
      >
        Try fewer filters or a different search.
      </Empty>
    )
  }
  if (search.trashed) {
    return (
      <Empty icon={<IconTrash size={32} stroke={1.4} />} title="The trash is empty">
        Deleted leads stay here for 30 days and can be restored.
      </Empty>
    )
  }
  return (
    <Empty
      icon={<IconUserPlus size={32} stroke={1.4} />}
      title="No leads yet"
      action={canWrite && <Button onClick={() => opened.set('new-lead')}>Create the first lead</Button>}
    >
      A lead is a person or company that may become a customer. Its timeline shows everything that happens.
    </Empty>
  )
}
