import { expect, test } from 'vitest'
import { mentionsIn, textParts, typedMention } from './text-parts.ts'

const linksIn = (text: string) => textParts(text).filter(({ kind }) => kind === 'link')

test('addresses of the web become links, without the full stop behind them', () => {
  expect(textParts('See https://example.test/a?b=c. Or (http://example.test)!')).toEqual([
    { kind: 'text', text: 'See ' },
    { kind: 'link', text: 'https://example.test/a?b=c' },
    { kind: 'text', text: '. Or (' },
    { kind: 'link', text: 'http://example.test' },
    { kind: 'text', text: ')!' },
  ])
})

test('nothing else becomes a link, and markup stays text', () => {
  for (const text of ['javascript:alert(1)', 'data:text/html,x', '<a href="x">y</a>', 'ftp://example.test'])
    expect(linksIn(text)).toEqual([])
  expect(linksIn('https://example.test/"onmouseover=alert(1)').map(({ text }) => text)).toEqual([
    'https://example.test/',
  ])
})

test('the longest name behind an @ is the one that is mentioned', () => {
  const names = ['Ann', 'Ann Lee', 'Bob']
  expect(mentionsIn('@Ann Lee and @bob, not @Anna', names).map(({ name }) => name)).toEqual([
    'Ann Lee',
    'Bob',
  ])
  expect(textParts('Ask @Bob.', names)).toEqual([
    { kind: 'text', text: 'Ask ' },
    { kind: 'mention', text: '@Bob' },
    { kind: 'text', text: '.' },
  ])
})

test('a name is being typed from its @ to the caret', () => {
  expect(typedMention('Hello @An', 9)).toEqual({ at: 6, typed: 'An' })
  expect(typedMention('@Ann L', 6)).toEqual({ at: 0, typed: 'Ann L' })
  expect(typedMention('ada@example', 11)).toBeUndefined()
  expect(typedMention('@Ann Lee said', 13)).toBeUndefined()
})
