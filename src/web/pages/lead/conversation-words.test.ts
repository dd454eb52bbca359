import { expect, test } from 'vitest'
import {
  conversationDetail,
  conversationTypes,
  conversationWords,
  isConversationTold,
} from './conversation-words.ts'

const told = (type: string, data: Record<string, unknown> = {}) => ({
  type,
  data,
  subject: { kind: 'conversation', id: 'a'.repeat(24) },
})

test('every event of the filter has a sentence that leads to the conversation', () => {
  for (const type of conversationTypes)
    expect(conversationWords(told(type)), type).toMatchObject({ record: { kind: 'conversation' } })
})

test('what the events of messages say already is left out', () => {
  expect(isConversationTold(told('conversation.sent'))).toBe(false)
  expect(isConversationTold(told('conversation.received', { message_id: 'b'.repeat(24) }))).toBe(false)
  expect(isConversationTold(told('conversation.received', { message_id: null }))).toBe(true)
  expect(isConversationTold(told('conversation.closed'))).toBe(true)
})

test('a message is called by its subject, and its text is shown', () => {
  const email = told('conversation.received', { channel: 'email', subject: 'Prices', text: ' How much? ' })
  expect(conversationWords(email)?.record?.name).toBe('Prices')
  expect(conversationDetail(email)).toBe('How much?')
  expect(conversationWords(told('conversation.received', { channel: 'sms' }))?.record?.name).toBe(
    'a text message',
  )
  expect(conversationDetail(told('conversation.closed', { text: 'x' }))).toBe('')
})

test.for([
  [{ state: 'SNOOZED' }, 'snoozed'],
  [{ state: 'OPEN' }, 'reopened'],
  [{ labels: ['VIP'] }, 'labelled'],
  [{ lead_id: 'x' }, 'linked'],
  [{}, 'updated'],
] as const)('a change to %j reads: %s', ([after, words]) => {
  expect(conversationWords(told('conversation.changed', { after }))?.before).toBe(words)
})
