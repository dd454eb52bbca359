import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WorkflowInFull, WorkflowVersion } from '#domains/workflows/contract.ts'
import { inWords } from '../../problem.ts'
import { useCan } from '../../queries.ts'
import { Listing } from '../../ui/list-page.tsx'
import { Bar, Empty } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { differenceInWords } from '../../records/workflows/words.ts'
import { takeAsDraft } from '../../records/workflows/workflow-writes.ts'
import { changesQuery, versionsQuery } from '../../records/workflows/workflows-cache.ts'
import form from '../../ui/draft-page.module.css'
import pageClasses from '../../ui/page.module.css'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'
import classes from './runs.module.css'

/** Published versions, newest first, with their changes and a way to restore each. */
export function Versions({ workflow }: { workflow: WorkflowInFull }) {
  const query = useInfiniteQuery(versionsQuery(workflow.id))
  return (
    <Listing
      query={query}
      waiting="Loading versions"
      nothing={
        <Empty title="Never published">
          Each time you publish, a version is saved. You can go back to it at any time.
        </Empty>
      }
    >
      {(versions, more) => (
        <div className={pageClasses.list}>
          <ol className={rowsClasses.rows} aria-label="Versions">
            {versions.map(version => (
              <Version key={version.version} workflow={workflow} version={version} />
            ))}
          </ol>
          {more}
        </div>
      )}
    </Listing>
  )
}

type Props = { workflow: WorkflowInFull; version: WorkflowVersion }

function Version({ workflow, version }: Props) {
  const { version: number, created_at, created_by } = version
  const canWrite = useCan('workflows:write')
  const [isOpen, setIsOpen] = useState(false)
  const { busy, submit } = useSubmit(() => takeAsDraft(workflow, version))
  const isNewest = number === workflow.version
  return (
    <li className={form.version}>
      <div className={form.versionHead}>
        <h2>
          Version {number}
          {isNewest && <span className={form.shown}>used for new runs</span>}
        </h2>
        {canWrite && (!isNewest || workflow.has_draft) && (
          <Button
            size="xs"
            variant="default"
            loading={busy}
            aria-label={`Restore version ${number}`}
            onClick={submit}
          >
            Restore
          </Button>
        )}
      </div>
      <p className={textClasses.dim}>
        <Time at={created_at} />
        {created_by && ` by ${created_by}`}
      </p>
      {number > 1 && (
        <details className={classes.changes} onToggle={event => setIsOpen(event.currentTarget.open)}>
          <summary>What changed</summary>
          {isOpen && <Changes id={workflow.id} version={number} />}
        </details>
      )}
    </li>
  )
}

function Changes({ id, version }: { id: string; version: number }) {
  const { data, error } = useQuery(changesQuery(id, version))
  if (error) return <p role="alert">{inWords(error)}</p>
  if (!data) return <Bar width="60%" height={14} />
  if (data.changes.length === 0) return <p className={textClasses.dim}>No changes to the trigger or steps.</p>
  return (
    <ul className={textClasses.bullets}>
      {data.changes.map(change => {
        const { line, details } = differenceInWords(change)
        return (
          <li key={`${change.kind} ${change.path} ${line}`}>
            {line}
            {details.length > 0 && (
              <ul>
                {details.map(detail => (
                  <li key={detail}>{detail}</li>
                ))}
              </ul>
            )}
          </li>
        )
      })}
    </ul>
  )
}
