import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconX from 'icon:x'
import { useEffect, useState } from 'react'
import type { BulkJob } from '#domains/leads/contract.ts'
import { isProblem } from '../../problem.ts'
import { useCan } from '../../queries.ts'
import { Progress } from '../../ui/progress.tsx'
import { toastFault } from '../../ui/toast.ts'
import { count, plural } from '../../ui/words.ts'
import {
  cancelChange,
  changeQuery,
  forgetChange,
  runningChangesQuery,
  watched,
} from '../../records/leads/bulk-changes.ts'
import { NOBODY, useFields, useOptions } from '../../records/leads/choices.tsx'
import pageClasses from '../../ui/page.module.css'
import classes from './bulk-progress.module.css'

/** Bulk changes, while they run and until their report is dismissed. */
export function BulkProgress() {
  useQuery(runningChangesQuery)
  const ids = watched.use(now => now)
  if (ids.length === 0) return null
  return (
    <ul aria-label="Bulk changes">
      {ids.map(id => (
        <Change key={id} id={id} />
      ))}
    </ul>
  )
}

function Change({ id }: { id: string }) {
  const { data: job, error } = useQuery(changeQuery(id))
  const canWrite = useCan('leads:write')
  const [cancelling, setCancelling] = useState(false)
  const what = useWhat()
  const isGone = isProblem(error, 404)
  useEffect(() => {
    // It belongs to another team or ended long ago.
    if (isGone) forgetChange(id)
  }, [isGone, id])
  if (!job) return null

  async function cancel() {
    setCancelling(true)
    try {
      await cancelChange(id)
    } catch (error) {
      toastFault(error, "Couldn't cancel")
    }
    setCancelling(false)
  }

  if (job.status !== 'RUNNING') {
    return (
      <li
        className={`${pageClasses.bar} ${classes.change}`}
        data-tone={job.status === 'FAILED' ? 'fault' : undefined}
      >
        <span role="status">
          {what(job)}: {reportOf(job)}
        </span>
        <ActionIcon aria-label="Dismiss report" onClick={() => forgetChange(id)}>
          <IconX size={16} />
        </ActionIcon>
      </li>
    )
  }
  return (
    <li className={`${pageClasses.bar} ${classes.change}`}>
      <span>
        {what(job)}: {count(job.processed)} of {plural(job.total, 'lead')}
      </span>
      <Progress label={what(job)} done={job.processed} of={job.total} />
      {canWrite && (
        <Button size="xs" variant="default" loading={cancelling} onClick={() => void cancel()}>
          Cancel
        </Button>
      )}
    </li>
  )
}

function reportOf({ status, processed, changed, total, error }: BulkJob): string {
  const told = `changed ${count(changed)} of ${plural(total, 'lead')}`
  if (status === 'CANCELLED') return `cancelled after ${plural(processed, 'lead')}, ${told}`
  if (status === 'FAILED') return `failed after ${plural(processed, 'lead')}. ${error ?? ''}`
  return told
}

/** "Move to trash", "Stage to Won". */
function useWhat(): (job: BulkJob) => string {
  const fields = useFields()
  const options = useOptions()
  return ({ set, trashed }) => {
    if (!set) return trashed ? 'Move to trash' : 'Restore'
    return Object.entries(set)
      .map(([key, value]) => {
        const field = fields.find(each => each.key === key)
        const option = field && options(field)?.find(each => each.value === (value ?? NOBODY))
        return `${field?.label ?? key} to ${option?.label ?? String(value)}`
      })
      .join(', ')
  }
}
