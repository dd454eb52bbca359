import { expect } from 'vitest'
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
