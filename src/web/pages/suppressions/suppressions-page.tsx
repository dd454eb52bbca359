import { ActionIcon, Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconDots from 'icon:dots'
import IconDownload from 'icon:download'
import IconFileImport from 'icon:file-import'
import IconFilterOff from 'icon:filter-off'
import IconHistory from 'icon:history'
import IconMailOff from 'icon:mail-off'
import IconPlus from 'icon:plus'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { Suppression } from '#domains/suppressions/contract.ts'
import { suppressionChannels, suppressionReasons } from '#domains/suppressions/values.ts'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import { ButtonMenu } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import type { Filter } from '../../ui/record-list/filters.ts'
import { isFiltered, type ListSearch } from '../../ui/record-list/search.ts'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { toast } from '../../ui/toast.ts'
import { NoOutreach } from '../../records/sequences/no-outreach.tsx'
import { RowsWaiting, ShowOlder } from '../../ui/log-rows.tsx'
import { suppressionsSearch, type SuppressionsSearch } from './search.ts'
import { SuppressionRow } from './suppression-row.tsx'
import { exportAddress, liftSuppression, suppressionsQuery } from './suppressions-cache.ts'
import { channelWords, liftWords, reasonWords } from './words.ts'
import pageClasses from '../../ui/page.module.css'
import rowsClasses from '../../ui/rows.module.css'

const AddDialog = lazy(() => import('./add-dialog.tsx').then(({ AddDialog }) => ({ default: AddDialog })))
const ImportDialog = lazy(() =>
  import('./import-dialog.tsx').then(({ ImportDialog }) => ({ default: ImportDialog })),
)

const route = getRouteApi('/suppressions')

/** Suppressed addresses and numbers, and why. */
export function SuppressionsPage() {
  useTitle('Suppression list')
  return useCan('outreach:write') ? <Shown /> : <NoOutreach title="Suppression list" />
}

function Shown() {
  const raw = route.useSearch()
  const search = useMemo(() => suppressionsSearch(raw), [raw])
  const navigate = useNavigate()
  const [open, setOpen] = useState<'add' | 'import' | Suppression>()
  const query = useInfiniteQuery({ ...suppressionsQuery(search), placeholderData: keepPreviousData })
  const entries = query.data?.pages.flatMap(page => page.data)
  const { lifted, ...filters } = search
  const set = (next: SuppressionsSearch) =>
    void navigate({ to: paths.suppressions, search: next, replace: true })
  const filter = (next: ListSearch) => set({ ...next, ...(lifted && { lifted }) })
  const close = () => setOpen(undefined)
  const add = () => setOpen('add')
  useCommands([
    { id: 'add-suppression', group: 'This page', label: 'Add to suppression list', run: add },
    {
      id: 'import-suppressions',
      group: 'This page',
      label: 'Import suppression list',
      words: 'csv file upload',
      run: () => setOpen('import'),
    },
  ])
  return (
    <>
      <PageHead
        title="Suppression list"
        actions={
          <>
            <ButtonMenu
              button={
                <ActionIcon variant="default" aria-label="Import and export">
                  <IconDots size={16} />
                </ActionIcon>
              }
              items={[
                {
                  label: 'Import CSV',
                  icon: <IconFileImport size={16} />,
                  run: () => setOpen('import'),
                },
                { label: 'Export CSV', icon: <IconDownload size={16} />, file: exportAddress(search) },
              ]}
            />
            <Button leftSection={<IconPlus size={16} />} onClick={add}>
              Add
            </Button>
          </>
        }
      />
      <div className={pageClasses.scroll}>
        <ListBar
          label="Suppression list filters"
          searchLabel="Search email or phone"
          filters={filterList}
          search={filters}
          set={filter}
        >
          <Button
            size="xs"
            variant={lifted ? 'light' : 'subtle'}
            color="gray"
            aria-pressed={lifted === true}
            leftSection={<IconHistory size={14} />}
            onClick={() => set(lifted ? filters : { ...filters, lifted: true })}
          >
            Removed
          </Button>
        </ListBar>
        <div className={pageClasses.body}>
          {query.isError && !entries && <Fault error={query.error} retry={() => void query.refetch()} />}
          {query.isPending && <RowsWaiting label="Loading list" />}
          {entries?.length === 0 && (
            <Nothing
              lifted={lifted === true}
              reset={isFiltered(filters) ? () => filter({}) : undefined}
              add={add}
            />
          )}
          {entries && entries.length > 0 && (
            <ul
              className={rowsClasses.rows}
              aria-label={lifted ? 'Removed entries' : 'Suppression list'}
              aria-busy={query.isPlaceholderData}
            >
              {entries.map(entry => (
                <SuppressionRow key={entry.id} entry={entry} lift={() => setOpen(entry)} />
              ))}
            </ul>
          )}
          <ShowOlder query={query} />
        </div>
      </div>
      <Suspense fallback={null}>
        {open === 'add' && <AddDialog close={close} />}
        {open === 'import' && <ImportDialog close={close} />}
      </Suspense>
      {typeof open === 'object' && <Lift entry={open} close={close} />}
    </>
  )
}

const channels = suppressionChannels.map(value => ({ value, label: channelWords[value] }))
const reasons = suppressionReasons.map(value => ({ value, label: reasonWords[value].label }))
const filterList: Filter[] = [
  { kind: 'choice', name: 'channel', label: 'Channel', options: channels },
  { kind: 'choice', name: 'reason', label: 'Reason', options: reasons },
]

function Lift({ entry, close }: { entry: Suppression; close: () => void }) {
  async function lift() {
    await liftSuppression(entry.id)
    toast(`Removed ${entry.address} from the suppression list`)
  }
  return (
    <Confirm
      title={`Remove ${entry.address} from the suppression list?`}
      verb={`Remove ${entry.address}`}
      act={lift}
      close={close}
    >
      {liftWords(entry)}
    </Confirm>
  )
}

type NothingProps = { lifted: boolean; reset: (() => void) | undefined; add: () => void }

function Nothing({ lifted, reset, add }: NothingProps) {
  if (reset)
    return (
      <Empty
        icon={<IconFilterOff size={30} stroke={1.4} />}
        title="No entries match these filters"
        action={
          <Button variant="default" onClick={reset}>
            Clear filters
          </Button>
        }
      />
    )
  if (lifted) return <Empty title="No removed entries">Entries you remove are kept here as history.</Empty>
  return (
    <Empty
      icon={<IconMailOff size={30} stroke={1.4} />}
      title="No suppressions yet"
      action={<Button onClick={add}>Add email or phone</Button>}
    >
      Anyone who unsubscribes, complains, replies STOP or bounces permanently is added automatically and gets
      no more messages.
    </Empty>
  )
}
