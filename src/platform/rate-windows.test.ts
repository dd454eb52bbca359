import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { testPorts } from '#test/ports.ts'
import { plainSettings } from '#test/settings.ts'
import { FakeClock, type Clock } from './clock.ts'
import { systemContext, type Runtime } from './context.ts'
import { openPool, type Pool } from './database/pool.ts'
import {
  EXCHANGE_EVERY_MS,
  EXCHANGE_TIMEOUT_MS,
  pruneRateWindows,
  startRateWindows,
  unreportedMax,
  type Policy,
  type RateWindows,
} from './rate-windows.ts'
import { createRegistry } from './registry.ts'

const hundred: Policy = { name: 'hundred', quota: 100, windowS: 60 }
const once: Policy = { name: 'once', quota: 1, windowS: 60 }

let database: TestDatabase
let pool: Pool
let clock: FakeClock
beforeAll(async () => {
  database = await createDatabase()
  pool = openPool({ url: database.loginUrl, size: 4, onError: () => {} })
})
afterAll(async () => {
  await pool.close()
  await database.drop()
})
beforeEach(async () => {
  clock = new FakeClock()
  await database.query('truncate rate_windows')
})

function runtimeOf(pool: Pool, clock: Clock): Runtime {
  return {
    pool,
    clock,
    log: pino({ level: 'silent' }),
    registry: createRegistry({ jobs: [], reactions: [], scheduled: [], sweeps: [] }),
    settings: { ...plainSettings, sessionSecrets: [Buffer.from('the same in all processes')] },
    ports: testPorts(),
    wakeWorker: () => {},
    changes: undefined as never,
    windows: undefined as never,
  }
}

/** One for each process; each has memory of its own, and the table is shared. */
function process(through: Pool = pool, at: Clock = clock): RateWindows {
  const windows = startRateWindows(runtimeOf(through, at))
  onTestFinished(() => windows.stop())
  return windows
}

const allowed = async (windows: RateWindows, policy: Policy, caller = 'caller') =>
  (await windows.count(policy, caller)).used <= policy.quota

describe('several processes', () => {
  test.for([1, 2, 3, 8])(
    '%i of them let through at most the quota and the unreported share of each',
    async count => {
      const processes = Array.from({ length: count }, () => process())
      const asked = await Promise.all(
        processes.flatMap(windows => Array.from({ length: 150 }, () => allowed(windows, hundred))),
      )
      const through = asked.filter(Boolean).length
      expect(through).toBeGreaterThanOrEqual(100)
      expect(through).toBeLessThanOrEqual(100 + (count - 1) * unreportedMax(100))
    },
  )

  test('a burst that outruns the exchange begins the next one, and does not wait for the one of the second', async () => {
    const flushes = counted(pool)
    const windows = process(flushes.pool)
    const before = performance.now()
    await Promise.all(Array.from({ length: 100 }, () => windows.count(hundred, 'caller')))
    // Each exchange lets through as much as a process may leave unreported.
    const exchanges = 100 / unreportedMax(100) - 1
    expect(flushes.count()).toBeGreaterThanOrEqual(exchanges)
    expect(performance.now() - before).toBeLessThan((exchanges * EXCHANGE_EVERY_MS) / 4)
  })

  test('a caller that takes turns between them sees one count', async () => {
    const [one, other] = [process(), process()]
    for (let n = 0; n < 3; n++) await one.count(hundred, 'caller')
    await one.exchange()
    await other.count(hundred, 'caller')
    await other.exchange()
    expect((await other.count(hundred, 'caller')).used).toBe(5)
    expect((await one.count(hundred, 'caller')).used).toBe(4)
    await one.exchange()
    await other.exchange()
    expect((await one.count(hundred, 'caller')).used).toBe(6)
  })

  test('a caller has the same window everywhere, and a new one when it has ended', async () => {
    const [one, other] = [process(), process()]
    const { endsAt } = await one.count(hundred, 'caller')
    await one.exchange()
    clock.advance(20_000)
    await other.count(hundred, 'caller')
    await other.exchange()
    expect(await other.count(hundred, 'caller')).toMatchObject({ used: 3, endsAt })
    clock.advance(40_000)
    expect(await other.count(hundred, 'caller')).toMatchObject({ used: 1, endsAt: endsAt + 60_000 })
    await other.exchange()
    expect(await database.query('select used from rate_windows')).toEqual([{ used: 1 }])
  })

  test('what asks every process, such as a probe, is counted by each for itself', async () => {
    const [one, other] = [process(), process()]
    const probe: Policy = { ...hundred, perProcess: true }
    for (let n = 0; n < 100; n++) expect(await allowed(one, probe)).toBe(true)
    await one.exchange()
    expect(await allowed(one, probe)).toBe(false)
    expect(await allowed(other, probe)).toBe(true)
    expect(await database.query('select from rate_windows')).toEqual([])
  })

  test('a clock that was far ahead locks a caller out for no longer than a window', async () => {
    const ahead = new FakeClock(clock.now() + 3_600_000)
    const early = process(pool, ahead)
    for (let n = 0; n < 100; n++) await early.count(hundred, 'caller')
    await early.exchange()
    const punctual = process()
    expect(await allowed(punctual, hundred)).toBe(true)
    await punctual.exchange()
    expect(await allowed(punctual, hundred)).toBe(false)
    clock.advance(60_000)
    expect(await allowed(punctual, hundred)).toBe(true)
    await punctual.exchange()
    expect(await allowed(punctual, hundred)).toBe(true)
  })

  test('two that report the same callers at once do not block each other', async () => {
    const processes = [process(), process()]
    for (let round = 0; round < 5; round++) {
      for (const [at, windows] of processes.entries())
        for (let n = 0; n < 500; n++) windows.tryCount(hundred, `caller ${at === 0 ? n : 499 - n}`)
      await Promise.all(processes.map(windows => windows.exchange()))
    }
    const [row] = await database.query(
      'select sum(used)::int as used, count(*)::int as callers from rate_windows',
    )
    expect(row).toEqual({ used: 5_000, callers: 500 })
  })
})

