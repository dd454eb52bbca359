import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import type { SequenceWithWarnings } from '#domains/sequences/contract.ts'
import { paths, patterns } from '../../paths.ts'
import { isProblem } from '../../problem.ts'
import { useCan } from '../../queries.ts'
import { useKeys } from '../../ui/keys.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Bar, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { NoOutreach } from '../../records/sequences/no-outreach.tsx'
import { PausedBanner } from '../../records/sequences/paused-banner.tsx'
import { SaveNotice } from '../../ui/draft/save-notice.tsx'
import { sequenceSearch, type SequenceSearch } from '../../records/sequences/search.ts'
import { SequenceHead } from './sequence-head.tsx'
import { SequenceInTrash } from './sequence-in-trash.tsx'
import { SequenceTabs } from './sequence-tabs.tsx'
import { useStepsDraft } from './use-draft.ts'
import pageClasses from '../../ui/page.module.css'
import { sequences } from '../../records/sequences/store.ts'

// Each tab is loaded when opened: the leads tab needs no drag and drop.
const Steps = lazy(() => import('./steps.tsx').then(({ Steps }) => ({ default: Steps })))
const Enrolments = lazy(() => import('./enrolments.tsx').then(({ Enrolments }) => ({ default: Enrolments })))
const Activity = lazy(() => import('./activity.tsx').then(({ Activity }) => ({ default: Activity })))
const Settings = lazy(() =>
  import('./sequence-settings.tsx').then(({ SequenceSettings }) => ({ default: SequenceSettings })),
)
const EnrolmentDrawer = lazy(() =>
  import('./enrolment-drawer.tsx').then(({ EnrolmentDrawer }) => ({ default: EnrolmentDrawer })),
)

const route = getRouteApi('/sequences/$id')

export function SequencePage() {
  if (!useCan('outreach:write')) return <NoOutreach title="Sequence" />
  return <Loaded />
}

function Loaded() {
  const { id } = route.useParams()
  const raw = route.useSearch()
  const query = useQuery(sequences.query(id))
  const sequence = query.data
  useTitle(sequence?.name ?? 'Sequence')
  if (sequence?.deleted_at || (isProblem(query.error, 404) && query.error.code === 'in_trash'))
    return <SequenceInTrash id={id} />
  if (query.error && !sequence) return <Fault whole error={query.error} retry={() => void query.refetch()} />
  if (!sequence) return <Waiting />
  // The URL may hold its sequence_id; everything here uses the ID.
  if (sequence.id !== id)
    return <Navigate to={patterns.sequence} params={{ id: sequence.id }} search={raw} replace />
  return <Shown key={id} sequence={sequence} />
}

function Shown({ sequence }: { sequence: SequenceWithWarnings }) {
  const raw = route.useSearch()
  const search = useMemo(() => sequenceSearch(raw), [raw])
  const navigate = useNavigate()
  const draft = useStepsDraft(sequence)
  const isRefused = draft.refused.use(problems => problems.length > 0)
  const { id } = sequence
  const { tab, enrolment, ...filters } = search
  const show = (search: SequenceSearch, replace = true) =>
    void navigate({ to: patterns.sequence, params: { id }, search, replace })
  useKeys({ u: () => void navigate({ to: paths.sequences }) })
  return (
    <>
      <SequenceHead sequence={sequence} draft={draft} show={show} />
      <PausedBanner />
      <SequenceTabs id={id} tab={tab ?? 'steps'} />
      <SaveNotice draft={draft} noun="sequence" isExplained={isRefused} />
      <Suspense fallback={<PartWaiting />}>
        {!tab && <Steps sequence={sequence} draft={draft} search={search} show={show} />}
        {tab === 'leads' && <Enrolments sequence={sequence} search={search} show={show} />}
        {tab === 'activity' && <Activity sequence={sequence} search={search} show={show} />}
        {tab === 'settings' && <Settings sequence={sequence} />}
      </Suspense>
      {tab && enrolment && (
        <Suspense fallback={null}>
          <EnrolmentDrawer id={enrolment} close={() => show({ tab, ...filters })} />
        </Suspense>
      )}
    </>
  )
}

function Waiting() {
  return (
    <>
      <PageHead title="Sequence" />
      <PartWaiting />
    </>
  )
}

function PartWaiting() {
  return (
    <div className={pageClasses.waiting} role="status" aria-busy aria-label="Loading sequence">
      {[60, 100, 80, 90].map(width => (
        <Bar key={width} width={`${width}%`} height={36} />
      ))}
    </div>
  )
}
