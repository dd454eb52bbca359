import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconPlus from 'icon:plus'
import IconTemplate from 'icon:template'
import { useMemo, useState } from 'react'
import { paths, patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { Listing, TrashButton } from '../../ui/list-page.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { NameDialog } from '../../ui/seldom-dialogs.tsx'
import { Empty } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { NoOutreach } from '../../records/sequences/no-outreach.tsx'
import { templatesSearch, type TemplatesSearch } from '../../records/templates/search.ts'
import { TemplateTable } from './template-table.tsx'
import { templatesQuery } from '../../records/templates/templates-cache.ts'
import pageClasses from '../../ui/page.module.css'
import { templates } from '../../records/templates/store.ts'

/** The initial text of a new template. */
const BEGINNING = 'Hi {{firstName | default: "there"}},\n\n'

const route = getRouteApi('/templates')

export function TemplatesPage() {
  const raw = route.useSearch()
  const search = useMemo(() => templatesSearch(raw), [raw])
  const title = search.trashed ? 'Templates in trash' : 'Templates'
  useTitle(title)
  return useCan('outreach:write') ? <Shown search={search} title={title} /> : <NoOutreach title={title} />
}

function Shown({ search, title }: { search: TemplatesSearch; title: string }) {
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const query = useInfiniteQuery({ ...templatesQuery(search), placeholderData: keepPreviousData })
  const show = (search: TemplatesSearch) => void navigate({ to: paths.templates, search, replace: true })
  const ask = () => setIsAsking(true)
  useCommands([{ id: 'new-template', group: 'Create', label: 'New template', words: 'mail add', run: ask }])

  async function create(name: string) {
    const { id } = await templates.create({ name, subject: '', body: BEGINNING })
    void navigate({ to: patterns.template, params: { id }, search: {} })
  }

  return (
    <>
      <PageHead
        title={title}
        actions={
          <Button leftSection={<IconPlus size={16} />} onClick={ask}>
            New template
          </Button>
        }
      />
      <Filters search={search} show={show} />
      <Listing
        query={query}
        waiting="Loading templates"
        nothing={<Nothing search={search} ask={ask} show={show} />}
      >
        {(templates, more) => <TemplateTable rows={templates} search={search} show={show} more={more} />}
      </Listing>
      {isAsking && (
        <NameDialog
          title="New template"
          about="Sequence steps refer to it by this name. Use letters, digits, spaces and - _ ."
          verb="Create template"
          missing="A template needs a name"
          save={create}
          close={() => setIsAsking(false)}
        />
      )}
    </>
  )
}

type FilterProps = { search: TemplatesSearch; show: (search: TemplatesSearch) => void }

function Filters({ search, show }: FilterProps) {
  const { q: _q, ...withoutWords } = search
  const { trashed: _trashed, ...alive } = search
  return (
    <search className={pageClasses.bar} aria-label="Template filters">
      <SearchField
        label="Search templates"
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

function Nothing({ search, ask, show }: FilterProps & { ask: () => void }) {
  if (search.q || search.trashed)
    return (
      <Empty
        title={search.trashed && !search.q ? 'Trash is empty' : 'No templates match'}
        action={
          <Button variant="default" onClick={() => show({})}>
            Show all templates
          </Button>
        }
      />
    )
  return (
    <Empty
      icon={<IconTemplate size={32} stroke={1.4} />}
      title="No templates yet"
      action={<Button onClick={ask}>New template</Button>}
    >
      A template is an email with placeholders for the lead’s name and other details. Sequences send it.
    </Empty>
  )
}