describe('what a count costs', () => {
  test('no statement until the unreported share is half used', () => {
    const flushes = counted(pool)
    const windows = process(flushes.pool)
    for (let n = 1; n < unreportedMax(6_000) / 2; n++)
      windows.tryCount({ ...hundred, quota: 6_000 }, 'caller')
    expect(flushes.count()).toBe(0)
    windows.tryCount({ ...hundred, quota: 6_000 }, 'caller')
    expect(flushes.count()).toBe(1)
  })

  test('nothing when nobody has asked', async () => {
    const flushes = counted(pool)
    await process(flushes.pool).exchange()
    expect(flushes.count()).toBe(0)
  })

  test('one statement for a thousand callers, and the next thousand with the next', async () => {
    const windows = process()
    for (let n = 0; n < 1_001; n++) windows.tryCount(hundred, `caller ${n}`)
    const stored = async () => (await database.query('select from rate_windows')).length
    await windows.exchange()
    expect(await stored()).toBe(1_000)
    await windows.exchange()
    expect(await stored()).toBe(1_001)
  })
})

describe('without the database', () => {
  test('a process counts alone, holds nobody up, and reports later what it counted', async () => {
    let away = true
    const unsteady: Pool = {
      ...pool,
      flush: async statements => {
        if (away) throw new Error('Connection terminated unexpectedly')
        return pool.flush(statements)
      },
    }
    const windows = process(unsteady)
    const asked = await Promise.all(Array.from({ length: 150 }, () => allowed(windows, hundred)))
    expect(asked.filter(Boolean)).toHaveLength(100)
    away = false
    await windows.exchange()
    expect(await database.query('select used from rate_windows')).toEqual([{ used: 100 }])
  })

  test('one that does not answer is waited for briefly, and only once', async () => {
    const { promise, resolve } = Promise.withResolvers<never[]>()
    onTestFinished(() => resolve([]))
    const windows = process({ ...pool, flush: () => promise })
    const before = performance.now()
    const asked = await Promise.all(Array.from({ length: 150 }, () => allowed(windows, hundred)))
    expect(asked.filter(Boolean)).toHaveLength(100)
    expect(performance.now() - before).toBeLessThan(10 * EXCHANGE_TIMEOUT_MS)
    expect(windows.tryCount(hundred, 'another')).toBeDefined()
    for (let n = 0; n < 50; n++) expect(windows.tryCount(hundred, 'another')).toBeDefined()
    resolve([])
  })
})

describe('what is stored', () => {
  test('is no address, and goes with the next housekeeping after its window', async () => {
    const windows = process()
    windows.tryCount(hundred, '192.0.2.7')
    await windows.exchange()
    const [row] = await database.query<{ caller: string }>('select caller from rate_windows')
    expect(row!.caller).toMatch(/^[\w-]{43}$/)
    const ctx = systemContext(runtimeOf(pool, clock))
    expect(await pruneRateWindows(ctx)).toBe(0)
    clock.advance(60_001)
    expect(await pruneRateWindows(ctx)).toBe(1)
  })

  test('does not survive a crash and is not sent to a standby', async () => {
    const [row] = await database.query(
      `select relpersistence from pg_class where oid = 'rate_windows'::regclass`,
    )
    expect(row).toEqual({ relpersistence: 'u' })
  })
})

describe('memory', () => {
  test('a flood of callers is bounded, and forgets the oldest first', () => {
    const windows = process(silent)
    windows.tryCount(once, 'first')
    expect(windows.tryCount(once, 'first')!.used).toBe(2)
    for (let n = 0; n < 60_000; n++) windows.tryCount(once, `caller ${n}`)
    expect(windows.tryCount(once, 'first')!.used).toBe(1)
    expect(windows.tryCount(once, 'caller 59999')!.used).toBe(2)
  })

  test('a caller that came back is not among the oldest', () => {
    const windows = process(silent)
    windows.tryCount(once, 'regular')
    for (let n = 0; n < 30_000; n++) windows.tryCount(once, `early ${n}`)
    clock.advance(60_000)
    windows.tryCount(once, 'regular')
    for (let n = 0; n < 25_000; n++) windows.tryCount(once, `late ${n}`)
    expect(windows.tryCount(once, 'regular')!.used).toBe(2)
  })

  /** A database that stores nothing: only memory counts here. */
  const silent = { flush: async () => [{ rows: [] }] } as unknown as Pool
})

function counted(pool: Pool): { pool: Pool; count: () => number } {
  let count = 0
  return {
    pool: { ...pool, flush: statements => (count++, pool.flush(statements)) },
    count: () => count,
  }
}
