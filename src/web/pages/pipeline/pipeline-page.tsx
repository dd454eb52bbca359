import { ActionIcon, Button, NativeSelect, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconPlus from 'icon:plus'
import { useMemo } from 'react'
import { opportunityStages } from '#domains/opportunities/values.ts'
import { paths } from '../../paths.ts'
import { leadSettingsQuery, useCan, useMembers } from '../../queries.ts'
import { opened } from '../../ui/opened.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { openNewOpportunity } from '../../records/opportunities/open-new-opportunity.ts'
import { DealBoard } from './deal-board.tsx'
import { ForecastStrip } from './forecast-strip.tsx'
import { filtersOf, pipelineSearch, type PipelineSearch } from './search.ts'
import { SearchField } from '../../ui/search-field.tsx'
import pageClasses from '../../ui/page.module.css'
import classes from './pipeline-page.module.css'

const route = getRouteApi('/pipeline')

export function PipelinePage() {
  const raw = route.useSearch()
  const search = useMemo(() => pipelineSearch(raw), [raw])
  const navigate = useNavigate()
  const canWrite = useCan('leads:write')
  const settings = useQuery(leadSettingsQuery)
  const of = search.of ?? 'leads'
  const stages = of === 'opportunities' ? opportunityStages : settings.data?.pipeline_stages
  const filters = filtersOf(search)
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
      <Bar search={search} show={show} />
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

function Bar({ search, show }: Props) {
  const members = useMembers()
  const { owner_id, q, ...rest } = search
  const people = members.map(({ id, name, email }) => ({ value: id, label: name || email }))
  const isFiltered = owner_id !== undefined || q !== undefined
  return (
    <search className={`${pageClasses.bar} ${classes.bar}`} aria-label="Pipeline filters">
      <SearchField
        label="Search pipeline"
        value={q ?? ''}
        set={next => show({ ...rest, ...(owner_id && { owner_id }), ...(next && { q: next }) })}
      />
      <NativeSelect
        size="xs"
        w={170}
        aria-label="Owner"
        data={[{ value: '', label: 'All owners' }, ...people, { value: 'none', label: 'Unassigned' }]}
        value={owner_id ?? ''}
        onChange={event => {
          const next = event.currentTarget.value
          show({ ...rest, ...(next && { owner_id: next }), ...(q && { q }) })
        }}
      />
      {isFiltered && (
        <Button size="xs" variant="subtle" color="gray" onClick={() => show(rest)}>
          Clear
        </Button>
      )}
    </search>
  )
}
