import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import IconDownload from 'icon:download'
import IconFilterOff from 'icon:filter-off'
import { useMemo } from 'react'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { cacheKeys, useIsAtLeast } from '../../queries.ts'
import { stringifySearch } from '../../search-text.ts'
import { useCommands } from '../../ui/commands.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import type { ListSearch } from '../../ui/record-list/search.ts'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { OnlyAdmins } from '../../ui/only-admins.tsx'
import { Entries } from './entries.tsx'
import { Filters } from './filters.tsx'
import { auditQuery, auditSearch } from './search.ts'
import pageClasses from '../../ui/page.module.css'
import classes from './audit.module.css'

const PAGE_SIZE = 50
const EXPORT_PATH = '/api/team/audit/export'

export function AuditPage() {
  useTitle('Audit log')
  return useIsAtLeast('ADMIN') ? <Audit /> : <OnlyAdmins title="Audit log" />
}

function Audit() {
  const navigate = useNavigate()
  const raw: Record<string, unknown> = useSearch({ strict: false })
  const search = useMemo(() => auditSearch(raw), [raw])
  const filters = auditQuery(search)
  const query = useInfiniteQuery({
    queryKey: [...cacheKeys.audit, filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/team/audit', {
        query: { ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
    // The log must always be current.
    staleTime: 0,
  })
  const entries = query.data?.pages.flatMap(page => page.data) ?? []
  const set = (next: ListSearch) => void navigate({ to: paths.audit, search: next, replace: true })
  const exportAddress = EXPORT_PATH + stringifySearch(filters)
  useCommands([
    {
      id: 'export-audit',
      group: 'This page',
      label: 'Export audit log',
      words: 'csv download',
      run: () => location.assign(exportAddress),
    },
    {
      id: 'reset-audit',
      group: 'This page',
      label: 'Clear filters',
      words: 'reset',
      run: () => set({}),
    },
  ])

  return (
    <>
      <PageHead
        title="Audit log"
        actions={
          <Button
            component="a"
            variant="default"
            href={exportAddress}
            download
            leftSection={<IconDownload size={16} />}
          >
            Export CSV
          </Button>
        }
      />
      <Filters search={search} set={set} first={entries[0]} />
      <div className={pageClasses.scroll}>
        <div className={pageClasses.body}>
          {query.isError && entries.length === 0 && (
            <Fault error={query.error} retry={() => void query.refetch()} />
          )}
          {query.isPending && <Waiting />}
          {query.isSuccess && entries.length === 0 && (
            <Empty
              icon={<IconFilterOff size={30} stroke={1.4} />}
              title="No matches"
              action={
                <Button variant="default" onClick={() => set({})}>
                  Clear filters
                </Button>
              }
            >
              No events match these filters.
            </Empty>
          )}
          <Entries entries={entries} />
          {query.hasNextPage && (
            <div className={pageClasses.more}>
              <MoreButton list={query} label="Show older" />
            </div>
          )}
        </div>
      </div>
    </>
  )
}

function Waiting() {
  return (
    <div role="status" aria-busy aria-label="Loading audit log" className={classes.waiting}>
      {[64, 48, 72, 56, 60, 44].map(width => (
        <Bar key={width} width={`${width}%`} height={14} />
      ))}
    </div>
  )
}
