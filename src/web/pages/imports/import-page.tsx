import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconTrash from 'icon:trash'
import { useMemo, useState } from 'react'
import type { Import } from '#domains/imports/contract.ts'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { useTitle } from '../../ui/title.ts'
import { plural } from '../../ui/words.ts'
import { CheckStep } from './check-step.tsx'
import { dropImport, importQuery } from '../../records/imports/imports-cache.ts'
import { MapStep } from './map-step.tsx'
import { OptionsStep } from './options-step.tsx'
import { ProgressStep } from './progress-step.tsx'
import { ReportStep } from './report-step.tsx'
import { importSearch, stepOf, type Step } from './search.ts'
import { StepLinks } from './step-links.tsx'
import pageClasses from '../../ui/page.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './imports.module.css'
import { imports } from '../../records/imports/store.ts'

const route = getRouteApi('/imports/$id')

/** The import of one file, step by step. */
export function ImportPage() {
  const { id } = route.useParams()
  const query = useQuery(importQuery(id))
  const run = query.data
  useTitle(run ? `Import of ${run.file_name}` : 'Import')
  return (
    <>
      <PageHead
        title={run?.file_name ?? 'Import'}
        beside={run && <span className={textClasses.dim}>{plural(run.total, 'row')}</span>}
        actions={run && run.status !== 'RUNNING' && run.status !== 'UPLOADING' && <Delete run={run} />}
      />
      <div className={pageClasses.scroll}>
        <div className={pageClasses.reading}>
          {query.isError && !run && <Fault error={query.error} retry={() => void query.refetch()} />}
          {query.isPending && <Waiting />}
          {run && <Steps run={run} />}
        </div>
      </div>
    </>
  )
}

function Steps({ run }: { run: Import }) {
  const raw = route.useSearch()
  const search = useMemo(() => importSearch(raw), [raw])
  const navigate = useNavigate()
  const canWrite = useCan('leads:write')
  const step = stepOf(run, search)
  const go = (next: Step) =>
    void navigate({ to: '/imports/$id', params: { id: run.id }, search: { step: next } })
  if (run.status === 'UPLOADING') {
    return <Empty title="The file is still uploading">This page updates automatically.</Empty>
  }
  if (run.status === 'READY' && !canWrite) {
    return (
      <Empty
        title="Not started yet"
        action={
          <LinkButton variant="default" to={paths.imports}>
            All imports
          </LinkButton>
        }
      >
        Only members who can edit leads can map its columns and start it.
      </Empty>
    )
  }
  return (
    <>
      <StepLinks id={run.id} step={step} isReady={run.status === 'READY'} />
      {step === 'map' && <MapStep run={run} next={() => go('check')} />}
      {step === 'check' && <CheckStep run={run} back={() => go('map')} next={() => go('options')} />}
      {step === 'options' && (
        <OptionsStep run={run} back={() => go('check')} started={() => go('progress')} />
      )}
      {step === 'progress' && <ProgressStep run={run} />}
      {step === 'report' && <ReportStep run={run} />}
    </>
  )
}

function Delete({ run }: { run: Import }) {
  const [asking, setAsking] = useState(false)
  const navigate = useNavigate()
  const canWrite = useCan('leads:write')
  if (!canWrite) return null
  async function forget() {
    await api('DELETE /api/crm/imports/:id', { params: { id: run.id } })
    dropImport(run.id)
    toast(`Deleted the import of ${run.file_name}`)
    await navigate({ to: paths.imports })
    void imports.refresh()
  }
  return (
    <>
      <ActionIcon aria-label="Delete this import" title="Delete this import" onClick={() => setAsking(true)}>
        <IconTrash size={16} />
      </ActionIcon>
      {asking && (
        <Confirm
          title={`Delete the import of ${run.file_name}?`}
          verb="Delete import"
          act={forget}
          close={() => setAsking(false)}
        >
          The file, its report and the rows with errors are deleted permanently. Imported leads stay.
        </Confirm>
      )}
    </>
  )
}

function Waiting() {
  return (
    <div role="status" aria-busy aria-label="Loading import" className={classes.waiting}>
      <Bar width="60%" height={20} />
      {[1, 2, 3, 4, 5].map(row => (
        <Bar key={row} width="100%" height={36} />
      ))}
    </div>
  )
}
