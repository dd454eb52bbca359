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
  expect(isConversationTold(told('conversation.sent', { channel: 'email' }))).toBe(false)
  expect(isConversationTold(told('conversation.sent', { channel: 'chat' }))).toBe(true)
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
  const chat = told('conversation.sent', { channel: 'chat', subject: null, text: 'We do.' })
  expect(conversationWords(chat)).toMatchObject({ before: 'sent', record: { name: 'a web chat message' } })
  expect(conversationDetail(chat)).toBe('We do.')
  expect(conversationDetail(told('conversation.closed', { text: 'x' }))).toBe('')
})

test.for([
  [{ state: 'SNOOZED' }, 'snoozed'],
  [{ state: 'OPEN' }, 'reopened'],
  [{ labels: ['VIP'] }, 'labelled'],
  [{ lead_id: 'x' }, 'linked'],
  [{ agent_id: 'x', agent_mode: 'auto' }, 'changed the agent of'],
  [{}, 'updated'],
] as const)('a change to %j reads: %s', ([after, words]) => {
  expect(conversationWords(told('conversation.changed', { after }))?.before).toBe(words)
})
