import { expect, test } from 'vitest'
import { callsSearch } from './search.ts'

const [AGENT, LEAD] = ['a'.repeat(24), 'b'.repeat(24)]

test('only what the API understands of a URL gets through', () => {
  const raw = {
    live: 'true',
    status: ['ENDED', 'GONE', 'FAILED'],
    kind: 'agent',
    direction: 'inbound',
    agent_id: AGENT,
    lead_id: [LEAD, AGENT],
    q: 'anything',
    trashed: 'true',
  }
  expect(callsSearch(raw)).toEqual({
    live: true,
    status: ['ENDED', 'FAILED'],
    kind: ['agent'],
    direction: ['inbound'],
    agent_id: [AGENT],
    lead_id: [LEAD],
  })
  expect(callsSearch({ live: 'yes', status: 'ended', kind: '<script>', agent_id: '1', lead_id: {} })).toEqual(
    {},
  )
})

test('the numbers know a period and an agent, and nothing of the list', () => {
  expect(callsSearch({ tab: 'numbers', period: '30d', agent_id: AGENT, status: 'ENDED' })).toEqual({
    tab: 'numbers',
    period: ['30d'],
    agent_id: [AGENT],
  })
  // What is shown unasked needs no word in the address.
  expect(callsSearch({ tab: 'numbers', period: '7d' })).toEqual({ tab: 'numbers' })
  expect(callsSearch({ tab: 'else', period: '30d' })).toEqual({})
})
