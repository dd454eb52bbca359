import { describe, expect, test } from 'vitest'
import { readAnswers } from './answers.ts'
import type { FormField } from './contract.ts'
import { isOf } from './origin.ts'
import { leadingZeroBits } from './proof.ts'
import { filledIn, nameIn } from './reply-text.ts'
import { freeSlug, slugFrom } from './slug.ts'
import { linksIn } from './spam.ts'
import { carriedBy, firstTouch, lastTouch } from './touch.ts'
import { ANSWER_LENGTH_MAX, ANSWERS_BYTES_MAX, LONG_ANSWER_LENGTH_MAX, SLUG_LENGTH_MAX } from './values.ts'

const NOW = '2026-03-02T09:00:00.000Z'

function field(type: FormField['type'], more: Partial<FormField> = {}): FormField {
  return { key: 'it', type, label: 'It', ...more }
}

function read(one: FormField, sent: unknown): unknown {
  const { values, faults } = readAnswers({ fields: [one] }, { it: sent })
  return faults.length > 0 ? faults[0]!.message : values.it
}

describe('an answer', () => {
  test.for<[FormField['type'], unknown, unknown]>([
    ['text', '  Ada \u0000\r\n Lovelace ', 'Ada   Lovelace'],
    ['text', 7, '7'],
    ['text', '', undefined],
    ['text', null, undefined],
    ['text', 'half \ud800', 'half \ufffd'],
    ['long_text', 'a\r\nb\rc\u0000\td', 'a\nb\nc \td'],
    ['email', ' ada@example.com ', 'ada@example.com'],
    ['phone', '+49 (30) 123-456', '+4930123456'],
    ['phone', '0049 30 / 123.456', '+4930123456'],
    ['phone', '+49 (0)30 123456', '+4930123456'],
    ['number', '12,5', 12.5],
    ['number', -3, -3],
    ['date', '2028-02-29', '2028-02-29'],
    ['checkbox', 'on', true],
    ['checkbox', true, true],
    ['checkbox', undefined, false],
    ['checkbox', 'No', false],
    ['hidden', 'spring', 'spring'],
  ])('%s %j is %j', ([type, sent, kept]) => {
    expect(read(field(type), sent)).toEqual(kept)
  })

  test.for<[FormField['type'], unknown, RegExp]>([
    ['text', { a: 1 }, /text/],
    ['text', true, /text/],
    ['text', ['a', 'b'], /text/],
    ['email', 'ada', /email/],
    ['email', 'a@example.com\nbcc: b@example.com', /email/],
    ['email', 'a@example.com, b@example.com', /email/],
    ['phone', '030 123456', /country code/],
    ['phone', '+1', /country code/],
    ['number', '1e5', /number/],
    ['number', 'NaN', /number/],
    ['number', Number.POSITIVE_INFINITY, /number/],
    ['date', '2026-02-30', /date/],
    ['date', '31.3.2026', /date/],
    ['checkbox', 'perhaps', /check/],
  ])('%s %j is told to be wrong', ([type, sent, words]) => {
    expect(read(field(type), sent)).toMatch(words)
  })

  test('of a choice is one of its options, and of choices any of them, each once', () => {
    const options = ['A', 'B', 'C']
    expect(read(field('choice', { options }), 'B')).toBe('B')
    expect(read(field('choice', { options }), 'D')).toMatch(/one of the options/)
    expect(read(field('choices', { options }), ['C', 'A', 'C'])).toEqual(['A', 'C'])
    expect(read(field('choices', { options }), 'B')).toEqual(['B'])
    expect(read(field('choices', { options }), ['A', 'X'])).toMatch(/options/)
    expect(read(field('choices', { options }), [{}])).toMatch(/options/)
  })

  test('that is needed and missing is asked for; a hidden one cannot be', () => {
    const required = true
    const options = ['A']
    for (const type of ['text', 'long_text', 'email', 'phone', 'number', 'date'] as const)
      expect(read(field(type, { required }), ' ')).toMatch(/^Please/)
    expect(read(field('choice', { required, options }), '')).toMatch(/choose/)
    expect(read(field('choices', { required, options }), [])).toMatch(/choose/)
    expect(read(field('checkbox', { required }), undefined)).toMatch(/check/)
    expect(read(field('hidden', { required }), undefined)).toBeUndefined()
    expect(read(field('hidden', { default_value: 'web' }), undefined)).toBe('web')
  })

  test('may be so long and no longer', () => {
    expect(read(field('text'), 'x'.repeat(ANSWER_LENGTH_MAX))).toHaveLength(ANSWER_LENGTH_MAX)
    expect(read(field('text'), 'x'.repeat(ANSWER_LENGTH_MAX + 1))).toMatch(/at most 500/)
    expect(read(field('long_text'), 'x'.repeat(LONG_ANSWER_LENGTH_MAX))).toHaveLength(LONG_ANSWER_LENGTH_MAX)
    expect(read(field('long_text'), 'x'.repeat(LONG_ANSWER_LENGTH_MAX + 1))).toMatch(/at most 5000/)
  })

  test('and all of them together as well', () => {
    const keys = Array.from({ length: 14 }, (_, n) => `k${String(n).padStart(2, '0')}`)
    const fields = keys.map(key => ({ key, type: 'long_text' as const, label: key }))
    const room = ANSWERS_BYTES_MAX - JSON.stringify(Object.fromEntries(keys.map(key => [key, '']))).length
    const sent = (bytes: number) =>
      Object.fromEntries(keys.map((key, n) => [key, 'x'.repeat(n === 0 ? bytes - 13 * 4_700 : 4_700)]))
    expect(readAnswers({ fields }, sent(room)).faults).toEqual([])
    expect(readAnswers({ fields }, sent(room + 1)).faults).toMatchObject([{ path: '', message: /too long/ }])
  })

  test('under a name that every object has is only an answer', () => {
    const fields = [field('text', { key: 'constructor', required: true })]
    expect(readAnswers({ fields }, {}).faults).toEqual([
      { path: 'constructor', message: 'Please fill in this field.' },
    ])
    const { values } = readAnswers({ fields }, JSON.parse('{"constructor": "x", "__proto__": {"a": 1}}'))
    expect(Object.entries(values)).toEqual([['constructor', 'x']])
  })

  test('every fault is told at once', () => {
    const fields = [
      field('email', { key: 'a' }),
      field('number', { key: 'b' }),
      field('text', { key: 'c', required: true }),
    ]
    const { faults } = readAnswers({ fields }, { a: 'x', b: 'x' })
    expect(faults.map(({ path }) => path)).toEqual(['a', 'b', 'c'])
  })
})

