import { setTimeout as sleep } from 'node:timers/promises'
import { LEASE_MS } from '#platform/jobs/limits.ts'
import type { Cluster } from './cluster.ts'
import type { Workload } from './workload.ts'

const LOOK_MS = 200
/** Nothing has moved for so long although something is due: it is stuck. Long past any lease and any time limit of a job. */
const STILL_MS = 90_000
/** Beyond this nothing is waited for: what repeats for ever would never end. */
const AHEAD_MAX_MS = 40 * 86_400_000
/** What falls due soon after comes along. */
const JUMP_MARGIN_MS = 60_000
/** Such a jump is made only when nothing is in anybody's hands. */
const NEAR_MS = LEASE_MS

type Waiting = { count: string; held: string; next_ms: number | null; mark: string; calls: string }

/**
 * Waits until there is nothing left to do. What waits for a later time, such as a retry, comes sooner: the clocks of the
 * workers are set forward to it. Answers why it gave up, if it did.
 */
export async function untilQuiet(
  cluster: Cluster,
  workload: Pick<Workload, 'reports'>,
  onProgress: (line: string) => void = () => {},
): Promise<string | undefined> {
  let aheadMs = 0
  let mark = ''
  let movedAt = performance.now()
  for (;;) {
    const waiting = await look(cluster)
    const reports = workload.reports()
    if (Number(waiting.count) + Number(waiting.calls) + reports === 0) return undefined
    const now = Date.now() + aheadMs
    if (waiting.mark !== mark) {
      mark = waiting.mark
      movedAt = performance.now()
    }
    const awayMs = (waiting.next_ms ?? now) - now
    const isIdle = Number(waiting.held) + Number(waiting.calls) + reports === 0
    if (isIdle && awayMs > 0) {
      aheadMs += awayMs + JUMP_MARGIN_MS
      if (aheadMs > AHEAD_MAX_MS) return `${waiting.count} jobs wait for more than 40 days`
      if (awayMs > NEAR_MS)
        onProgress(`${waiting.count} jobs wait; the clocks are set ${Math.round(aheadMs / 1000)} s forward`)
      for (const member of cluster.members) if (member.role === 'worker') member.shiftClock(aheadMs)
      movedAt = performance.now()
    } else if (performance.now() - movedAt > STILL_MS)
      return `${waiting.count} jobs, ${waiting.calls} calls and ${reports} reports of providers have not moved for ${STILL_MS / 1000} s`
    await sleep(LOOK_MS)
  }
}

async function look(cluster: Cluster): Promise<Waiting> {
  const [row] = await cluster.query<Waiting>(
    `select count(*), count(owner) as held, extract(epoch from min(run_at) filter (where owner is null)) * 1000 as next_ms,
       md5(string_agg(id || attempts || lost || coalesce(owner, ''), ' ' order by id)) as mark,
       (select count(*) from attended_calls) as calls
     from jobs where state = 'ready'`,
  )
  return { ...row!, next_ms: row!.next_ms === null ? null : Number(row!.next_ms) }
}
