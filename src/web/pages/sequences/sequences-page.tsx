import { ActionIcon, Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconPlayerPause from 'icon:player-pause'
import IconPlus from 'icon:plus'
import IconSend from 'icon:send'
import { lazy, Suspense, useMemo, useState } from 'react'
import { sequenceStatuses } from '#domains/sequences/values.ts'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { useAsked } from '../../shell/asked.ts'
import { useCommands } from '../../ui/commands.ts'
import { close } from '../../ui/opened.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import { Listing, SortAndTrash } from '../../ui/list-page.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import type { Filter } from '../../ui/record-list/filters.ts'
import { isFiltered, type ListSearch } from '../../ui/record-list/search.ts'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { Empty } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { NoOutreach } from '../../records/sequences/no-outreach.tsx'
import { PausedBanner } from '../../records/sequences/paused-banner.tsx'
import { sequencesSearch } from '../../records/sequences/search.ts'
import { sequenceWords } from '../../records/sequences/words.ts'
import { SequenceList } from './sequence-list.tsx'
import { pauseOutreach } from '../../records/sequences/sequence-writes.ts'
import { outreachSettingsQuery, sequenceListQuery } from '../../records/sequences/sequences-cache.ts'

const NewSequence = lazy(() =>
  import('./new-sequence.tsx').then(({ NewSequence }) => ({ default: NewSequence })),
)

const route = getRouteApi('/sequences')

const statuses = sequenceStatuses.map(value => ({ value, label: sequenceWords[value].label }))
const filters: Filter[] = [{ kind: 'choice', name: 'status', label: 'Status', options: statuses }]

export function SequencesPage() {
  const raw = route.useSearch()
  const search = useMemo(() => sequencesSearch(raw), [raw])
  const title = search.trashed ? 'Sequences in trash' : 'Sequences'
  useTitle(title)
  if (!useCan('outreach:write')) return <NoOutreach title="Sequences" />
  return <Shown search={search} title={title} />
}

function Shown({ search, title }: { search: ListSearch; title: string }) {
  const navigate = useNavigate()
  const [pausing, setPausing] = useState(false)
  const [isAsked, ask] = useAsked('new-sequence')
  const query = useInfiniteQuery({ ...sequenceListQuery(search), placeholderData: keepPreviousData })
  const settings = useQuery(outreachSettingsQuery).data
  const show = (search: ListSearch) => void navigate({ to: paths.sequences, search, replace: true })
  const canPause = settings !== undefined && settings.paused_at === null
  useCommands(
    canPause
      ? [
          {
            id: 'pause-outreach',
            group: 'This page',
            label: 'Pause all outreach',
            words: 'panic stop everything',
            run: () => setPausing(true),
          },
        ]
      : [],
  )
  return (
    <>
      <PageHead
        title={title}
        actions={
          <>
            {canPause && (
              <>
                <Button
                  variant="default"
                  leftSection={<IconPlayerPause size={16} />}
                  onClick={() => setPausing(true)}
                  visibleFrom="sm"
                >
                  Pause everything
                </Button>
                <ActionIcon
                  variant="default"
                  aria-label="Pause everything"
                  onClick={() => setPausing(true)}
                  hiddenFrom="sm"
                >
                  <IconPlayerPause size={16} />
                </ActionIcon>
              </>
            )}
            <Button leftSection={<IconPlus size={16} />} onClick={ask}>
              New sequence
            </Button>
          </>
        }
      />
      <PausedBanner />
      <ListBar
        label="Sequence filters"
        searchLabel="Search sequences"
        filters={filters}
        search={search}
        set={show}
      >
        <SortAndTrash search={search} set={show} />
      </ListBar>
      <Listing
        query={query}
        waiting="Loading sequences"
        nothing={<Nothing search={search} ask={ask} show={show} />}
      >
        {(sequences, more) => (
          <SequenceList sequences={sequences} trashed={search.trashed === true} more={more} />
        )}
      </Listing>
      {isAsked && (
        <Suspense fallback={null}>
          <NewSequence close={close} />
        </Suspense>
      )}
      {pausing && (
        <Confirm
          title="Pause all outreach?"
          verb="Pause everything"
          act={pauseOutreach}
          close={() => setPausing(false)}
        >{`No sequence sends anything until outreach is resumed. Enrolled leads keep their place.`}</Confirm>
      )}
    </>
  )
}

type NothingProps = { search: ListSearch; ask: () => void; show: (search: ListSearch) => void }

function Nothing({ search, ask, show }: NothingProps) {
  const filtered = isFiltered(search)
  if (filtered || search.trashed) {
    return (
      <Empty
        title={filtered ? 'No sequences match' : 'Trash is empty'}
        action={
          <Button variant="default" onClick={() => show({})}>
            Show all sequences
          </Button>
        }
      />
    )
  }
  return (
    <Empty
      icon={<IconSend size={32} stroke={1.4} />}
      title="No sequences yet"
      action={<Button onClick={ask}>New sequence</Button>}
    >
      A sequence contacts leads step by step by email and text message, creates tasks in between, and stops
      when a lead replies.
    </Empty>
  )
}
