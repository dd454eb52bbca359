import { setTimeout as sleep } from 'node:timers/promises'
import type { Laboratory } from './laboratory.ts'

const LOOK_MS = 250
const STILL_MS = 90_000
/** Such a wait is not sat out when nothing is in anybody's hands: the clocks of the workers are set forward. */
const NEAR_MS = 15_000
const JUMP_MARGIN_MS = 1_000
/** The wait for the next regular reading, which has no end, and for answers that are due. */
const ENDLESS = ['mailboxes.read', 'conversations.answer_due']

/** Until nothing is left to do but to wait for new emails. Answers why it gave up, if it did. */
export async function whenQuiet({
  cluster,
  say,
}: Pick<Laboratory, 'cluster' | 'say'>): Promise<string | undefined> {
  const workers = cluster.members.filter(({ role }) => role === 'worker')
  let aheadMs = 0
  let mark = ''
  let movedAt = performance.now()
  for (;;) {
    const [row] = await cluster.query(
      `select count(*)::int, count(owner)::int as held, (extract(epoch from min(run_at)) * 1000)::float8 as next_ms,
         md5(string_agg(id || attempts || lost || coalesce(owner, ''), ' ' order by id)) as mark
       from jobs where state = 'ready' and (owner is not null or kind <> all($1))`,
      [ENDLESS],
    )
    const { count, held, next_ms } = row!
    if (count === 0) {
      for (const worker of workers) worker.shiftClock(0)
      return undefined
    }
    if (row!.mark !== mark) {
      mark = row!.mark
      movedAt = performance.now()
    }
    const awayMs = next_ms - Date.now() - aheadMs
    if (held === 0 && awayMs > NEAR_MS) {
      aheadMs += awayMs + JUMP_MARGIN_MS
      say(`${count} jobs wait; the clocks are set ${Math.round(aheadMs / 1000)} s forward`)
      for (const worker of workers) worker.shiftClock(aheadMs)
      movedAt = performance.now()
    } else if (performance.now() - movedAt > STILL_MS)
      return `${count} jobs have not moved for ${STILL_MS / 1000} s`
    await sleep(LOOK_MS)
  }
}
