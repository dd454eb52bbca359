import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '#test/hostile.ts'
import { FACT_LENGTH_MAX as LENGTH_OF_THE_DOMAIN } from '#domains/candidates/values.ts'
import { factKinds, type FactKind } from '#platform/ports/crawler.ts'
import { extract, type Source } from './extract.ts'
import { FACT_LENGTH_MAX, FACTS_PER_PAGE_MAX, lineOf } from './fact.ts'

const home: Source = { url: 'https://acme.com/', isHome: true, headers: {}, agent: 'rapport', plainHosts: [] }

function found(html: string, kind: FactKind, about: Partial<Source> = {}): string[] {
  return extract(html, { ...home, ...about })
    .facts.filter(fact => fact.kind === kind)
    .map(({ label, value }) => (label === null ? value : `${label}: ${value}`))
}

const ld = (data: unknown) =>
  `<script type="application/ld+json">${typeof data === 'string' ? data : JSON.stringify(data)}</script>`

describe('mails', () => {
  test.for<[string, string, string[]]>([
    ['a link', '<a href="mailto:Info@Acme.com">write</a>', ['info@acme.com']],
    ['a link with a subject', '<a href="mailto:a@acme.com?subject=b@x.org">write</a>', ['a@acme.com']],
    ['a link with two', '<a href="mailto:a@acme.com,b@acme.com">write</a>', ['a@acme.com', 'b@acme.com']],
    ['a link with percent signs', '<a href="mailto:%20a%40acme.com">write</a>', ['a@acme.com']],
    ['text', '<p>Write to sales@acme.com.</p>', ['sales@acme.com']],
    ['text in brackets', 'Ada (ada@acme.com)', ['ada@acme.com']],
    ['text over elements', '<p>info<span>@</span>acme.com</p>', ['info@acme.com']],
    ['entities', 'info&#64;acme&#46;com', ['info@acme.com']],
    ['[at]', 'info [at] acme.com', ['info@acme.com']],
    ['(at) and (dot)', 'info(at)acme(dot)com', ['info@acme.com']],
    ['{at} and [punkt]', 'info {at} acme [punkt] de', ['info@acme.de']],
    ['AT and DOT', 'info AT acme DOT co DOT uk', ['info@acme.co.uk']],
    ['a hidden one', '<a data-cfemail="543d3a323b143537393179373b79">x</a>', []],
    [
      'a hidden one that is right',
      `<span class="__cf_email__" data-cfemail="${hidden('info@acme.com')}">x</span>`,
      ['info@acme.com'],
    ],
    [
      'a hidden one in a link',
      `<a href="/cdn-cgi/l/email-protection#${hidden('info@acme.com')}">x</a>`,
      ['info@acme.com'],
    ],
    ['a picture', 'logo@2x.png and icon@acme.svg', []],
    ['a package', 'jquery@3.6.0 and left-pad@latest', []],
    ['an example', 'you@example.com, name@yourdomain.com', []],
    ['a fault report', 'https://0123456789abcdef0123456789abcdef@o1.ingest.sentry.io/1', []],
    ['a handle', 'Follow @acme', []],
    ['two at signs', 'a@@acme.com', []],
    ['a domain of other letters', 'info@münchen.de', ['info@xn--mnchen-3ya.de']],
    ['one at the end of a sentence', 'mail info@acme.com, or call', ['info@acme.com']],
    ['one in a script', '<script>var x = "a@acme.com"</script>', []],
    [
      'its own first',
      'web@agency.com, info@acme.com, x@mail.acme.com',
      ['info@acme.com', 'x@mail.acme.com', 'web@agency.com'],
    ],
    ['each once', 'info@acme.com INFO@ACME.COM', ['info@acme.com']],
    ['one that is too long', `${'x'.repeat(65)}@acme.com`, []],
    ['one that is just long enough', `${'x'.repeat(64)}@acme.com`, [`${'x'.repeat(64)}@acme.com`]],
  ])('in %s', ([, html, mails]) => expect(found(html, 'email')).toEqual(mails))
})

