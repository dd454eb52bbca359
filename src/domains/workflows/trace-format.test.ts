import { expect, test } from 'vitest'
import type { Entry } from './state.ts'
import { shownTrace, storedTrace } from './trace-format.ts'
import { actionNames, nodeTypes } from './values.ts'

const at = '2026-03-02T09:00:00.000Z'
const entries: Entry[] = [
  {
    path: 'nodes[0]',
    type: 'condition',
    name: 'Long call',
    outcome: 'yes',
    note: 'durationSec is 200: > 120',
    at,
  },
  {
    path: 'nodes[1].then[0]',
    type: 'action',
    action: 'create_task',
    outcome: 'done',
    note: null,
    input: { title: 'Call', assignee_id: null },
    result: { task_id: 'a' },
    at: '2026-03-02T09:00:00.017Z',
  },
  { path: 'nodes[2]', type: 'delay', outcome: 'waiting', note: null, until: '2026-03-03T09:00:00.000Z', at },
  {
    path: 'nodes[3].nodes[0]',
    type: 'action',
    action: 'send_email',
    outcome: 'failed',
    note: 'No address.',
    turn: 3,
    at,
  },
  { path: 'nodes[4]', type: 'break', outcome: 'stopped', note: null, at: '2026-03-02T08:59:59.999Z' },
]

test('a trace is shown as it was before it was stored', () => {
  const stored = JSON.parse(JSON.stringify(storedTrace(entries)))
  expect(shownTrace(stored)).toEqual(entries)
  expect(shownTrace([])).toEqual([])
})

test('one that was stored as it is shown is shown as it is', () => {
  expect(shownTrace(entries)).toEqual(entries)
})

test('what nothing follows is left out, and no field has a name', () => {
  expect(storedTrace(entries.slice(-1))).toEqual([
    ['nodes[4]', 'break', 'stopped', Date.parse(entries.at(-1)!.at)],
  ])
  expect(JSON.stringify(storedTrace(entries)).length).toBeLessThan(JSON.stringify(entries).length * 0.65)
})

test('no action is called like a type of node: one name says which it is', () => {
  expect(nodeTypes.filter(type => (actionNames as readonly string[]).includes(type))).toEqual([])
})
