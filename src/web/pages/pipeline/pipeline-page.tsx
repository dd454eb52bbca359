import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconPlus from 'icon:plus'
import { useMemo } from 'react'
import { opportunityStages } from '#domains/opportunities/values.ts'
import { paths } from '../../paths.ts'
import { leadSettingsQuery, useCan, useMembers } from '../../queries.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import { opened } from '../../ui/opened.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Person } from '../../ui/person.tsx'
import type { ListSearch } from '../../ui/record-list/search.ts'
import { Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { openNewOpportunity } from '../../records/opportunities/open-new-opportunity.ts'
import { DealBoard } from './deal-board.tsx'
import { ForecastStrip } from './forecast-strip.tsx'
import { pipelineQuery, pipelineSearch, type PipelineSearch } from './search.ts'

const route = getRouteApi('/pipeline')

export function PipelinePage() {
  const raw = route.useSearch()
  const search = useMemo(() => pipelineSearch(raw), [raw])
  const navigate = useNavigate()
  const canWrite = useCan('leads:write')
  const settings = useQuery(leadSettingsQuery)
  const of = search.of ?? 'leads'
  const stages = of === 'opportunities' ? opportunityStages : settings.data?.pipeline_stages
  const { of: _of, ...chosen } = search
  const filters = pipelineQuery(chosen)
  const show = (search: PipelineSearch) => void navigate({ to: paths.pipeline, search, replace: true })
  const create = () => (of === 'leads' ? opened.set('new-lead') : openNewOpportunity())
  const newWords = of === 'leads' ? 'New lead' : 'New opportunity'
  useTitle('Pipeline')
  return (
    <>
      <PageHead
        title="Pipeline"
        beside={<Switch search={search} show={show} />}
        actions={
          canWrite && (
            <>
              <Button visibleFrom="sm" leftSection={<IconPlus size={16} />} onClick={create}>
                {newWords}
              </Button>
              <ActionIcon
                hiddenFrom="sm"
                variant="filled"
                color="petrol"
                aria-label={newWords}
                onClick={create}
              >
                <IconPlus size={16} />
              </ActionIcon>
            </>
          )
        }
      />
      <Bar search={chosen} set={next => show({ ...(search.of && { of: search.of }), ...next })} />
      {of === 'opportunities' && <ForecastStrip filters={filters} />}
      {stages ? (
        <DealBoard key={`${of} ${stages.join()}`} of={of} stages={stages} filters={filters} />
      ) : (
        settings.isError && <Fault error={settings.error} retry={() => void settings.refetch()} />
      )}
    </>
  )
}

type Props = { search: PipelineSearch; show: (search: PipelineSearch) => void }

function Switch({ search: { of, ...rest }, show }: Props) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Record type"
      data={[
        { value: 'leads', label: 'Leads' },
        { value: 'opportunities', label: 'Opportunities' },
      ]}
      value={of ?? 'leads'}
      onChange={value => show(value === 'opportunities' ? { of: 'opportunities', ...rest } : rest)}
    />
  )
}

type BarProps = { search: ListSearch; set: (next: ListSearch) => void }

function Bar({ search, set }: BarProps) {
  const owners = useMembers().map(member => ({
    value: member.id,
    label: member.name || member.email,
    node: <Person member={member} />,
  }))
  return (
    <ListBar
      label="Pipeline filters"
      searchLabel="Search pipeline"
      filters={[
        {
          kind: 'choice',
          name: 'owner_id',
          label: 'Owner',
          options: [...owners, { value: 'none', label: 'Unassigned' }],
        },
      ]}
      search={search}
      set={set}
    />
  )
}
