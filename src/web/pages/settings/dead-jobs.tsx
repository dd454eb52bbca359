import { Button } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import IconCircleCheck from 'icon:circle-check'
import { useState } from 'react'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { toast, toastFault } from '../../ui/toast.ts'
import { plural } from '../../ui/words.ts'
import textClasses from '../../ui/text.module.css'
import cardClasses from '../../ui/card.module.css'
import rowsClasses from '../../ui/rows.module.css'
import classes from './jobs.module.css'

const REFRESH_MS = 15_000

type Dead = { id: string; kind: string; attempts: number; error: string; failed_at: string }

export function DeadJobs() {
  const client = useQueryClient()
  const [discarding, setDiscarding] = useState<Dead | null>(null)
  const query = useInfiniteQuery({
    queryKey: cacheKeys.deadJobs,
    initialPageParam: '',
    queryFn: ({ pageParam }) => api('GET /api/jobs/dead', { query: pageParam ? { cursor: pageParam } : {} }),
    getNextPageParam: last => last.next_cursor ?? undefined,
    refetchInterval: REFRESH_MS,
  })
  const jobs = query.data?.pages.flatMap(page => page.data) ?? []
  const reload = () => client.invalidateQueries({ queryKey: cacheKeys.deadJobs })

  async function retry(job: Dead) {
    try {
      await api('POST /api/jobs/dead/:id/retry', { params: { id: job.id } })
      toast(`Retrying ${job.kind}`)
    } catch (error) {
      toastFault(error)
    }
    await reload()
  }

  async function discard(job: Dead) {
    await api('DELETE /api/jobs/dead/:id', { params: { id: job.id } })
    toast(`Discarded ${job.kind}`)
    await reload()
  }

  if (query.isPending) return <Bar width="100%" height={64} />
  if (query.isError && jobs.length === 0)
    return <Fault error={query.error} retry={() => void query.refetch()} />
  if (jobs.length === 0) {
    return <Empty icon={<IconCircleCheck size={28} stroke={1.4} />} title="No failed jobs" compact />
  }
  return (
    <>
      <ul className={`${rowsClasses.rows} ${classes.jobs}`}>
        {jobs.map(job => (
          <li key={job.id}>
            <div className={classes.about}>
              <span className={classes.kind}>{job.kind}</span>
              <span className={textClasses.dim}>
                {plural(job.attempts, 'attempt')}, failed <Time at={job.failed_at} />
              </span>
              <pre className={classes.error}>{job.error}</pre>
            </div>
            <div className={cardClasses.acts}>
              <Button size="xs" variant="default" onClick={() => void retry(job)}>
                Retry
              </Button>
              <Button size="xs" variant="subtle" color="gray" onClick={() => setDiscarding(job)}>
                Discard
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <MoreButton list={query} label="Show more" mt="sm" />
      {discarding && (
        <Confirm
          title="Discard this job?"
          verb={`Discard ${discarding.kind}`}
          act={() => discard(discarding)}
          close={() => setDiscarding(null)}
        >
          {`${discarding.kind} will not be retried. This cannot be undone.`}
        </Confirm>
      )}
    </>
  )
}
