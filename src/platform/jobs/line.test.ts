import { expect, test, vi } from 'vitest'
import { Problem } from '../problem.ts'
import type { StatementResult } from '../database/flush.ts'
import type { Checkout, Pool } from '../database/pool.ts'
import { openStage } from './jobs.harness.ts'
import { LINE_TIMEOUT_MS } from './limits.ts'
import { openLine } from './line.ts'

const lost = () => new Problem('unavailable', 'gone', { code: 'database_unavailable' })
const one = { rows: [{ n: 1 }], rowCount: 1, command: 'SELECT' }
/** What the server answers to BEGIN and COMMIT. */
const done = { rows: [], rowCount: 0, command: '' }

/** A pool whose connections do what the test says, and that remembers which were thrown away. */
function makePool(...connections: ((calls: number) => Promise<StatementResult[]>)[]) {
  const thrownAway: number[] = []
  let opened = 0
  const pool = {
    async checkOut() {
      const index = opened++
      let calls = 0
      return {
        flush: () => connections[index]!(calls++),
        release: () => thrownAway.push(index),
      } as unknown as Checkout
    },
  } as Pool
  return { pool, thrownAway, opened: () => opened }
}

test('statements go one after the other over one connection', async () => {
  let under = 0
  const connection = async () => {
    expect(++under).toBe(1)
    await new Promise(resolve => setImmediate(resolve))
    under--
    return [done, one, done]
  }
  const { pool, opened } = makePool(connection)
  const line = openLine(pool)
  await Promise.all(Array.from({ length: 10 }, () => line.flush([])))
  expect(opened()).toBe(1)
})

test('after any failure the connection is thrown away, and the next statement has a new one', async () => {
  const { pool, thrownAway } = makePool(
    async calls => (calls === 0 ? [] : Promise.reject(lost())),
    async calls => (calls === 0 ? [] : Promise.reject(new Error('syntax error'))),
    async () => Promise.reject(lost()),
    async () => [done, one, done],
  )
  const line = openLine(pool)
  await expect(line.flush([])).rejects.toThrow('gone')
  await expect(line.flush([])).rejects.toThrow('syntax error')
  await expect(line.flush([])).rejects.toThrow('gone')
  expect(await line.flush([])).toEqual([one])
  await line.close()
  await vi.waitFor(() => expect(thrownAway).toEqual([0, 1, 2, 3]))
})

test('a connection that does not answer is given up', async () => {
  vi.useFakeTimers()
  try {
    const silence = Promise.withResolvers<StatementResult[]>()
    const { pool, thrownAway } = makePool(
      calls => (calls === 0 ? Promise.resolve([]) : silence.promise),
      async () => [done, one, done],
    )
    const line = openLine(pool)
    const unanswered = expect(line.flush([])).rejects.toThrow('gone')
    await vi.advanceTimersByTimeAsync(LINE_TIMEOUT_MS - 1)
    expect(thrownAway).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(thrownAway).toEqual([0])
    // Throwing a connection away ends what waits on it.
    silence.reject(lost())
    await unanswered
    expect(await line.flush([])).toEqual([one])
  } finally {
    vi.useRealTimers()
  }
})

test('the connection is kept apart from the pool, and is gone when the line is closed', async () => {
  const stage = await openStage()
  const { pool } = stage.runtime([], { poolSize: 2 })
  const line = openLine(pool)
  const pid = async (from: Pool) =>
    (await from.flush([{ text: 'select pg_backend_pid() as pid', values: [] }]))[0]!.rows[0]!.pid
  const own = await pid(line)
  expect(await pid(pool)).not.toBe(own)
  expect(await pid(line)).toBe(own)
  await line.close()
  await vi.waitFor(() => expect(pool.stats().total).toBe(1))
  const settings = await pool.flush([{ text: 'show enable_seqscan', values: [] }])
  expect(settings[0]!.rows).toEqual([{ enable_seqscan: 'on' }])
})
