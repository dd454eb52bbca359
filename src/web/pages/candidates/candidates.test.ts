import { describe, expect, test } from 'vitest'
import type { Fact } from '#domains/candidates/contract.ts'
import { addressesIn, domainOf, rowsIn } from '../../records/candidates/addresses.ts'
import { briefOf } from '../../records/candidates/summary.ts'
import { runOf, type Counts } from './progress.ts'
import { candidatesSearch } from '../../records/candidates/search.ts'
import { linkOf, pageName, webAddress } from '../../records/candidates/words.ts'

const at = '2026-05-12T10:00:00.000Z'
const fact = (kind: Fact['kind'], value: string, label: string | null = null): Fact => ({
  kind,
  label,
  value,
  url: 'https://acme.test/',
  at,
})

describe('what somebody pasted', () => {
  test('is parted by lines, commas, semicolons and spaces, and each site counts once', () => {
    const text = 'acme.test\nhttps://www.ACME.test/about, ada@acme.test;globex.test  globex.test\n\n'
    expect(addressesIn(text)).toEqual(['acme.test', 'globex.test'])
  })

  test('may come from a mail program or a sentence', () => {
    expect(addressesIn('Ada <ada@acme.test>, (globex.test).')).toEqual([
      'Ada',
      'ada@acme.test',
      'globex.test',
    ])
    expect(addressesIn(' \n ')).toEqual([])
  })

  test('a file has as many rows as have something in them', () => {
    expect(rowsIn('domain\r\nacme.test\r\n\r\n;;\r\nglobex.test')).toBe(3)
  })
})

test.for<[email: string | null, website: string | null, domain: string | undefined]>([
  ['ada@Acme.test', null, 'acme.test'],
  ['ada@gmail.com', 'https://www.globex.test/en', 'globex.test'],
  ['ada@gmail.com', null, undefined],
  [null, 'https://www.linkedin.com/in/ada', undefined],
  [null, null, undefined],
])('the company of a lead with %s and %s is looked for at %s', ([email, website, domain]) => {
  expect(domainOf({ email, website })).toBe(domain)
})

describe('the crawls that run', () => {
  const counts = (some: Partial<Counts>): Counts => ({
    QUEUED: 0,
    CRAWLING: 0,
    CRAWLED: 0,
    BLOCKED: 0,
    FAILED: 0,
    GONE: 0,
    ...some,
  })

  test('are counted from when they were first seen, whatever became of them', () => {
    const first = runOf(undefined, counts({ CRAWLED: 100, QUEUED: 4 }))
    expect(first).toMatchObject({ done: 0, of: 4 })
    const then = runOf(first, counts({ CRAWLED: 101, FAILED: 1, GONE: 1, CRAWLING: 1 }))
    expect(then).toMatchObject({ done: 3, of: 4 })
    expect(runOf(then, counts({ CRAWLED: 102, FAILED: 1, GONE: 1 }))).toBeUndefined()
  })

  test('become more where some are added, and start anew where old ones are read again', () => {
    const first = runOf(undefined, counts({ QUEUED: 4 }))
    expect(runOf(first, counts({ CRAWLED: 2, QUEUED: 8 }))).toMatchObject({ done: 2, of: 10 })
    const again = runOf(undefined, counts({ CRAWLED: 10, QUEUED: 1 }))
    expect(runOf(again, counts({ CRAWLED: 7, QUEUED: 4 }))).toMatchObject({ done: 0, of: 4 })
  })
})

describe('what a stranger wrote on a site', () => {
  test('is followed only to mail, phone and web', () => {
    expect(linkOf({ kind: 'email', value: 'a b@acme.test?bcc=x' })).toBe('mailto:a%20b@acme.test%3Fbcc%3Dx')
    expect(linkOf({ kind: 'phone', value: '+49 (30) 12-34' })).toBe('tel:+49301234')
    expect(linkOf({ kind: 'phone', value: 'javascript:alert(1)' })).toBeUndefined()
    expect(linkOf({ kind: 'social', value: 'javascript:alert(1)' })).toBeUndefined()
    expect(linkOf({ kind: 'feed', value: 'data:text/html,x' })).toBeUndefined()
    expect(webAddress('https://acme.test/feed')).toBe('https://acme.test/feed')
    expect(webAddress('http://')).toBeUndefined()
  })

  test('stands with the page that says so, by its path', () => {
    expect(pageName('https://www.acme.test/')).toBe('acme.test')
    expect(pageName('https://acme.test/%C3%BCber-uns/?a=1')).toBe('/über-uns?a=1')
    expect(pageName('https://acme.test/%ff')).toBe('/%ff')
    expect(pageName('not an address')).toBe('not an address')
  })

  test('is told in brief by what one asks first, some of each kind', () => {
    const people = ['Ada', 'Bob', 'Cay', 'Dee', 'Eve'].map(name => fact('person', name))
    const brief = briefOf([...people, fact('open_graph', 'x', 'og:title'), fact('industry', 'Steel')])
    expect(brief.map(({ label, facts, more }) => [label, facts.length, more])).toEqual([
      ['Industry', 1, 0],
      ['People', 4, 1],
    ])
  })
})

test('what the API would refuse does not get through the address of the list', () => {
  const raw = {
    status: ['CRAWLED', 'NONSENSE'],
    converted: ['true', 'false'],
    score_min: '101',
    lead_id: 'x',
  }
  expect(candidatesSearch(raw)).toEqual({ status: ['CRAWLED'], converted: ['true'] })
  expect(candidatesSearch({ score_min: '100', converted: 'perhaps' })).toEqual({ score_min: ['100'] })
})
