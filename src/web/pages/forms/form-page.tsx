import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, type ReactNode } from 'react'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { paths, patterns } from '../../paths.ts'
import { isProblem } from '../../problem.ts'
import { useKeys } from '../../ui/keys.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Bar, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { SaveNotice } from '../../ui/draft/save-notice.tsx'
import { FormHead } from './form-head.tsx'
import { FormTabs } from './form-tabs.tsx'
import { formSearch, type FormSearch } from '../../records/forms/search.ts'
import { useFormDraft } from './use-draft.ts'
import pageClasses from '../../ui/page.module.css'
import { forms } from '../../records/forms/store.ts'

// Each tab is loaded when it is shown. Most visits are for the builder, so it is loaded together with the page.
const loadBuilder = () => import('./builder.tsx')
if (!new URLSearchParams(location.search).has('tab')) void loadBuilder().catch(() => {})
const Builder = lazy(() => loadBuilder().then(({ Builder }) => ({ default: Builder })))
const Settings = lazy(() =>
  import('./form-settings.tsx').then(({ FormSettings }) => ({ default: FormSettings })),
)
const Share = lazy(() => import('./form-share.tsx').then(({ FormShare }) => ({ default: FormShare })))
const Submissions = lazy(() =>
  import('./submissions.tsx').then(({ Submissions }) => ({ default: Submissions })),
)
const FormInTrash = lazy(() =>
  import('./form-in-trash.tsx').then(({ FormInTrash }) => ({ default: FormInTrash })),
)

const route = getRouteApi('/forms/$id')

export function FormPage() {
  const { id } = route.useParams()
  const query = useQuery(forms.query(id))
  const form = query.data
  useTitle(form?.name ?? 'Form')
  if (form?.deleted_at || (isProblem(query.error, 404) && query.error.code === 'in_trash')) {
    return (
      <Suspense fallback={<Waiting />}>
        <FormInTrash id={id} />
      </Suspense>
    )
  }
  if (query.error && !form) return <Fault whole error={query.error} retry={() => void query.refetch()} />
  if (!form) return <Waiting />
  return <Shown key={id} form={form} />
}

function Shown({ form }: { form: FormWithCounts }) {
  const raw = route.useSearch()
  const search = useMemo(() => formSearch(raw), [raw])
  const navigate = useNavigate()
  const draft = useFormDraft(form)
  const { id } = form
  const show = (search: FormSearch, replace = true) =>
    void navigate({ to: patterns.form, params: { id }, search, replace })
  useKeys({ u: () => void navigate({ to: paths.forms }) })
  return (
    <>
      <FormHead form={form} draft={draft} />
      <FormTabs form={form} tab={search.tab ?? 'build'} />
      <SaveNotice draft={draft} noun="form" />
      {!search.tab && (
        <Part>
          <Builder form={form} draft={draft} search={search} show={show} />
        </Part>
      )}
      {search.tab === 'settings' && (
        <Part>
          <Settings form={form} />
        </Part>
      )}
      {search.tab === 'share' && (
        <Part>
          <Share form={form} />
        </Part>
      )}
      {search.tab === 'submissions' && (
        <Part>
          <Submissions form={form} search={search} show={show} />
        </Part>
      )}
    </>
  )
}

function Part({ children }: { children: ReactNode }) {
  return <Suspense fallback={<PartWaiting />}>{children}</Suspense>
}

function Waiting() {
  return (
    <>
      <PageHead title="Form" />
      <PartWaiting />
    </>
  )
}

function PartWaiting() {
  return (
    <div className={pageClasses.waiting} role="status" aria-busy aria-label="Loading form">
      {[60, 100, 80, 90].map(width => (
        <Bar key={width} width={`${width}%`} height={36} />
      ))}
    </div>
  )
}
