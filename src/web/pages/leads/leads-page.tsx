import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import IconPlus from 'icon:plus'
import { useEffect, useRef } from 'react'
import { paths } from '../../paths.ts'
import { useCan, useViews } from '../../queries.ts'
import { useKeys } from '../../ui/keys.ts'
import { opened } from '../../ui/opened.ts'
import { NARROW } from '../../ui/narrow.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { BulkProgress } from './bulk-progress.tsx'
import { listQuery } from '../../records/leads/cache.ts'
import { Cards } from './cards.tsx'
import { useFields } from '../../records/leads/choices.tsx'
import { useColumns } from './columns.ts'
import { FilterBar } from './filter-bar.tsx'
import { Grid } from './grid.tsx'
import { LeadMenu } from './lead-menu.tsx'
import { ListSkeleton } from './list-skeleton.tsx'
import { NothingHere } from './nothing-here.tsx'
import { filterText } from '../../records/leads/search.ts'
import { clearSelection } from '../../records/leads/selection.ts'
import { ViewBar } from './view-bar.tsx'
import { useLeadCommands } from './use-lead-commands.ts'

const route = getRouteApi('/leads')

export function LeadsPage() {
  const search = route.useSearch()
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const canWrite = useCan('leads:write')
  const view = useViews('leads').find(each => each.id === search.view)
  const { columns, shown, changed } = useColumns(useFields(), view)
  const list = useQuery({ ...listQuery(search), placeholderData: keepPreviousData })
  const searchField = useRef<HTMLInputElement>(null)
  const text = filterText(search)
  const name = search.trashed && !view ? 'Trash' : (view?.name ?? 'Leads')

  useTitle(name)
  useLeadCommands(search)
  useEffect(() => clearSelection, [text])
  useKeys({
    '/': () => searchField.current?.focus(),
    ArrowDown: () => document.querySelector<HTMLElement>('[role="grid"]')?.focus(),
  })

  return (
    <>
      <PageHead
        title={name}
        beside={<ViewBar search={search} view={view} columns={columns} columnsChanged={changed} />}
        actions={
          <>
            <LeadMenu search={search} columns={shown} />
            {canWrite && !narrow && (
              <LinkButton variant="default" to={paths.imports}>
                Import
              </LinkButton>
            )}
            {canWrite && (
              <Button leftSection={<IconPlus size={16} />} onClick={() => opened.set('new-lead')}>
                New lead
              </Button>
            )}
          </>
        }
      />
      <FilterBar
        search={search}
        list={list.data}
        columns={columns}
        view={view}
        searchField={searchField}
        narrow={narrow}
      />
      <BulkProgress />
      {list.isError && !list.data ? (
        <Fault error={list.error} retry={() => void list.refetch()} />
      ) : !list.data ? (
        <ListSkeleton narrow={narrow} shown={shown} />
      ) : list.data.count === 0 ? (
        <NothingHere search={search} />
      ) : narrow ? (
        <Cards list={list.data} search={search} stale={list.isPlaceholderData} />
      ) : (
        <Grid
          list={list.data}
          search={search}
          columns={columns}
          shown={shown}
          view={view}
          stale={list.isPlaceholderData}
        />
      )}
      <BulkBar search={search} list={list.data} />
    </>
  )
}
