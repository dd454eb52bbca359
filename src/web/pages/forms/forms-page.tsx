import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconForms from 'icon:forms'
import IconPlus from 'icon:plus'
import { lazy, Suspense, useMemo } from 'react'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { useAsked } from '../../shell/asked.ts'
import { close } from '../../ui/opened.ts'
import { Listing, TrashButton } from '../../ui/list-page.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Empty } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { FormTable } from './form-table.tsx'
import { formsQuery } from '../../records/forms/forms-cache.ts'
import { formsSearch, type FormsSearch } from '../../records/forms/search.ts'
import pageClasses from '../../ui/page.module.css'

const NewForm = lazy(() => import('./new-form.tsx').then(({ NewForm }) => ({ default: NewForm })))

const route = getRouteApi('/forms')

export function FormsPage() {
  const raw = route.useSearch()
  const search = useMemo(() => formsSearch(raw), [raw])
  const navigate = useNavigate()
  const canWrite = useCan('forms:write')
  const [isAsked, ask] = useAsked('new-form')
  const query = useInfiniteQuery({ ...formsQuery(search), placeholderData: keepPreviousData })
  const show = (search: FormsSearch) => void navigate({ to: paths.forms, search, replace: true })
  useTitle(search.trashed ? 'Forms in trash' : 'Forms')
  return (
    <>
      <PageHead
        title={search.trashed ? 'Forms in trash' : 'Forms'}
        actions={
          canWrite && (
            <Button leftSection={<IconPlus size={16} />} onClick={ask}>
              New form
            </Button>
          )
        }
      />
      <Filters search={search} show={show} />
      <Listing
        query={query}
        waiting="Loading forms"
        nothing={<Nothing search={search} ask={canWrite ? ask : undefined} show={show} />}
      >
        {(forms, more) => <FormTable forms={forms} trashed={search.trashed === true} more={more} />}
      </Listing>
      {isAsked && (
        <Suspense fallback={null}>
          <NewForm close={close} />
        </Suspense>
      )}
    </>
  )
}

type FilterProps = { search: FormsSearch; show: (search: FormsSearch) => void }

function Filters({ search, show }: FilterProps) {
  const { q: _q, ...withoutWords } = search
  const { trashed: _trashed, ...alive } = search
  return (
    <search className={pageClasses.bar} aria-label="Form filters">
      <SearchField
        label="Search forms"
        value={search.q ?? ''}
        set={q => show(q ? { ...withoutWords, q } : withoutWords)}
      />
      <TrashButton
        trashed={search.trashed === true}
        set={trashed => show(trashed ? { ...search, trashed } : alive)}
      />
    </search>
  )
}

type NothingProps = FilterProps & { ask: (() => void) | undefined }

function Nothing({ search, ask, show }: NothingProps) {
  if (Object.keys(search).length > 0) {
    return (
      <Empty
        title={search.trashed && !search.q ? 'Trash is empty' : 'No forms match'}
        action={
          <Button variant="default" onClick={() => show({})}>
            Show all forms
          </Button>
        }
      />
    )
  }
  return (
    <Empty
      icon={<IconForms size={32} stroke={1.4} />}
      title="No forms yet"
      action={ask && <Button onClick={ask}>New form</Button>}
    >
      Share a form as a page or embed it on your website. Submissions become leads.
    </Empty>
  )
}