describe('phones', () => {
  test.for<[string, string, string[]]>([
    ['a link', '<a href="tel:+49 (0)30 123-456">call</a>', ['+4930123456']],
    ['a link without a country', '<a href="tel:030 123456">call</a>', ['030 123456']],
    ['a link with 00', '<a href="tel:0049%2030%20123456">call</a>', ['+4930123456']],
    ['a link to a fax', '<a href="fax:+4930123457">fax</a>', ['fax: +4930123457']],
    ['a link with an extension', '<a href="tel:+4930123456;ext=7">call</a>', ['+4930123456']],
    ['a link to a word', '<a href="tel:CALL-NOW">call</a>', []],
    ['a chat', '<a href="https://wa.me/4930123456">chat</a>', ['+4930123456']],
    ['text beside a word', 'Tel.: 030 / 123 456', ['030 / 123 456']],
    ['text beside other words', 'Téléphone : +33 1 23 45 67 89', ['+33123456789']],
    ['text with the country', 'Ring +44 20 7946 0958 today', ['+442079460958']],
    ['text below its word', '<dt>Phone</dt><dd>(555) 010-9999</dd>', ['(555) 010-9999']],
    ['two in a line', 'Tel: +49 30 123456, Fax: +49 30 123457', ['+4930123456', 'fax: +4930123457']],
    ['a date', 'Since 2024-01-15, 12.10.2020', []],
    ['a price', 'Only 1 299 000 today', []],
    ['a number of the tax office', 'VAT 123456789, HRB 123456', []],
    ['too few digits', 'Tel: 12345', []],
    ['too many digits', 'Tel: 1234567890123456', []],
    ['another word that ends so', 'hotel 030 123456', []],
  ])('in %s', ([, html, phones]) => expect(found(html, 'phone')).toEqual(phones))
})

describe('addresses', () => {
  test.for<[string, string, string[]]>([
    [
      'two lines',
      'Acme GmbH<br>Musterstraße 1<br>12345 Berlin<br>Tel: 030 123456',
      ['Musterstraße 1, 12345 Berlin'],
    ],
    ['one line', '<p>Acme GmbH, Musterstr. 1, 12345 Berlin</p>', ['Musterstr. 1, 12345 Berlin']],
    ['American', '<p>123 Main Street, Springfield, IL 62704</p>', ['123 Main Street, Springfield, IL 62704']],
    ['British, in lines', '10 Downing Street<br>London SW1A 2AA', ['10 Downing Street, London SW1A 2AA']],
    [
      'marked',
      '<address>5 Rue de la Paix<br>75002 Paris<br>Tel 01 23</address>',
      ['5 Rue de la Paix 75002 Paris', '5 Rue de la Paix, 75002 Paris'],
    ],
    ['none', '<p>In our street we met 12345 people</p>', []],
    [
      'described',
      ld({
        '@type': 'Organization',
        address: {
          '@type': 'PostalAddress',
          streetAddress: 'Main St 1',
          postalCode: '12345',
          addressLocality: 'Town',
          addressCountry: { '@type': 'Country', name: 'US' },
        },
      }),
      ['Main St 1, 12345 Town, US'],
    ],
    [
      'described in a word',
      ld({ '@type': 'LocalBusiness', address: 'Main St 1, Town' }),
      ['Main St 1, Town'],
    ],
  ])('in %s', ([, html, addresses]) => expect(found(html, 'address')).toEqual(addresses))
})

describe('the name', () => {
  test.for<[string, string, Partial<Source>, string[]]>([
    [
      'by its own word first',
      `<title>Home</title><meta property="og:site_name" content="Acme OG">${ld({ '@type': 'Organization', name: 'Acme Inc.', legalName: 'Acme Incorporated' })}`,
      {},
      ['Acme Inc.', 'legal: Acme Incorporated'],
    ],
    ['by Open Graph', '<title>Home</title><meta property="og:site_name" content="Acme">', {}, ['Acme']],
    [
      'by the part of the title that is like the domain',
      '<title>Best widgets | ACME Corp – Home</title>',
      {},
      ['ACME Corp'],
    ],
    [
      'by the first part that says something',
      '<title>Home | Widgets of Springfield</title>',
      {},
      ['Widgets of Springfield'],
    ],
    [
      'not by the title of another page',
      '<title>Contact</title>',
      { isHome: false, url: 'https://acme.com/contact' },
      [],
    ],
    [
      'by the title of another page where it is alike',
      '<title>Contact - Acme</title>',
      { isHome: false },
      ['Acme'],
    ],
    [
      'by microdata',
      '<div itemscope itemtype="https://schema.org/Organization"><b itemprop="name">Acme & Sons</b></div>',
      {},
      ['Acme & Sons'],
    ],
    ['not by a picture’s title', '<svg><title>Menu</title></svg>', {}, []],
  ])('is found %s', ([, html, about, names]) => expect(found(html, 'name', about)).toEqual(names))
})

