import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconFileImport from 'icon:file-import'
import IconPlus from 'icon:plus'
import IconUserPlus from 'icon:user-plus'
import type { Lead } from '#domains/leads/contract.ts'
import { BULK_IDS_MAX } from '#domains/leads/values.ts'
import { paths } from '../../paths.ts'
import { useCan, useUser } from '../../queries.ts'
import { leadList } from '../../records/leads/cache.ts'
import { useCommands } from '../../ui/commands.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { NARROW } from '../../ui/narrow.ts'
import { opened } from '../../ui/opened.ts'
import { RecordList } from '../../ui/record-list/record-list.tsx'
import type { ListSearch } from '../../ui/record-list/search.ts'
import type { Bulk } from '../../ui/record-list/selection.ts'
import { Empty } from '../../ui/states.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { BulkProgress } from './bulk-progress.tsx'
import { useLeadKind } from './use-lead-kind.tsx'

const route = getRouteApi('/leads')

export function LeadsPage() {
  const search = route.useSearch()
  const navigate = useNavigate()
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const canWrite = useCan('leads:write')
  const canEnrol = useCan('outreach:write')
  const kind = useLeadKind(search)
  const show = (next: ListSearch, replace = false) =>
    void navigate({ to: paths.leads, search: next, replace })
  const make = () => opened.set('new-lead')
  useOwnerCommands(search, show)
  return (
    <RecordList
      kind={kind}
      source={leadList}
      search={search}
      show={show}
      summary={<BulkProgress />}
      bulk={canWrite || canEnrol ? bulkOf(search.trashed === true) : undefined}
      action={
        canWrite && (
          <>
            {!narrow && (
              <LinkButton variant="default" to={paths.imports}>
                Import
              </LinkButton>
            )}
            <Button leftSection={<IconPlus size={16} />} onClick={make}>
              New lead
            </Button>
          </>
        )
      }
      more={
        canWrite
          ? [
              {
                label: 'Import leads',
                icon: <IconFileImport size={16} />,
                run: () => void navigate({ to: paths.imports }),
              },
            ]
          : []
      }
      none={
        <Empty
          icon={<IconUserPlus size={32} stroke={1.4} />}
          title="No leads yet"
          action={canWrite && <Button onClick={make}>Create the first lead</Button>}
        >
          A lead is a person or company that may become a customer. Its timeline shows everything that
          happens.
        </Empty>
      }
    />
  )
}

function bulkOf(trashed: boolean): Bulk<Lead> {
  return {
    max: BULK_IDS_MAX,
    takesEverything: true,
    inTrash: true,
    bar: (selection, list) => <BulkBar selection={selection} list={list} trashed={trashed} />,
  }
}

function useOwnerCommands(search: ListSearch, show: (next: ListSearch) => void): void {
  const user = useUser()
  useCommands([
    {
      id: 'my-leads',
      group: 'This page',
      label: 'Show only my leads',
      words: 'filter owner mine',
      run: () => show({ ...search, owner_id: [user.id] }),
    },
    {
      id: 'unowned-leads',
      group: 'This page',
      label: 'Show unassigned leads',
      words: 'filter nobody without owner',
      run: () => show({ ...search, owner_id: ['none'] }),
    },
  ])
}
