import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import IconSitemap from 'icon:sitemap'
import { patterns } from '../../paths.ts'
import { isFiltered, type ListSearch } from '../../ui/record-list/search.ts'
import { Empty } from '../../ui/states.tsx'
import { useBusy } from '../../ui/use-submit.ts'
import { createWorkflow } from '../../records/workflows/workflow-writes.ts'
import { catalogQuery } from '../../records/workflows/workflows-cache.ts'
import pageClasses from '../../ui/page.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './workflows-page.module.css'

type Props = {
  search: ListSearch
  /** Absent for viewers. */
  ask: (() => void) | undefined
  show: (search: ListSearch) => void
}

/** No matches; or no workflows at all, with examples to start from. */
export function NoWorkflows({ search, ask, show }: Props) {
  const filtered = isFiltered(search)
  if (filtered || search.trashed) {
    return (
      <Empty
        title={filtered ? 'No workflows match these filters' : 'Trash is empty'}
        action={
          <Button variant="default" onClick={() => show({})}>
            Show all workflows
          </Button>
        }
      />
    )
  }
  return (
    <div className={pageClasses.scroll}>
      <Empty
        icon={<IconSitemap size={32} stroke={1.4} />}
        title="No workflows yet"
        action={ask && <Button onClick={ask}>New workflow</Button>}
      >
        Automate what happens when a call ends, a form is submitted or a deal changes stage.
      </Empty>
      {ask && <Starters />}
    </div>
  )
}

function Starters() {
  const navigate = useNavigate()
  const { busy, run } = useBusy("Couldn't create workflow")
  const starters = useQuery(catalogQuery).data?.starters

  async function begin({ name, definition }: NonNullable<typeof starters>[number]) {
    const { id } = await createWorkflow({ name, ...definition })
    await navigate({ to: patterns.workflow, params: { id }, search: {} })
  }

  if (!starters) return null
  return (
    <section className={classes.beginnings} aria-label="Examples">
      <h3>Or start with an example</h3>
      <ul>
        {starters.map(starter => (
          <li key={starter.key}>
            <button type="button" disabled={busy} onClick={() => run(() => begin(starter))}>
              <span>{starter.name}</span>
              <span className={textClasses.under}>{starter.description}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
