import { afterEach, expect, test, vi } from 'vitest'
import type { Call, CallLine } from '#domains/calls/contract.ts'
import type { LiveChange } from '#domains/live/contract.ts'
import { queryClient } from '../../query-client.ts'
import { applyLines } from './lines.ts'
import { calls } from './store.ts'

afterEach(() => void vi.unstubAllGlobals())

test('what is said while notes are being saved stays', async () => {
  const line = (id: string, second: number) =>
    ({ id, speaker: 'agent', text: id, tool: null, at: new Date(second * 1_000).toISOString() }) as CallLine
  const id = 'c'.repeat(24)
  const call = { id, notes: null, updated_at: '2026-01-01T00:00:00.000Z', transcript: [line('a', 1)] }
  const { queryKey } = calls.query(id)
  const shown = () => queryClient.getQueryData<Call>(queryKey)!
  queryClient.setQueryData(queryKey, call as unknown as Call)
  const answer = Promise.withResolvers<void>()
  vi.stubGlobal('fetch', async () => {
    await answer.promise
    return Response.json({ ...call, notes: 'Ring back', updated_at: '2026-01-01T00:00:01.000Z' })
  })
  const saved = calls.save(id, { notes: 'Ring back' })
  await vi.waitFor(() => expect(shown().notes).toBe('Ring back'))
  applyLines({
    type: 'call.lines',
    subject: { kind: 'call', id },
    data: { lines: [line('b', 2)] },
  } as unknown as LiveChange)
  answer.resolve()
  await saved
  expect(shown().transcript.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(shown().notes).toBe('Ring back')
})
