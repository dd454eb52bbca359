import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ListedProject } from '#domains/projects/contract.ts'
import { patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import type { Paged } from '../../ui/next-page.ts'
import { Progress } from '../../ui/progress.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { Time } from '../../ui/time.tsx'
import { AccountLink } from '../../records/accounts/account-link.tsx'
import { projectStatusWords } from './project-status.ts'
import pageClasses from '../../ui/page.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './projects-page.module.css'
import table from '../../ui/table.module.css'
import { opportunities } from '../../records/opportunities/store.ts'
import { projects } from '../../records/projects/store.ts'

const tones = { ACTIVE: 'teal', ON_HOLD: 'amber', DONE: 'green' } as const

type Props = {
  projects: ListedProject[]
  trashed: boolean
  list: Paged
}

export function ProjectTable({ projects, trashed, list }: Props) {
  return (
    // A region that scrolls must be reachable by keyboard.
    <div className={`${pageClasses.list} ${classes.body}`} role="region" aria-label="Projects" tabIndex={0}>
      <div className={table.wrap}>
        <table className={table.table} data-cards>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Status</th>
              <th scope="col">Tasks done</th>
              <th scope="col">Account</th>
              <th scope="col">Source</th>
              <th scope="col">Changed</th>
              {trashed && <th scope="col" aria-label="Actions" />}
            </tr>
          </thead>
          <tbody>
            {projects.map(project => (
              <Row key={project.id} project={project} trashed={trashed} />
            ))}
          </tbody>
        </table>
      </div>
      {list.hasNextPage && (
        <div className={pageClasses.more}>
          <MoreButton list={list} label="Show more" variant="default" />
        </div>
      )}
    </div>
  )
}

function Row({ project, trashed }: { project: ListedProject; trashed: boolean }) {
  const { id, name, status, tasks, account_id, opportunity_id, updated_at } = project
  const canWrite = useCan('projects:write')
  const restore = () => projects.restore(id)
  return (
    <tr>
      <td className={table.name}>
        {trashed ? (
          name
        ) : (
          <Link to={patterns.project} params={{ id }} search={{}}>
            {name}
          </Link>
        )}
      </td>
      <td data-heading="Status">
        <Dotted tone={tones[status]}>{projectStatusWords[status]}</Dotted>
      </td>
      <td data-heading="Tasks done">
        {tasks.total === 0 ? (
          <span className={textClasses.dim}>No tasks</span>
        ) : (
          <div className={classes.tasks}>
            <Progress label={`Completed tasks of ${name}`} done={tasks.done} of={tasks.total} />
            <span className={classes.count}>
              {tasks.done} of {tasks.total}
            </span>
          </div>
        )}
      </td>
      <td data-heading="Account">
        {account_id ? <AccountLink id={account_id} /> : <span className={textClasses.dim}>None</span>}
      </td>
      <td data-heading="Source">
        {opportunity_id ? <DealName id={opportunity_id} /> : <span className={textClasses.dim}>Manual</span>}
      </td>
      <td className={textClasses.dim} data-heading="Changed">
        <Time at={updated_at} />
      </td>
      {trashed && (
        <td className={table.right}>
          {canWrite && (
            <Button size="xs" variant="default" onClick={() => void restore()}>
              Restore
            </Button>
          )}
        </td>
      )}
    </tr>
  )
}

function DealName({ id }: { id: string }) {
  const deal = useQuery(opportunities.query(id)).data
  return (
    <Link to={patterns.opportunity} params={{ id }}>
      {deal ? `Deal ${deal.name}` : 'Deal'}
    </Link>
  )
}
