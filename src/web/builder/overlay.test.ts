import { expect, test } from 'vitest'
import type { TraceEntry } from '#domains/workflows/contract.ts'
import { marksOf, reached } from './overlay.ts'
import type { Nodes } from './tree.ts'

const mail = { type: 'action', action: 'send_email', template: 'recap', delay: '2d' }
test('a node shows its last outcome, how often it was done, and after the end what was never come to', () => {
  const entry = (path: string, outcome: TraceEntry['outcome'], at = 1): TraceEntry => ({
    path,
    type: 'action',
    outcome,
    note: null,
    at: `2026-03-0${at}T09:00:00.000Z`,
  })
  const nodes: Nodes = [{ type: 'loop', nodes: [mail] }, mail]
  const trace = [
    entry('nodes[0].nodes[0]', 'waiting'),
    entry('nodes[0].nodes[0]', 'done', 2),
    entry('nodes[0].nodes[0]', 'done', 3),
  ]
  const marks = marksOf(trace, nodes, true)
  expect(marks.get('nodes[0].nodes[0]')).toEqual({
    outcome: 'done',
    word: 'Done',
    at: '2026-03-03T09:00:00.000Z',
    times: 2,
  })
  expect(marks.get('nodes[1]')?.word).toBe('Not run')
  expect(marksOf(trace, nodes, false).has('nodes[1]')).toBe(false)
  expect([...reached(trace)]).toEqual(['nodes[0].nodes[0]', 'nodes[0]'])
})
