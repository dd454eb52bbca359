import { expect, test } from 'vitest'
import { hostileTexts } from '#test/hostile.ts'
import { readAddress } from './address.ts'
import { ADDRESS_LENGTH_MAX } from './values.ts'

const ALLOWED = ['localhost', '127.0.0.1', '::1', 'intranet']

test.for<[string, string, string]>([
  ['acme.com', 'https://acme.com/', 'acme.com'],
  ['  ACME.com. ', 'https://acme.com/', 'acme.com'],
  ['www.Acme.com', 'https://acme.com/', 'acme.com'],
  ['https://www.acme.com/about?x=1#team', 'https://acme.com/', 'acme.com'],
  ['http://acme.com/', 'https://acme.com/', 'acme.com'],
  ['http://acme.com:80/', 'https://acme.com/', 'acme.com'],
  ['https://acme.com:443/', 'https://acme.com/', 'acme.com'],
  ['http://acme.com:443/', 'https://acme.com/', 'acme.com'],
  ['acme.com:8443/shop', 'https://acme.com:8443/', 'acme.com:8443'],
  ['shop.acme.co.uk', 'https://shop.acme.co.uk/', 'shop.acme.co.uk'],
  ['Grace.Hopper+x@Navy.example', 'https://navy.example/', 'navy.example'],
  ['mailto:grace@navy.example', 'https://navy.example/', 'navy.example'],
  ['grace@müller.example', 'https://xn--mller-kva.example/', 'xn--mller-kva.example'],
  ['https://MÜLLER.example/', 'https://xn--mller-kva.example/', 'xn--mller-kva.example'],
  ['xn--mller-kva.example', 'https://xn--mller-kva.example/', 'xn--mller-kva.example'],
  ['例え.テスト', 'https://xn--r8jz45g.xn--zckzah/', 'xn--r8jz45g.xn--zckzah'],
])('%s is the site %s', ([text, url, domain]) => {
  expect(readAddress(text, [])).toEqual({ url, domain })
})

test.for<[string, string, string]>([
  ['http://localhost:4000/x', 'http://localhost:4000/', 'localhost:4000'],
  ['localhost:4000', 'https://localhost:4000/', 'localhost:4000'],
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000/', '127.0.0.1:4000'],
  ['http://[::1]:4000/', 'http://[::1]:4000/', '[::1]:4000'],
  ['http://intranet', 'http://intranet/', 'intranet'],
])(
  '%s is a site where the operator allows the host, by the protocol that was typed',
  ([text, url, domain]) => {
    expect(readAddress(text, ALLOWED)).toEqual({ url, domain })
    expect(readAddress(text, [])).toHaveProperty('wrong')
  },
)

test.for([
  '',
  ' ',
  'acme',
  'acme corp.com',
  'ac\nme.com',
  'ac\tme.com',
  'a.b',
  '-acme.com',
  'acme-.com',
  'ac_me.com',
  'acme..com',
  '1.2.3.4',
  '12345',
  '0x7f.1',
  '[::1]',
  'http://169.254.169.254/latest/',
  'ftp://acme.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://user:secret@acme.com/',
  'https://user@acme.com/',
  'a@b@acme.com',
  'a@acme.com, b@acme.com',
  '@acme.com:99999',
  'acme.com:99999',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(130)}com`,
])('%s is no site', text => {
  expect(readAddress(text, [])).toEqual({ wrong: expect.stringContaining('write it like acme.com') })
})

test.for(['ada@gmail.com', 'https://www.linkedin.com/company/acme', 'GMX.de'])(
  '%s says nothing about a company: anybody may have one there',
  text => expect(readAddress(text, [])).toEqual({ wrong: expect.stringContaining('a public provider') }),
)

test('an address has an end', () => {
  const long = (length: number) => `https://acme.com/${'a'.repeat(length - 'https://acme.com/'.length)}`
  expect(readAddress(long(ADDRESS_LENGTH_MAX), [])).toEqual({ url: 'https://acme.com/', domain: 'acme.com' })
  expect(readAddress(long(ADDRESS_LENGTH_MAX + 1), [])).toEqual({ wrong: 'is longer than 500 characters' })
})

test('whatever is typed, a site is a plain host by https, or it is told that it is none', () => {
  for (const text of hostileTexts) {
    const site = readAddress(text, [])
    if ('wrong' in site) continue
    expect(site.url).toBe(`https://${site.domain}/`)
    expect(site.domain).toMatch(/^[a-z0-9.-]+\.[a-z0-9-]{2,}(?::\d{1,5})?$/)
  }
})