describe('structured data', () => {
  const organization = {
    '@type': 'Organization',
    name: 'Acme',
    foundingDate: '1999',
    numberOfEmployees: { '@type': 'QuantitativeValue', minValue: 10, maxValue: 50 },
  }

  test.for<[string, unknown]>([
    ['alone', organization],
    ['in a graph', { '@context': 'https://schema.org', '@graph': [{ '@type': 'WebSite' }, organization] }],
    ['in a list', [organization]],
    ['within something else', { '@type': 'WebPage', publisher: organization }],
    ['with its vocabulary', { ...organization, '@type': ['https://schema.org/Organization'] }],
  ])('%s is read', ([, data]) =>
    expect(found(ld(data), 'structured')).toEqual([
      '@type: Organization',
      'foundingDate: 1999',
      'numberOfEmployees: 10–50',
    ]),
  )

  test.for([
    '{"@type": "Organization", "name": ',
    'null',
    '[]',
    '"text"',
    '7',
    '',
    '{"@type": {"a": []}}',
    '{"@type":"Organization","name":{"a":[1]}}',
  ])('that is broken is passed over: %s', text =>
    expect(found(`${ld(text)}<title>Acme</title>`, 'name')).toEqual(['Acme']),
  )

  test('has an end, however deep and wide it is', () => {
    const deep = `${'{"@type":"X","a":'.repeat(5_000)}1${'}'.repeat(5_000)}`
    const wide = JSON.stringify(
      Array.from({ length: 5_000 }, (_, n) => ({ '@type': 'Person', name: `Person ${n}` })),
    )
    expect(found(ld(deep) + ld(wide), 'person').length).toBeLessThanOrEqual(FACTS_PER_PAGE_MAX)
    const at = (depth: number) => {
      let data: object = { '@type': 'Person', name: 'Ada' }
      for (let n = 0; n < depth; n++) data = { inner: data }
      return found(ld(data), 'person')
    }
    expect([at(8), at(9)]).toEqual([['Ada'], []])
  })

  test('tells of people, contacts, networks and what a business does', () => {
    const html = ld({
      '@type': 'Dentist',
      name: 'Dr. Acme',
      email: 'mailto:praxis@acme.com',
      telephone: '+49 30 123456',
      faxNumber: '+49 30 123457',
      sameAs: ['https://www.linkedin.com/company/acme/', 'https://acme.com'],
      founder: { '@type': 'Person', name: 'Ada Lovelace', email: 'ada@acme.com' },
      employee: [{ '@type': 'Person', name: 'Grace Hopper', jobTitle: 'Admiral' }],
      contactPoint: { '@type': 'ContactPoint', email: 'help@acme.com' },
    })
    expect(found(html, 'email')).toEqual(['praxis@acme.com', 'help@acme.com', 'Ada Lovelace: ada@acme.com'])
    expect(found(html, 'phone')).toEqual(['+4930123456', 'fax: +4930123457'])
    expect(found(html, 'social')).toEqual(['LinkedIn: https://www.linkedin.com/company/acme'])
    expect(found(html, 'person')).toEqual(['Ada Lovelace', 'Admiral: Grace Hopper', 'founder: Ada Lovelace'])
    expect(found(html, 'industry')).toEqual(['Dentist'])
  })
})

describe('people', () => {
  const team = { url: 'https://acme.com/team', isHome: false }
  test.for<[string, string, Partial<Source>, string[]]>([
    [
      'a heading and what they do',
      '<h3>Ada Lovelace</h3><p>Chief Engineer</p><h3>Grace Hopper</h3><p>Head of Sales</p>',
      team,
      ['Chief Engineer: Ada Lovelace', 'Head of Sales: Grace Hopper'],
    ],
    [
      'names of several parts',
      '<b>Dr. Ludwig van Beethoven</b><p>Gründer</p>',
      team,
      ['Gründer: Dr. Ludwig van Beethoven'],
    ],
    [
      'headings that are nobody',
      '<h2>Our Company</h2><p>Director of fun</p><h2>Sales Team</h2><p>Marketing</p>',
      team,
      [],
    ],
    ['nobody’s doing', '<h3>Ada Lovelace</h3><p>likes cats</p>', team, []],
    ['another page', '<h3>Ada Lovelace</h3><p>Chief Engineer</p>', {}, []],
    [
      'an imprint',
      '<p>Geschäftsführer: Max Mustermann, Erika Beispiel</p>',
      {},
      ['Geschäftsführer: Max Mustermann', 'Geschäftsführer: Erika Beispiel'],
    ],
    [
      'a card',
      '<div class="h-card"><a class="p-name" href="/">Ada Lovelace</a> <span class="p-job-title">Engineer</span></div>',
      {},
      ['Engineer: Ada Lovelace'],
    ],
    [
      'microdata',
      '<div itemscope itemtype="http://schema.org/Person"><span itemprop="name">Ada Lovelace</span><meta itemprop="jobTitle" content="Engineer"></div>',
      {},
      ['Engineer: Ada Lovelace'],
    ],
  ])('by %s', ([, html, about, people]) => expect(found(html, 'person', about)).toEqual(people))
})

