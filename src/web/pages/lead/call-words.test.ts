import { expect, test } from 'vitest'
import { callDetail, callTypes } from './call-words.ts'
import { isTold, recordWords } from './record-words.ts'

const told = (type: string, data: Record<string, unknown> = {}) => ({
  type,
  subject: { kind: 'call', id: 'c1' },
  data,
})
const sentence = (type: string, data?: Record<string, unknown>) => {
  const words = recordWords(told(type, data))
  return [words?.before, words?.record?.name, words?.after].filter(Boolean).join(' ')
}

test('a call is told from its beginning to its end, with the way to it', () => {
  expect(sentence('call.started', { kind: 'agent', direction: 'outbound', status: 'DIALING' })).toBe(
    'started a call',
  )
  expect(sentence('call.started', { status: 'SCHEDULED' })).toBe('scheduled a call')
  expect(sentence('call.started', { direction: 'inbound' })).toBe('received a call')
  expect(sentence('call.connected')).toBe('reported that a call was answered')
  expect(sentence('call.ended', { status: 'ENDED', durationSec: 150 })).toBe(
    'reported that a call ended after 3 min',
  )
  expect(sentence('call.ended', { status: 'NO_ANSWER', durationSec: 0 })).toBe(
    'reported that a call was not answered',
  )
  expect(recordWords(told('call.ended'))?.record).toEqual({ kind: 'call', id: 'c1', name: 'a call' })
})

test('a call somebody wrote down is told as one thing', () => {
  expect(sentence('call.ended', { kind: 'manual', status: 'ENDED', durationSec: 330 })).toBe(
    'logged a call of 6 min',
  )
  expect(sentence('call.ended', { kind: 'manual', status: 'NO_ANSWER' })).toBe(
    'logged a call that was not answered',
  )
})

test('what follows by itself is not told as a change, what a person changes is', () => {
  const changed = (after: object, kind: 'person' | 'agent') =>
    isTold({ ...told('call.changed', { after }), cause: { kind, id: 'x', name: null } })
  expect(changed({ follow_up: {}, outcome: 'x', updated_at: 1 }, 'agent')).toBe(false)
  expect(changed({ outcome: 'x' }, 'person')).toBe(true)
  expect(changed({ status: 'CANCELLED' }, 'agent')).toBe(true)
  expect(isTold(told('call.tool_used', { tool: 'end_call', ok: true }))).toBe(false)
  expect(isTold(told('call.tool_used', { tool: 'transfer', ok: true }))).toBe(true)
})

test('that somebody dialled is not told of a call that was written down afterwards', () => {
  for (const type of ['call.started', 'call.connected']) {
    expect(isTold(told(type, { kind: 'manual' }))).toBe(false)
    expect(isTold(told(type, { kind: 'agent' }))).toBe(true)
  }
  expect(isTold(told('call.ended', { kind: 'manual' }))).toBe(true)
})

test('tools, changes and consent are told in words', () => {
  expect(sentence('call.tool_used', { tool: 'schedule_meeting', ok: true })).toBe(
    'used “schedule meeting” in a call',
  )
  expect(sentence('call.tool_used', { tool: 'transfer', ok: false })).toBe('tried “transfer” in a call')
  expect(sentence('call.changed', { after: { notes: 'x', updated_at: 1 } })).toBe('changed notes of a call')
  expect(sentence('call.changed', { after: { status: 'CANCELLED', end_reason: 'x' } })).toBe(
    'cancelled a call',
  )
  expect(sentence('call_consent.changed', { given: true })).toBe('recorded that agents may call this lead')
  expect(callDetail(told('call_consent.changed', { source: 'By mail' })).about).toBe('By mail')
})

test('whatever the data says, every type has its words', () => {
  for (const type of callTypes)
    for (const data of [{}, { after: 3, tool: {}, durationSec: 'x' }])
      expect(sentence(type, data)).toMatch(/^[a-z]/)
})
