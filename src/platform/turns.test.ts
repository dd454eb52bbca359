import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { takingTurns, WAITING_IN_ALL_MAX, WAITING_MAX } from './turns.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('one piece of work at a time, and callers one after the other', async () => {
  const turns = takingTurns()
  const began: string[] = []
  const work = async (caller: string) => {
    const end = await turns.take(caller)
    began.push(caller)
    await new Promise(resolve => setTimeout(resolve, 10))
    end()
  }
  const all = [...Array.from({ length: 4 }, () => work('many')), work('one'), work('another')]
  await vi.runAllTimersAsync()
  await Promise.all(all)
  expect(began).toEqual(['many', 'many', 'one', 'another', 'many', 'many'])
})

test('while others wait, everybody else gets as much time as a turn took', async () => {
  const turns = takingTurns()
  const end = await turns.take('me')
  let next = false
  void turns.take('me').then(() => (next = true))
  await vi.advanceTimersByTimeAsync(60)
  end()
  await vi.advanceTimersByTimeAsync(59)
  expect(next).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(next).toBe(true)
})

test('who is alone does not wait', async () => {
  const turns = takingTurns()
  const began = performance.now()
  for (let piece = 0; piece < 3; piece++) {
    const end = await turns.take('me')
    await vi.advanceTimersByTimeAsync(50)
    end()
    await vi.advanceTimersToNextTimerAsync()
  }
  expect(performance.now() - began).toBe(150)
})

test('a turn that waits for something else holds nobody up for longer than a turn', async () => {
  const turns = takingTurns()
  await turns.take('slow')
  const next = turns.take('me')
  await vi.advanceTimersByTimeAsync(200)
  await expect(next).resolves.toBeTypeOf('function')
})

test('a caller with too many at once is told so, and so is everybody when all have too many', async () => {
  const turns = takingTurns()
  const refused = { kind: 'too_many_requests', code: 'too_many_at_once' }
  await turns.take('me')
  for (let piece = 0; piece < WAITING_MAX; piece++) void turns.take('me')
  await expect(turns.take('me')).rejects.toMatchObject(refused)
  for (let piece = 0; piece < WAITING_IN_ALL_MAX - WAITING_MAX; piece++) void turns.take(`caller ${piece}`)
  await expect(turns.take('somebody')).rejects.toMatchObject(refused)
})