describe('networks', () => {
  test.for<[string, string[]]>([
    ['https://www.linkedin.com/company/acme/?trk=x', ['LinkedIn: https://www.linkedin.com/company/acme']],
    ['//twitter.com/acme', ['X: https://twitter.com/acme']],
    ['https://x.com/intent/tweet?text=x', []],
    ['https://www.facebook.com/sharer/sharer.php?u=x', []],
    ['https://www.facebook.com/acme.inc/', ['Facebook: https://www.facebook.com/acme.inc']],
    ['https://www.youtube.com/@acme/videos', ['YouTube: https://www.youtube.com/@acme']],
    ['https://www.youtube.com/watch?v=1', []],
    ['https://www.instagram.com/', []],
    ['https://github.com/acme/widgets', ['GitHub: https://github.com/acme']],
    ['https://facebook.com.evil.net/acme', []],
    ['/linkedin.com/company/acme', []],
  ])('%s', ([href, links]) => expect(found(`<a href="${href}">x</a>`, 'social')).toEqual(links))

  test('by the name on a card', () => {
    expect(found('<meta name="twitter:site" content="@acme">', 'social')).toEqual(['X: https://x.com/acme'])
  })
})

describe('what else a page tells', () => {
  test('what it is made with', () => {
    const html = `<meta name="generator" content="WordPress 6.5.2; features: x"><script src="/wp-includes/js/jquery/jquery.min.js"></script>
      <script src="https://js.hs-scripts.com/1.js"></script><script>window.dataLayer=[];gtm.start</script>`
    const headers = { server: 'nginx/1.25', 'x-powered-by': 'PHP/8.3' }
    expect(found(html, 'technology', { headers })).toEqual([
      'WordPress',
      'HubSpot',
      'Google Tag Manager',
      'jQuery',
      'nginx',
      'PHP',
    ])
  })

  test('what it does', () => {
    const html =
      '<title>Acme</title><meta name="description" content="Law firm and tax advisors"><meta name="keywords" content="Law, tax ,, law">'
    expect(found(html, 'industry')).toEqual(['Law', 'Accounting', 'keyword: Law', 'keyword: tax'])
    expect(found('<title>Acme lawless</title>', 'industry')).toEqual([])
  })

  test('its description, by the best word for it', () => {
    const graph = '<meta property="og:description" content="Graph">'
    expect(found(`${graph}<meta name="Description" content="Own &amp; only">`, 'description')).toEqual([
      'Own & only',
    ])
    expect(found(graph, 'description')).toEqual(['Graph'])
    expect(found('<p>Text</p>', 'description')).toEqual([])
  })

  test('Open Graph, feeds, language and the page of the team', () => {
    const html = `<html lang="de-de"><base href="https://acme.com/de/"><meta property="og:title" content="Acme"><meta property="og:type" content="website">
      <link rel="alternate" type="application/rss+xml" href="feed"><link rel="alternate" hreflang="en" href="/en">
      <a href="team">Das Team</a><a href="/de/team#x">Team</a><a rel="nofollow" href="/staff">Staff</a>`
    expect(found(html, 'open_graph')).toEqual(['title: Acme', 'type: website'])
    expect(found(html, 'feed')).toEqual(['RSS: https://acme.com/de/feed'])
    expect(found(html, 'language')).toEqual(['de-DE'])
    expect(found(html, 'team_page')).toEqual(['https://acme.com/de/team'])
    expect(found('<html lang="nonsense_">', 'language')).toEqual([])
  })

  test('where it leads within the site, by itself too', () => {
    const html =
      '<meta http-equiv="refresh" content="0; url=/de/"><a href="/x">X</a><a href="https://other.com">O</a>'
    expect(extract(html, home).links).toEqual([
      { url: 'https://acme.com/de/', text: 'about' },
      { url: 'https://acme.com/x', text: 'X' },
    ])
    expect(extract(`<meta name="robots" content="nofollow">${html}`, home).links).toEqual([])
  })
})

