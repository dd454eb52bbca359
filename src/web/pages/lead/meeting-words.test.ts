import { expect, test } from 'vitest'
import { meetingDetail, meetingWords } from './meeting-words.ts'
import { isTold } from './record-words.ts'

const subject = { kind: 'meeting', id: 'm1' }
const say = (type: string, data: Record<string, unknown>) => {
  const words = meetingWords({ type, subject, data })
  return words && [words.before, words.record?.name, words.after].filter(Boolean).join(' ')
}

test.for<[type: string, data: Record<string, unknown>, words: RegExp]>([
  [
    'meeting.booked',
    { title: 'Demo', starts_at: '2026-05-12T09:00:00.000Z' },
    /^booked the meeting Demo for .*12.*, \d+:\d\d/,
  ],
  [
    'meeting.moved',
    { title: 'Demo', starts_at: '2026-05-12T09:00:00.000Z' },
    /^rescheduled the meeting Demo to /,
  ],
  ['meeting.cancelled', { title: 'Demo' }, /^cancelled the meeting Demo$/],
  ['meeting.changed', { name: 'Demo', after: { status: 'HELD' } }, /^marked the meeting Demo as held$/],
  [
    'meeting.changed',
    { name: 'Demo', after: { status: 'NO_SHOW' } },
    /^marked the meeting Demo as a no-show$/,
  ],
  [
    'meeting.changed',
    { name: 'Demo', after: { location: 'Here' } },
    /^changed the details of the meeting Demo$/,
  ],
  ['meeting.booked', {}, /^booked the meeting a meeting$/],
])('%s', ([type, data, words]) => {
  expect(say(type, data)).toMatch(words)
})

test('why it is off is told, and what calendars do is not', () => {
  expect(meetingDetail({ type: 'meeting.cancelled', data: { reason: 'Ill' } })).toBe('Ill')
  expect(meetingWords({ type: 'meeting.synced', subject, data: {} })).toBeUndefined()
  expect(isTold({ type: 'meeting.synced', subject, data: {} })).toBe(false)
})
