import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import IconTrash from 'icon:trash'
import { useMemo } from 'react'
import { paths } from '../../paths.ts'
import { isProblem } from '../../problem.ts'
import { useCan } from '../../queries.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { NoOutreach } from '../../records/sequences/no-outreach.tsx'
import { Editor } from './editor.tsx'
import { templateSearch } from '../../records/templates/search.ts'
import pageClasses from '../../ui/page.module.css'
import { templates } from '../../records/templates/store.ts'

const route = getRouteApi('/templates/$id')

export function TemplatePage() {
  return useCan('outreach:write') ? <Shown /> : <NoOutreach title="Template" />
}

function Shown() {
  const { id } = route.useParams()
  const raw = route.useSearch()
  const search = useMemo(() => templateSearch(raw), [raw])
  const query = useQuery(templates.query(id))
  const template = query.data
  useTitle(template?.name ?? 'Template')
  if (template?.deleted_at || (isProblem(query.error, 404) && query.error.code === 'in_trash'))
    return <InTrash id={id} />
  if (query.error && !template) return <Fault whole error={query.error} retry={() => void query.refetch()} />
  if (!template) return <Waiting />
  return <Editor key={id} template={template} search={search} />
}

function InTrash({ id }: { id: string }) {
  return (
    <Empty
      whole
      icon={<IconTrash size={32} stroke={1.4} />}
      title="This template is in the trash"
      action={
        <Group gap="sm">
          <Button onClick={() => void templates.restore(id)}>Restore</Button>
          <LinkButton variant="default" to={paths.templates} search={{}}>
            Back to templates
          </LinkButton>
        </Group>
      }
    >
      Steps that use it wait until a template with this name exists. It is deleted after 30 days.
    </Empty>
  )
}

function Waiting() {
  return (
    <>
      <PageHead title="Template" />
      <div className={pageClasses.waiting} role="status" aria-busy aria-label="Loading template">
        <Bar width="50%" height={32} />
        <Bar width="100%" height={32} />
        <Bar width="100%" height={300} />
      </div>
    </>
  )
}
