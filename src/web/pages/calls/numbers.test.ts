import { expect, test } from 'vitest'
import { bucketsOf, latencyInWords, shareInWords } from './numbers.ts'

const bucket = (at: string, agent_id: string, responses: number, failed: number) => ({
  at,
  agent_id,
  responses,
  failed,
  latency_p50_ms: null,
})

test('the agents of one hour are one bucket, and an hour without words is an empty one', () => {
  const told = bucketsOf({
    from: '2026-05-12T00:00:00.000Z',
    until: '2026-05-12T03:00:00.000Z',
    buckets: [
      bucket('2026-05-12T02:00:00.000Z', 'a', 3, 1),
      bucket('2026-05-12T00:00:00.000Z', 'a', 2, 0),
      bucket('2026-05-12T02:00:00.000Z', 'b', 4, 0),
    ],
  })
  expect(told.map(({ responses, failed }) => [responses, failed])).toEqual([
    [2, 0],
    [0, 0],
    [7, 1],
  ])
})

test('a longer time is counted by the day', () => {
  const told = bucketsOf({
    from: '2026-05-05T10:00:00.000Z',
    until: '2026-05-12T10:00:00.000Z',
    buckets: [bucket('2026-05-12T00:00:00.000Z', 'a', 5, 0)],
  })
  expect(told).toHaveLength(8)
  expect(told.at(-1)).toMatchObject({ hourly: false, responses: 5 })
})

test('shares and waits are told as a person reads them', () => {
  expect([shareInWords(0, 0), shareInWords(0, 9), shareInWords(1, 30), shareInWords(9, 10)]).toEqual([
    '–',
    '0 %',
    '3.3 %',
    '90 %',
  ])
  expect([null, 480.4, 1_240].map(latencyInWords)).toEqual(['–', '480 ms', '1.2 s'])
})
