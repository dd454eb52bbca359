import { expect, test } from 'vitest'
import { outreachDetail, outreachTypes, outreachWords } from './outreach-words.ts'

const told = (type: string, data: Record<string, unknown> = {}) => ({
  type,
  subject: { kind: 'message', id: 'm1' },
  data: { message_id: 'm1', subject: 'Hello', ...data },
})
const sentence = (type: string, data?: Record<string, unknown>) => {
  const words = outreachWords(told(type, data))
  return words && [words.before, words.record?.name, words.after].filter(Boolean).join(' ')
}

test('every event of a message or a sequence has words', () => {
  for (const type of outreachTypes) expect(outreachWords(told(type)), type).toBeDefined()
  expect(outreachWords(told('lead.created'))).toBeUndefined()
})

test('a machine that opens a mail is not taken for its reader', () => {
  expect(sentence('email.opened')).toBe('tracked an open of Hello')
  expect(sentence('email.opened', { machine: true })).toBe('tracked an automated open of Hello')
  expect(sentence('email.clicked', { meeting: true })).toBe('tracked a click on the meeting link in Hello')
})

test('a sequence that ends says why', () => {
  const data = { sequence_id: 's1', sequence_name: 'Welcome', reason: 'replied' }
  expect(sentence('outreach.stopped', data)).toBe('ended Welcome for this lead: replied')
  expect(sentence('outreach.enrolled', data)).toBe('enrolled this lead in Welcome')
})

test('an answer is told with its text, a bounce with its reason', () => {
  expect(outreachDetail(told('email.replied', { text: 'Yes, please.' }))).toEqual({ quote: 'Yes, please.' })
  expect(outreachDetail(told('email.bounced', { reason: 'No such user' }))).toEqual({ about: 'No such user' })
  expect(outreachDetail(told('email.sent'))).toEqual({})
})

test('a text message is called by what it is', () => {
  expect(sentence('sms.sent', { subject: null })).toBe('sent a text message')
  expect(sentence('sms.unsubscribed', { subject: null })).toBe('received STOP in reply to a text message')
})
