import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { gather } from './gather.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('alone it goes at once; what comes while it is on its way goes together', async () => {
  const { handIn, batches, arrive } = line({})
  void handIn(1)
  await turn()
  void handIn(2)
  void handIn(3)
  await turn()
  expect(batches).toEqual([[1]])
  await arrive()
  expect(batches).toEqual([[1], [2, 3]])
})

test('where company is wanted, few wait for each other, but not for long', async () => {
  const { handIn, batches, arrive } = line({ batchMin: 3, patienceMs: 5 })
  void handIn(1)
  await turn()
  vi.advanceTimersByTime(4)
  expect(batches).toEqual([])
  void handIn(2)
  void handIn(3)
  await turn()
  expect(batches).toEqual([[1, 2, 3]])

  void handIn(4)
  await arrive()
  vi.advanceTimersByTime(4)
  expect(batches).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(batches).toEqual([[1, 2, 3], [4]])
})

/** Batches stay on their way until they are let arrive. */
function line(options: { batchMin?: number; patienceMs?: number }) {
  const batches: number[][] = []
  let arrived = () => {}
  const handIn = gather(
    (items: number[]) => {
      batches.push(items)
      return new Promise<number[]>(resolve => (arrived = () => resolve(items)))
    },
    { batchMax: 10, ...options },
  )
  const arrive = async () => {
    arrived()
    await turn()
  }
  return { handIn, batches, arrive }
}