describe('where a visitor comes from', () => {
  test('stands beside the answers, or in the address of the page', () => {
    expect(lastTouch({ utm_source: 'x', utm_Odd: 'y', _referrer: 'https://a.example/' }, NOW)).toEqual({
      utm: { source: 'x' },
      referrer: 'https://a.example/',
      page_url: null,
      at: NOW,
    })
    const _page = 'https://b.example/?utm_campaign=spring&plan=pro'
    expect(lastTouch({ _page }, NOW)).toMatchObject({ utm: { campaign: 'spring' }, page_url: _page })
  })

  test('is only ever an address and a few short words', () => {
    const utm = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`utm_${'a'.repeat(n + 1)}`, 'v']))
    expect(Object.keys(lastTouch(utm, NOW).utm)).toHaveLength(20)
    expect(lastTouch({ utm_source: 'x'.repeat(600) }, NOW).utm.source).toHaveLength(500)
    expect(lastTouch({ utm_source: { a: 1 }, utm_term: ['a', 'b'] }, NOW).utm).toEqual({ term: 'a' })
    expect(lastTouch({ _page: 'javascript:alert(1)', _referrer: 'data:x' }, NOW)).toMatchObject({
      page_url: null,
      referrer: null,
    })
  })

  test('the first time is what the browser remembers, and was not in the future', () => {
    const told = { utm: { source: 'ad', __proto__: 'x' }, referrer: null, page_url: 'https://a.example/' }
    const at = '2026-01-01T00:00:00.000Z'
    expect(firstTouch({ _first_touch: JSON.stringify({ ...told, at }) }, NOW)).toEqual({
      utm: { source: 'ad' },
      referrer: null,
      page_url: 'https://a.example/',
      at,
    })
    expect(firstTouch({ _first_touch: { at: '2999-01-01T00:00:00Z' } }, NOW)).toMatchObject({ at: NOW })
    for (const _first_touch of ['{', '[]', 7, 'x'.repeat(20_000), null])
      expect(firstTouch({ _first_touch }, NOW)).toBeNull()
  })

  test('is carried along by a page without a script', () => {
    const query = { utm_source: 'x', plan: 'pro', _page: 'https://site.example/pricing' }
    expect(carriedBy(query, 'https://ours.example/f/a', 'https://search.example/')).toEqual({
      utm_source: 'x',
      _page: 'https://site.example/pricing',
      _referrer: 'https://search.example/',
    })
  })
})

test('a name is greeted, and nothing else that a stranger may type', () => {
  const values = { name: 'Zoë O’Neil-Smith', site: 'evil.com', n: 3 }
  expect(filledIn('Hello {{name}} {{ name }}{{site}}{{n}}{{gone}}{{constructor}}!', values)).toBe(
    'Hello Zoë O’Neil-Smith Zoë O’Neil-Smith!',
  )
  for (const name of ['J. R. R. Tolkien', "D'Arcy", 'Müller', '李小龙']) expect(nameIn(name)).toBe(name)
  const refused = ['www.evil.com', 'a\nb', '<b>', 'x'.repeat(61), 'https://a', 'a@b.example', '{{name}}']
  for (const name of refused) expect(nameIn(name)).toBe('')
  expect(nameIn('x'.repeat(60))).not.toBe('')
})

test('links are counted wherever text was typed', () => {
  const fields = [field('text'), field('long_text', { key: 'b' })]
  expect(linksIn({ fields }, { it: 'http://a https://www.b', b: 'see www.c.example. no: www.' })).toBe(3)
  expect(linksIn({ fields }, { it: 'awww. so good', b: 'example.com' })).toBe(0)
})

test('a slug is short, plain and free', () => {
  expect(slugFrom('Ünï  Cødé / 2')).toBe('uni-c-de-2')
  expect(slugFrom('x'.repeat(500)).length).toBeLessThan(SLUG_LENGTH_MAX)
  expect(freeSlug('a', new Set(['a', 'a-2']))).toBe('a-3')
  expect(freeSlug('y'.repeat(60), new Set(['y'.repeat(60)])).length).toBeLessThanOrEqual(SLUG_LENGTH_MAX)
})

test('a site is of a domain as browsers say', () => {
  expect(isOf('a.example.com', '*.example.com')).toBe(true)
  expect(isOf('example.com', '*.example.com')).toBe(false)
  expect(isOf('evilexample.com', '*.example.com')).toBe(false)
  expect(isOf('example.com', 'example.com')).toBe(true)
  expect(isOf('example.com:8080', 'example.com')).toBe(false)
})

test('zeros are counted by bits', () => {
  expect(leadingZeroBits(Uint8Array.of(0, 0, 1))).toBe(23)
  expect(leadingZeroBits(Uint8Array.of(0x80))).toBe(0)
  expect(leadingZeroBits(Uint8Array.of(0, 0))).toBe(16)
})
