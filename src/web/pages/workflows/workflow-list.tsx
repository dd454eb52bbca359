import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconDots from 'icon:dots'
import type { ReactNode } from 'react'
import type { Workflow } from '#domains/workflows/contract.ts'
import { patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { TrashedRow } from '../../ui/list-page.tsx'
import { ButtonMenu } from '../../ui/menu.tsx'
import { Time } from '../../ui/time.tsx'
import { Status } from './status.tsx'
import { useWorkflowMenu } from './use-workflow-menu.ts'
import { triggerInWords } from '../../records/workflows/words.ts'
import { catalogQuery } from '../../records/workflows/workflows-cache.ts'
import classes from '../../ui/list-page.module.css'
import pageClasses from '../../ui/page.module.css'
import rowsClasses from '../../ui/rows.module.css'
import textClasses from '../../ui/text.module.css'
import { workflows } from '../../records/workflows/store.ts'

type Props = { workflows: Workflow[]; trashed: boolean; more: ReactNode }

export function WorkflowList({ workflows: listed, trashed, more }: Props) {
  const canWrite = useCan('workflows:write')
  const triggers = useQuery(catalogQuery).data?.triggers
  return (
    <div className={pageClasses.list}>
      <ul className={rowsClasses.rows} aria-label="Workflows">
        {listed.map(workflow => {
          const short = triggerInWords(workflow.trigger, triggers)
          return trashed ? (
            <TrashedRow
              key={workflow.id}
              name={workflow.name}
              short={short}
              deletedAt={workflow.deleted_at}
              restore={canWrite ? () => workflows.bringBack(workflow.id) : undefined}
            />
          ) : (
            <Row key={workflow.id} workflow={workflow} short={short} />
          )
        })}
      </ul>
      {more}
    </div>
  )
}

function Row({ workflow, short }: { workflow: Workflow; short: string }) {
  const { id, name, status, version, has_draft, updated_at } = workflow
  const items = useWorkflowMenu(workflow)
  return (
    <li className={`${rowsClasses.row} ${classes.row}`}>
      <span className={classes.name}>
        <Link to={patterns.workflow} params={{ id }} search={{}}>
          {name}
        </Link>
        <span className={textClasses.under}>{short}</span>
      </span>
      <span className={classes.state}>
        <Status status={status} />
      </span>
      <ul className={`${classes.rest} ${classes.parts}`} aria-label={`State of ${name}`}>
        <li>
          {version === 0 ? <span className={textClasses.dim}>Never published</span> : `Version ${version}`}
        </li>
        {has_draft && version > 0 && <li className={textClasses.warn}>Unpublished changes</li>}
        <li className={textClasses.dim}>
          Changed <Time at={updated_at} />
        </li>
      </ul>
      <span className={classes.menu}>
        <ButtonMenu
          button={
            <ActionIcon aria-label={`More actions for ${name}`}>
              <IconDots size={16} />
            </ActionIcon>
          }
          items={items}
        />
      </span>
    </li>
  )
}
