import { describe, expect, test } from 'vitest'
import { choosePages, topicOf } from './links.ts'
import { addressOf, isSameName, isSameSite, twinOf, URL_LENGTH_MAX } from './site.ts'

describe('two addresses', () => {
  test.for([
    ['https://acme.com/', 'https://www.acme.com/x', true, true],
    ['https://acme.com/', 'https://shop.acme.com/', false, true],
    ['https://www.acme.co.uk/', 'https://shop.acme.co.uk/', false, true],
    ['https://acme.co.uk/', 'https://other.co.uk/', false, false],
    ['https://acme.github.io/', 'https://other.github.io/', false, false],
    ['https://acme.com/', 'https://acme.com.evil.net/', false, false],
    ['https://acme.com/', 'https://evilacme.com/', false, false],
    ['https://acme.com/', 'https://acme.de/', false, false],
    ['https://acme.com/', 'https://acme.com:8443/', false, false],
    ['https://10.0.0.1/', 'https://20.0.0.1/', false, false],
    ['https://[::1]/', 'https://[::1]/x', true, true],
  ] as const)('%s and %s', ([one, other, site, name]) => {
    expect(isSameSite(new URL(one), new URL(other))).toBe(site)
    expect(isSameName(new URL(one), new URL(other))).toBe(name)
  })

  test('of one site are each other’s twin', () => {
    expect(twinOf(new URL('https://acme.com/x'))?.href).toBe('https://www.acme.com/x')
    expect(twinOf(new URL('https://www.acme.com:8443/'))?.href).toBe('https://acme.com:8443/')
    expect(twinOf(new URL('https://10.0.0.1/'))).toBeUndefined()
  })
})

describe('an address on a page', () => {
  const base = new URL('https://acme.com/de/')
  const read = (text: string, plainHosts: string[] = []) => addressOf(text, { base, plainHosts })?.href

  test.for([
    ['about', 'https://acme.com/de/about'],
    [' /about#team ', 'https://acme.com/about'],
    ['//other.com/x', 'https://other.com/x'],
    ['http://acme.com/x', 'https://acme.com/x'],
    ['https://user:secret@acme.com/', 'https://acme.com/'],
    ['https://MÜNCHEN.de/', 'https://xn--mnchen-3ya.de/'],
    ['mailto:x@acme.com', undefined],
    ['javascript:alert(1)', undefined],
    ['https://', undefined],
  ])('%s leads to %s', ([text, href]) => expect(read(text!)).toBe(href))

  test('may be plain at hosts that are allowed', () => {
    expect(read('http://acme.com:8080/x', ['acme.com'])).toBe('http://acme.com:8080/x')
  })

  test('has at most as many signs as an index takes', () => {
    const longest = `https://acme.com/${'x'.repeat(URL_LENGTH_MAX - 17)}`
    expect(read(longest)).toBe(longest)
    expect(read(`${longest}x`)).toBeUndefined()
  })
})

describe('a link', () => {
  test.for([
    ['/impressum', '', 'imprint'],
    ['/de/impressum.html', '', 'imprint'],
    ['/mentions-l%C3%A9gales', '', 'imprint'],
    ['/contact-us/', '', 'contact'],
    ['/kontakt', '', 'contact'],
    ['/contattaci', 'Contatti', 'contact'],
    ['/company/our-team', '', 'team'],
    ['/p?id=7', 'Unser Team', 'team'],
    ['/%C3%BCber-uns', '', 'about'],
    ['/qui-sommes-nous', '', 'about'],
    ['/en/company', '', 'company'],
    ['/karriere', '', 'jobs'],
    ['/blog/2026/11/our-team-won', '', undefined],
    ['/a/b/c/d/team', '', undefined],
    ['/about.pdf', 'About us', undefined],
    ['/%E0%A4%A', 'x', undefined],
    ['/', '', undefined],
  ])('to %s (%s) is about %s', ([path, text, topic]) =>
    expect(topicOf(new URL(path!, 'https://acme.com'), text)).toBe(topic),
  )

  test('is taken in turns of what they are about, the shortest first', () => {
    const paths = [
      '/de/about/team',
      '/team',
      '/en/people',
      '/jobs',
      '/careers',
      '/vacancies',
      '/contact',
      '/contact',
    ]
    const links = paths.map(path => ({ url: new URL(path, 'https://acme.com'), text: '' }))
    const chosen = (wanted: number) => choosePages(links, wanted).map(({ pathname }) => pathname)
    expect(chosen(4)).toEqual(['/contact', '/team', '/jobs', '/en/people'])
    expect(chosen(8)).toEqual(['/contact', '/team', '/jobs', '/en/people', '/careers'])
  })
})
