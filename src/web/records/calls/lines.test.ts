import { expect, test } from 'vitest'
import type { CallLine } from '#domains/calls/contract.ts'
import { mergeLines } from './lines.ts'

const line = (id: string, second: number, more: Partial<CallLine> = {}): CallLine => ({
  id,
  speaker: 'agent',
  text: id,
  tool: null,
  at: new Date(second * 1_000).toISOString(),
  ...more,
})
const tool = (status: 'asked' | 'done') =>
  line('t', 2, { speaker: 'tool', tool: { name: 'schedule_meeting', arguments: {}, status, result: null } })
const ids = (lines: CallLine[]) => lines.map(({ id }) => id).join('')

test('lines are put in order, each once, whoever told them first', () => {
  const [a, b, c] = [line('a', 1), line('b', 2), line('c', 2)]
  expect(ids(mergeLines([a], [c, b]))).toBe('abc')
  expect(ids(mergeLines([a, b, c], [b]))).toBe('abc')
  expect(ids(mergeLines([c], [a, b]))).toBe('abc')
})

test('an older telling of a tool does not take back what it answered', () => {
  expect(mergeLines([tool('asked')], [tool('done')])[0]!.tool!.status).toBe('done')
  expect(mergeLines([tool('done')], [tool('asked')])[0]!.tool!.status).toBe('done')
})
