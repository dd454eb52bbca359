import { expect } from 'vitest'
import type { FakeClock } from '#platform/clock.ts'
import type { TestApp } from './app.ts'
import { eventually } from './eventually.ts'

/**
 * Until no job is due and none is in hand. A clock of the test is moved only then: what a worker has in hand would lose its
 * lease, and be put off by a clock that stands still.
 */
export async function settle({ database, runtime }: Pick<TestApp, 'database' | 'runtime'>): Promise<void> {
  await eventually(async () => {
    const undone = await database.query(
      `select kind from jobs where state = 'ready' and (run_at <= $1 or owner is not null)`,
      [new Date(runtime.clock.now()).toISOString()],
    )
    expect(undone).toEqual([])
  })
}

const RETRY_MS_MAX = 3_600_000

/**
 * A busy machine loses connections: a job is then tried again a little later, by a clock that stands still. It is moved on to
 * that time. Tells which jobs failed.
 */
export async function passRetries(
  { database }: Pick<TestApp, 'database'>,
  clock: FakeClock,
): Promise<string> {
  const failed = await database.query<{ kind: string; at: number; last_error: string }>(
    `select kind, (extract(epoch from run_at) * 1000)::float8 as at, last_error from jobs
     where state = 'ready' and owner is null and attempts > 0 and last_error is not null order by run_at`,
  )
  const [first] = failed
  const waitMs = first ? first.at - clock.now() : 0
  if (waitMs > 0 && waitMs < RETRY_MS_MAX) clock.advance(waitMs)
  return JSON.stringify(failed)
}
