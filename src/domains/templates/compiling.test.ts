import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { startApp } from '#test/app.ts'
import { watchLoop } from '#test/loop.ts'
import { full } from '#test/tier.ts'
import { BODY_LENGTH_MAX } from './values.ts'

const LOOP_HELD_MAX_MS = 200
const app = await startApp()
afterAll(() => app.close())
const ada = await app.person()

const long = (piece: string) => piece.repeat(Math.floor(BODY_LENGTH_MAX / piece.length))
const hard: Record<string, string> = {
  spaces: `a${long(' ').slice(2)}b`,
  'stars and strokes': long('a**b_c*'),
  brackets: long('['),
  'pictures that never end': long('![](a'),
  'links in links': long('[a]('),
  'quotes and lists': long('> - '),
  'lists that go in': Array.from({ length: 400 }, (_, deep) => `${' '.repeat(deep % 240)}- x`).join('\n'),
  'a wide table': `${'|a'.repeat(300)}\n${'|-'.repeat(300)}\n${`${'|b'.repeat(300)}\n`.repeat(150)}`,
  backticks: Array.from({ length: 440 }, (_, n) => '`'.repeat(n)).join('a'),
  tabs: long('\t'),
  'lines across the page': long('- '),
  'addresses without an end': long('a@b.'),
  references: long('[a]: b\n'),
  'tags that never close': long('<a '),
  'tags that close nothing': long('</b>'),
  'tags in tags': long('<b>'),
  'a comment without an end': long('<!--'),
  entities: long('&amp'),
  'empty lines': long('\n'),
  'values without a name': long('{{'),
  'values nobody knows': long('{{nobody}}'),
  'values in an address': `[a](${long('{{company}}').slice(20)})`,
}

/** This is refused in Markdown, after seconds of work: below, which is enough in the quick tier. */
const refused = ['stars and strokes']

describe.each(['markdown', 'html'])('a template in %s', format => {
  const tried = Object.entries(hard).filter(([name]) => full || format === 'html' || !refused.includes(name))
  test.for(tried)('of %s is shown or refused, and holds up nobody', async ([, body]) => {
    const loop = watchLoop()
    onTestFinished(loop.stop)
    const reply = await ada.browser.post('/api/outreach/templates/preview', { body, format })
    expect(reply.status === 200 || reply.status === 422, reply.text.slice(0, 200)).toBe(true)
    expect(loop.worst()).toBeLessThan(LOOP_HELD_MAX_MS)
  })
})

test('a text that takes too long says so, and is not saved', async () => {
  const template = { name: 'hard', body: hard['stars and strokes']!, format: 'markdown' }
  const loop = watchLoop()
  onTestFinished(loop.stop)
  const saved = await ada.browser.post('/api/outreach/templates', { ...template, body: 'Hello' })
  // Both wait for the same reading of it.
  const [reply, changed] = await Promise.all([
    ada.browser.post('/api/outreach/templates', template),
    ada.browser.patch(`/api/outreach/templates/${saved.body.id}`, { body: template.body }),
  ])
  expect([reply.status, reply.body.code]).toEqual([422, 'text_too_hard'])
  expect(reply.body.detail).toBe('The text takes too long to read: make it shorter or simpler.')
  expect([changed.status, changed.body.code]).toEqual([422, 'text_too_hard'])
  expect(loop.worst()).toBeLessThan(LOOP_HELD_MAX_MS)
})

test('a long text that is plain is read as ever', async () => {
  const body = `Dear {{firstName}},\n\n${'**Thank you** for [this](https://example.test).\n\n'.repeat(1_000)}`
  const { status, body: shown } = await ada.browser.post('/api/outreach/templates/preview', { body })
  expect(status).toBe(200)
  expect(shown.html.match(/<strong>Thank you<\/strong>/g)).toHaveLength(1_000)
})
