import { expect, test } from 'vitest'
import { laterInWords } from './later.ts'
import { nodeInWords, summaryOf, titleOf, windowInWords, type Names } from './words.ts'

const names: Names = {
  title: ({ type, action }) => String(action ?? type).replaceAll('_', ' '),
  person: id => (id === 'a' ? 'Ada' : 'Somebody'),
}
const mail = { type: 'action', action: 'send_email', template: 'recap', delay: '2d' }
const call = { type: 'condition', field: 'durationSec', op: '>', value: 120, then: [mail], else: [] }

test('a node says what it is, what it does and where it stands', () => {
  expect(titleOf(call, names)).toBe('durationSec > 120')
  expect(summaryOf(mail, names)).toBe('after 2d · template recap')
  expect(nodeInWords([call], 'nodes[0].then[0]', names)).toBe(
    'send email, after 2d · template recap, in the Yes branch of If durationSec > 120',
  )
  expect(summaryOf({ type: 'action', action: 'create_task', delay: '2d', due: '1d' }, names)).toBe(
    'after 2d · due in 1d',
  )
  expect(summaryOf({ type: 'action', action: 'schedule_call', due: '1d' }, names)).toBe('call in 1d')
  expect(summaryOf({ type: 'action', action: 'assign_to_rep', member: 'a' }, names)).toBe('to Ada')
  expect(summaryOf({ type: 'loop', over: 'event.items' }, names)).toBe('For each item in event.items')
  expect(
    titleOf(
      { type: 'condition', field: 'a', op: 'exists', also: [{ field: 'b', op: '==', value: '' }] },
      names,
    ),
  ).toBe('a exists and b == empty')
  expect(windowInWords({ days: [5, 1, 2, 3, 4], from: '09:00', until: '17:00' })).toBe('Mon–Fri 09:00–17:00')
  expect(windowInWords({ days: [1, 3], from: '09:00', until: '17:00' })).toBe('Mon, Wed 09:00–17:00')
})

test('how long after the beginning something is, as one would say it', () => {
  const minute = 60_000
  const said = [0, 30_000, 90 * minute, 26 * 60 * minute, 24 * 60 * minute, 48 * 60 * minute].map(
    laterInWords,
  )
  expect(said).toEqual(['immediately', 'in 30 s', 'in 1.5 h', 'in 1.1 days', 'in 1 day', 'in 2 days'])
})
