import { describe, expect, test } from 'vitest'
import type { ReadPage } from '#platform/ports/crawler.ts'
import { fact } from './candidates.harness.ts'
import type { Fact } from './contract.ts'
import {
  changesOf,
  factsOf,
  isOwnAddress,
  pagesAfter,
  siteNameOf,
  summaryOf,
  type SitePage,
} from './facts.ts'
import { FACT_LENGTH_MAX, FACTS_MAX } from './values.ts'

const MONDAY = '2026-03-02T09:00:00.000Z'
const JUNE = '2026-06-01T09:00:00.000Z'

const read = (url: string, ...facts: ReadPage['facts']): ReadPage => ({
  url,
  etag: '"a"',
  last_modified: null,
  unchanged: false,
  facts,
})
const same = (url: string): ReadPage => ({
  url,
  etag: null,
  last_modified: null,
  unchanged: true,
  facts: [],
})
const known = (facts: ReadPage['facts'], at: string): Fact[] =>
  facts.map(each => ({ ...each, url: 'https://acme.test/', at }))
const first = (...pages: ReadPage[]): SitePage[] => pagesAfter([], pages, MONDAY)

describe('pages', () => {
  test('one that has not changed says what it said, since when it said so, and is read today', () => {
    const before = first(read('https://acme.test/', fact('name', 'Acme')))
    expect(pagesAfter(before, [same('https://acme.test/')], JUNE)).toEqual([{ ...before[0], read_at: JUNE }])
  })

  test('one that has changed dates what is new to today, and the rest as it was', () => {
    const before = first(read('https://acme.test/', fact('name', 'Acme')))
    const [page] = pagesAfter(
      before,
      [read('https://acme.test/', fact('name', 'ACME'), fact('phone', '+491'))],
      JUNE,
    )
    expect(page!.facts.map(({ value, at }) => [value, at])).toEqual([
      ['ACME', MONDAY],
      ['+491', JUNE],
    ])
  })

  test('one that is not read any more is forgotten', () => {
    const before = first(read('https://acme.test/'), read('https://acme.test/team', fact('person', 'Ada')))
    expect(pagesAfter(before, [same('https://acme.test/')], JUNE).map(({ url }) => url)).toEqual([
      'https://acme.test/',
    ])
  })

  test('what no database keeps, and what is no single line, is made one', () => {
    const [page] = first(
      read(
        'https://acme.test/',
        fact('name', 'A\u0000c\nme\u2028\ud800'),
        fact('description', ` ${'x'.repeat(FACT_LENGTH_MAX + 1)}`),
        fact('industry', ' \u0007 '),
      ),
    )
    expect(page!.facts.map(({ value }) => value)).toEqual(['A c me \ufffd', 'x'.repeat(FACT_LENGTH_MAX)])
  })
})

describe('facts', () => {
  test('the same thing said twice is one, of the page that comes first, whatever its case', () => {
    const pages = first(
      read('https://acme.test/', fact('email', 'Hello@acme.test')),
      read('https://acme.test/contact', fact('email', 'hello@ACME.test'), fact('email', 'ada@acme.test')),
    )
    expect(factsOf(pages, []).map(({ value, url }) => [value, url])).toEqual([
      ['Hello@acme.test', 'https://acme.test/'],
      ['ada@acme.test', 'https://acme.test/contact'],
    ])
  })

  test('another label is another fact', () => {
    const pages = first(
      read(
        'https://acme.test/',
        fact('social', 'https://x.test/acme', 'X'),
        fact('social', 'https://x.test/acme', 'Y'),
      ),
    )
    expect(factsOf(pages, [])).toHaveLength(2)
  })

  test('one that has moved to another page is as old as it was', () => {
    const before = known([fact('person', 'Ada')], MONDAY)
    const pages = pagesAfter([], [read('https://acme.test/people', fact('person', 'Ada'))], JUNE)
    expect(factsOf(pages, before)).toEqual([
      { kind: 'person', label: null, value: 'Ada', url: 'https://acme.test/people', at: MONDAY },
    ])
  })

  test(`more than ${FACTS_MAX} are not kept, and then what matters most is`, () => {
    const people = Array.from({ length: FACTS_MAX }, (_, n) => fact('person', `Person ${n}`))
    const contact = read('https://acme.test/contact', fact('email', 'hello@acme.test'))
    expect(factsOf(first(read('https://acme.test/', ...people)), [])).toHaveLength(FACTS_MAX)
    const facts = factsOf(first(read('https://acme.test/', ...people), contact), [])
    expect(facts).toHaveLength(FACTS_MAX)
    expect(facts[0]!.value).toBe('hello@acme.test')
    expect(facts.at(-1)!.value).toBe(`Person ${FACTS_MAX - 2}`)
  })
})

test('changes are what is new and what is gone; a word in another case is neither', () => {
  const before = known([fact('name', 'Acme'), fact('phone', '+491')], MONDAY)
  const after = known([fact('name', 'ACME'), fact('phone', '+492')], JUNE)
  const changes = changesOf(before, after)!
  expect([changes.added, changes.gone].map(list => list.map(({ value }) => value))).toEqual([
    ['+492'],
    ['+491'],
  ])
  expect(changesOf(before, known([fact('phone', '+491'), fact('name', 'acme')], JUNE))).toBeUndefined()
})

test('a candidate is reached by what is its own, and by what works from anywhere', () => {
  const facts = known(
    [
      fact('email', 'agency@elsewhere.test'),
      fact('email', 'Hello@Mail.acme.test'),
      fact('phone', '030 123'),
      fact('phone', '+4930123'),
      fact('description', 'Anvils'),
      fact('name', 'Acme'),
      fact('name', 'Acme Inc.'),
    ],
    MONDAY,
  )
  expect(summaryOf(facts, 'acme.test')).toEqual({
    email: 'hello@mail.acme.test',
    phone: '+4930123',
    description: 'Anvils',
  })
  expect(siteNameOf(facts)).toBe('Acme')
  expect(summaryOf([], 'acme.test')).toEqual({ email: null, phone: null, description: null })
})

test.for([
  ['ada@acme.test', 'acme.test', true],
  ['ada@acme.test', 'acme.test:8443', true],
  ['ada@acme.test', 'shop.acme.test', true],
  ['ada@notacme.test', 'acme.test', false],
  ['ada@acme.test.evil.test', 'acme.test', false],
] as const)('%s is an address of %s itself: %s', ([email, domain, is]) => {
  expect(isOwnAddress(email, domain)).toBe(is)
})