describe('broken pages', () => {
  test.for<[string, string]>([
    [
      'that never close anything',
      '<html><head><title>Acme</title><body><div><p><b>info@acme.com<p><table><tr><td><a href="/team">Team',
    ],
    [
      'that close what is not open',
      '</div></p></b>info@acme.com</html></body><title>Acme</title><a href=/team>Team</a></a>',
    ],
    [
      'with attributes of no use',
      '<title a=b c=d\'e =f>Acme</title><a href="/team"title=x>Team</a> <p =x "><a<b> info@acme.com',
    ],
    ['without any elements around', 'info@acme.com <a href=team>Team</a><title>Acme</title>'],
    [
      'with remarks that have no end',
      '<title>Acme</title>info@acme.com <a href="/team">Team</a><!-- and so on',
    ],
  ])('%s are read all the same', ([, html]) => {
    expect(found(html, 'email')).toEqual(['info@acme.com'])
    expect(extract(html, home).links.map(({ url }) => url)).toEqual(['https://acme.com/team'])
  })

  test('that are deeper than a stack are read', () => {
    expect(found(`${'<span>'.repeat(30_000)}info@acme.com`, 'email')).toEqual(['info@acme.com'])
  })
})

describe('facts', () => {
  test('are one line of well-formed text without control characters, of bounded length, each once', () => {
    const piece = fc.constantFrom(
      '<p>',
      '</div>',
      '<title>',
      '</title>',
      '<a href="mailto:',
      '">',
      '<meta name="description" content="',
      '<meta property="og:title" content=\'',
      "'>",
      '<script type="application/ld+json">',
      '{"@type":"Organization","name":"',
      '"}',
      '</script>',
      '\0',
      '\ud800',
      '\u202e',
      '\n\n',
      '&#0;',
      '&#xD800;',
      '@acme.com',
      'Tel: +49 30 1234',
      'x'.repeat(600),
      ' ',
    )
    const described = fc
      .string({
        unit: fc.constantFrom('x', ' ', '\n', '\t', '\u0001', '\u0085', '\u2028', '\u202e', '\ud83d', 'ü'),
      })
      .map(text => `<meta name="description" content="${text}">`)
    const page = fc
      .array(fc.oneof(piece, described, anyText()), { maxLength: 60 })
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(page, html => {
        const { facts } = extract(html, home)
        for (const { kind, label, value } of facts) {
          expect(factKinds).toContain(kind)
          for (const text of [value, label ?? 'x']) {
            expect(text.isWellFormed()).toBe(true)
            expect(text).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u)
            expect(text.trim()).toBe(text)
            expect(text.length).toBeGreaterThan(0)
            expect(text.length).toBeLessThanOrEqual(FACT_LENGTH_MAX)
          }
        }
        const keys = facts.map(({ kind, label, value }) => `${kind} ${label} ${value}`.toLowerCase())
        expect(new Set(keys).size).toBe(keys.length)
      }),
      { numRuns: 300 },
    )
  })

  test('have no sign that nobody sees', () => {
    expect(lineOf(' a\0b\tc\r\n d\u0085\u2028e\u00adf\u200b\u202e ')).toBe('a b c d ef')
    expect(lineOf({})).toBe('')
    expect(lineOf(7)).toBe('7')
  })

  test('are as long as those whom they are for take them', () => {
    expect(FACT_LENGTH_MAX).toBe(LENGTH_OF_THE_DOMAIN)
    expect(lineOf('x'.repeat(FACT_LENGTH_MAX))).toHaveLength(FACT_LENGTH_MAX)
    expect(lineOf('x'.repeat(FACT_LENGTH_MAX + 1))).toBe(`${'x'.repeat(FACT_LENGTH_MAX - 1)}…`)
    expect(lineOf('word '.repeat(200))).toMatch(/word…$/)
    expect(lineOf(`${'x'.repeat(FACT_LENGTH_MAX - 2)}😀😀`)).toBe(`${'x'.repeat(FACT_LENGTH_MAX - 2)}…`)
    const long = `https://acme.com/${'x'.repeat(FACT_LENGTH_MAX)}`
    expect(found(`<meta property="og:image" content="${long}">`, 'open_graph')).toEqual([])
  })

  test('of one page are at most two hundred', () => {
    const page = (count: number) => Array.from({ length: count }, (_, n) => `<p>m${n}@acme.com</p>`).join('')
    expect(extract(page(FACTS_PER_PAGE_MAX), home).facts).toHaveLength(FACTS_PER_PAGE_MAX)
    expect(extract(page(FACTS_PER_PAGE_MAX + 1), home).facts).toHaveLength(FACTS_PER_PAGE_MAX)
  })
})

/** As Cloudflare does it. */
function hidden(mail: string): string {
  const key = 0x5a
  return Buffer.from([key, ...Buffer.from(mail).map(byte => byte ^ key)]).toString('hex')
}
