import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '#test/hostile.ts'
import { workOf } from '#test/work.ts'
import { CRAWL_DELAY_MAX_MS, readRobots } from './robots.ts'

const allows = (lines: string, path: string) => readRobots(lines, 'rapport').allows(path)

describe('robots.txt', () => {
  test.for<[name: string, text: string, path: string, allowed: boolean]>([
    ['nothing in it', '', '/x', true],
    ['everything for everybody', 'User-agent: *\nDisallow: /', '/', false],
    ['an empty Disallow', 'User-agent: *\nDisallow:', '/x', true],
    ['a rule before any group', 'Disallow: /\nUser-agent: *\nDisallow: /x', '/y', true],
    ['a group of others', 'User-agent: otherbot\nDisallow: /', '/x', true],
    [
      'our own group before everybody’s',
      'User-agent: *\nDisallow: /\n\nUser-agent: rapport\nDisallow: /x',
      '/y',
      true,
    ],
    ['our own group, written large', 'User-Agent: RAPPORT\nDISALLOW: /x', '/x', false],
    ['our own group, with a version', 'User-agent: Rapport/1.0\nDisallow: /x', '/x', false],
    ['a name that only begins like ours', 'User-agent: rapportbot\nDisallow: /', '/x', true],
    [
      'two groups of ours, together',
      'User-agent: rapport\nDisallow: /a\nUser-agent: x\nDisallow: /c\nUser-agent: rapport\nDisallow: /b',
      '/b',
      false,
    ],
    [
      'two groups of ours, and not the one between',
      'User-agent: rapport\nDisallow: /a\nUser-agent: x\nDisallow: /c\nUser-agent: rapport\nDisallow: /b',
      '/c',
      true,
    ],
    ['one group of several names', 'User-agent: a\nUser-agent: rapport\nDisallow: /x', '/x', false],
    [
      'lines between the names',
      'User-agent: rapport\nSitemap: https://x/y\n\nUser-agent: b\nDisallow: /x',
      '/x',
      false,
    ],
    ['the longest match', 'User-agent: *\nAllow: /page\nDisallow: /page/secret', '/page/secret/1', false],
    [
      'the longest match, the other way',
      'User-agent: *\nDisallow: /page\nAllow: /page/open',
      '/page/open',
      true,
    ],
    ['a tie, which allows', 'User-agent: *\nDisallow: /page\nAllow: /page', '/page', true],
    ['a tie, in the other order', 'User-agent: *\nAllow: /page\nDisallow: /page', '/page', true],
    ['the beginning of a name', 'User-agent: *\nDisallow: /fish', '/fishing.html', false],
    ['a folder', 'User-agent: *\nDisallow: /fish/', '/fish', true],
    ['other letters', 'User-agent: *\nDisallow: /Fish', '/fish', true],
    ['any signs', 'User-agent: *\nDisallow: /*.php', '/a/b.php?x=1', false],
    ['any signs, none', 'User-agent: *\nDisallow: /a*b', '/ab', false],
    ['the end', 'User-agent: *\nDisallow: /*.php$', '/a.php', false],
    ['the end, and more', 'User-agent: *\nDisallow: /*.php$', '/a.php?x', true],
    ['the end, met twice', 'User-agent: *\nDisallow: /*.php$', '/a.php/b.php', false],
    ['the end alone', 'User-agent: *\nDisallow: /$', '/', false],
    ['the end alone, and more', 'User-agent: *\nDisallow: /$', '/x', true],
    ['the end, which must not overlap', 'User-agent: *\nDisallow: /aa*aa$', '/aaa', true],
    ['a query', 'User-agent: *\nDisallow: /*?', '/a?b', false],
    ['a star as itself', 'User-agent: *\nDisallow: /file-%2A.html', '/file-*.html', false],
    ['a star as itself, and no other', 'User-agent: *\nDisallow: /file-%2A.html', '/file-x.html', true],
    ['a dollar as itself', 'User-agent: *\nDisallow: /a%24', '/a$', false],
    ['a dollar within', 'User-agent: *\nDisallow: /a$b', '/a$b', false],
    ['letters beyond ASCII', 'User-agent: *\nDisallow: /foo/ツ', '/foo/%E3%83%84', false],
    [
      'letters beyond ASCII, in small hex',
      'User-agent: *\nDisallow: /foo/%e3%83%84',
      '/foo/%E3%83%84',
      false,
    ],
    ['letters that need no percent', 'User-agent: *\nDisallow: /foo/%62%61%7A', '/foo/baz', false],
    ['letters that need none, in the address', 'User-agent: *\nDisallow: /foo/baz', '/foo/%62%61%7A', false],
    ['an encoded slash, which is none', 'User-agent: *\nDisallow: /a/b', '/a%2Fb', true],
    ['an address in a query', 'User-agent: *\nDisallow: /a?u=https://x.y', '/a?u=https%3A%2F%2Fx.y', false],
    ['itself', 'User-agent: *\nDisallow: /', '/robots.txt', true],
    ['a remark', 'User-agent: * # all\nDisallow: /x # not this', '/x', false],
    ['a remark alone', '# Disallow: /\nUser-agent: *\n#Disallow: /', '/x', true],
    ['old ends of lines', 'User-agent: *\rDisallow: /x', '/x', false],
    ['ends of lines of two signs', 'User-agent: *\r\nDisallow: /x\r\n', '/x', false],
    ['a mark before it', '\uFEFFUser-agent: *\nDisallow: /x', '/x', false],
    ['spaces around', '  User-agent :  *  \n  Disallow  :   /x  ', '/x', false],
    ['a page in its place', '<!doctype html><title>Acme: Disallow: /</title>', '/x', true],
  ])('with %s', ([, text, path, allowed]) => expect(allows(text, path)).toBe(allowed))

  test.for([
    ['User-agent: *\nCrawl-delay: 2', 2_000],
    ['User-agent: *\nCrawl-delay: 0.5', 500],
    ['User-agent: *\nCrawl-delay: 10', CRAWL_DELAY_MAX_MS],
    ['User-agent: *\nCrawl-delay: 11', CRAWL_DELAY_MAX_MS],
    ['User-agent: *\nCrawl-delay: -1', 0],
    ['User-agent: x\nCrawl-delay: 5\nDisallow: /', 0],
    ['Crawl-delay: 5', 0],
    ['', 0],
  ] as const)('asks for a pause: %s', ([text, delayMs]) =>
    expect(readRobots(text, 'rapport').delayMs).toBe(delayMs),
  )

  test('matches any pattern as the slow way does', () => {
    const sign = fc.constantFrom('a', 'b', '/', '*', '$')
    const pattern = fc.string({ unit: sign, maxLength: 8 }).map(text => `/${text}`)
    const path = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 10 }).map(text => `/${text}`)
    fc.assert(
      fc.property(pattern, path, (pattern, path) => {
        const ends = pattern.endsWith('$')
        const source = (ends ? pattern.slice(0, -1) : pattern).replace(/[$]/g, '\\$').replaceAll('*', '.*')
        const slow = new RegExp(`^${source}${ends ? '$' : ''}`).test(path)
        expect(allows(`User-agent: *\nDisallow: ${pattern}`, path)).toBe(!slow)
      }),
      { numRuns: 2_000 },
    )
  })

  test('never fails, and takes no longer for a nasty pattern', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), fc.webPath(), (text, path) => {
        expect(typeof allows(`User-agent: *\nDisallow: ${text}`, path)).toBe('boolean')
        expect(typeof allows(text, path)).toBe('boolean')
      }),
    )
    const nasty = `User-agent: *\nDisallow: /${'*a'.repeat(200_000)}b$`
    expect(workOf(() => void allows(nasty, `/${'a'.repeat(1_000)}`))).toBeLessThan(2_000)
  })
})
