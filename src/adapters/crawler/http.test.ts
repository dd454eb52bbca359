import { gzipSync, brotliCompressSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Crawled, KnownPage, Manners } from '#platform/ports/crawler.ts'
import { startHttps } from '#test/https.ts'
import { watchLoop } from '#test/loop.ts'
import {
  bomb,
  endless,
  html,
  memoryManners,
  nameHosts,
  redirect,
  robots,
  slowHeaders,
  slowLoris,
  startSite,
  type Reply,
  type TestSite,
} from '#test/sites.ts'
import { openHttpCrawler } from './http.ts'
import { ROBOTS_FRESH_MS } from './visit.ts'

const settings = {
  outboundAllowHosts: [
    'company.test',
    'www.company.test',
    'shop.company.test',
    'elsewhere.test',
    'private.test',
    'only-www.test',
    'www.only-www.test',
  ],
  baseUrl: 'https://crm.example.test',
  version: '1.2.3',
}
const bounds = { pauseMs: 1, pageTimeoutMs: 15_000, siteTimeoutMs: 20_000, pageCpuMs: 1_000 }
const crawler = openHttpCrawler(settings, bounds)
/** For what never ends: there is nothing to wait for. */
const hasty = openHttpCrawler(settings, { ...bounds, pageTimeoutMs: 1_000, pageCpuMs: 300 })
/** So long at a stretch this thread may work while others wait. */
const HELD_MAX_MS = 300
const sites: TestSite[] = []
let forgetNames: () => void

beforeAll(() => {
  forgetNames = nameHosts({
    'company.test': '127.0.0.1',
    'www.company.test': '127.0.0.1',
    'shop.company.test': '127.0.0.1',
    'elsewhere.test': '127.0.0.1',
    'www.only-www.test': '127.0.0.1',
    'inner.company.test': '127.0.0.1',
    'metadata.company.test': '169.254.169.254',
  })
})
afterAll(() => forgetNames())
afterEach(() => Promise.all(sites.splice(0).map(site => site.close())))

async function company(pages: Record<string, Reply | string>): Promise<TestSite> {
  const site = await startSite(pages, 'company.test')
  sites.push(site)
  return site
}

type Told = {
  known?: KnownPage[]
  manners?: Manners
  path?: string
  by?: typeof crawler
  signal?: AbortSignal
}

function crawl(
  { url }: Pick<TestSite, 'url'>,
  { known = [], manners = memoryManners(), path = '/', by = crawler, signal }: Told = {},
): Promise<Crawled> {
  return by.crawl({ url: url + path, known, manners, signal })
}

function readOf(crawled: Crawled) {
  if (crawled.outcome !== 'read') throw new Error(JSON.stringify(crawled))
  return crawled
}

const valuesOf = (crawled: Crawled, kind: string) =>
  readOf(crawled).pages.flatMap(({ facts }) =>
    facts.filter(fact => fact.kind === kind).map(({ value }) => value),
  )

const pathsOf = (crawled: Crawled) => readOf(crawled).pages.map(({ url }) => new URL(url).pathname)

describe('a site', () => {
  test('is read from its first page to those that tell of the company', async () => {
    const site = await company({
      '/': `<title>Acme</title><a href="/produkte">Produkte</a><a href="/kontakt">Kontakt</a><a href="/unser-team">Team</a>
        <a href="https://elsewhere.test/about">About</a><a href="/about.pdf">About</a>`,
      '/kontakt': '<a href="mailto:info@company.test">Mail</a><a href="/impressum">Impressum</a>',
      '/unser-team': '<h3>Ada Lovelace</h3><p>Chief Engineer</p>',
      '/produkte': 'Products',
    })
    const crawled = readOf(await crawl(site))
    expect(crawled.url).toBe(`${site.url}/`)
    expect(pathsOf(crawled)).toEqual(['/', '/kontakt', '/unser-team'])
    expect(valuesOf(crawled, 'email')).toEqual(['info@company.test'])
    expect(valuesOf(crawled, 'person')).toEqual(['Ada Lovelace'])
    expect(crawled.skipped).toEqual([])
    expect(site.read()).toEqual(['/', '/kontakt', '/unser-team'])
  })

  test('hears who we are, and is asked once for each page', async () => {
    const site = await company({
      '/': '<a href="/contact">x</a><a href="/contact#map">y</a>',
      '/contact': 'Hi',
    })
    await crawl(site)
    expect(site.heard.map(({ path }) => path)).toEqual(['/robots.txt', '/', '/contact'])
    for (const { headers } of site.heard)
      expect(headers['user-agent']).toBe('Rapport/1.2.3 (+https://crm.example.test)')
  })

  test('has eight pages read beside its first, and not one more', async () => {
    const names = [
      'contact',
      'imprint',
      'team',
      'about',
      'company',
      'jobs',
      'kontakt',
      'impressum',
      'people',
      'story',
    ]
    const site = await company({
      '/': names.map(name => `<a href="/${name}">${name}</a>`).join(''),
      ...Object.fromEntries(names.map(name => [`/${name}`, name])),
    })
    expect(readOf(await crawl(site)).pages).toHaveLength(9)
    expect(site.read()).toHaveLength(9)
  })

  test('is left when somebody breaks the crawl off', async () => {
    const site = await company({ '/': slowLoris })
    const leaving = new AbortController()
    const crawling = crawl(site, { signal: leaving.signal })
    await expect.poll(() => site.read()).toEqual(['/'])
    leaving.abort()
    expect(await crawling).toEqual({ outcome: 'failed', reason: 'The crawl was interrupted.', passing: true })
  })

  test('that ends in the midst of a page is told of in words', async () => {
    const site = await company({ '/': ({ socket }) => socket.destroy() })
    expect(await crawl(site)).toMatchObject({ outcome: 'failed', passing: true })
  })

  test.for<[string, Reply, Crawled]>([
    ['404', { status: 404 }, { outcome: 'gone', reason: 'Page not found (404).' }],
    ['410', { status: 410 }, { outcome: 'gone', reason: 'Page not found (410).' }],
    [
      '403',
      { status: 403 },
      { outcome: 'failed', reason: 'The server returned status 403.', passing: false },
    ],
    ['429', { status: 429 }, { outcome: 'failed', reason: 'The server returned status 429.', passing: true }],
    ['503', { status: 503 }, { outcome: 'failed', reason: 'The server returned status 503.', passing: true }],
    [
      '304 to a question that nobody asked',
      { status: 304 },
      { outcome: 'failed', reason: 'The server returned status 304.', passing: false },
    ],
    [
      'a file',
      { headers: { 'content-type': 'application/pdf' }, body: '%PDF' },
      {
        outcome: 'failed',
        reason: 'This URL is not a web page but application/pdf.',
        passing: false,
      },
    ],
    [
      'a redirect to nowhere',
      { status: 302 },
      { outcome: 'failed', reason: 'This URL redirects to an invalid URL.', passing: false },
    ],
  ])('that answers with %s is told of in words', async ([, reply, outcome]) => {
    expect(await crawl(await company({ '/': reply }))).toEqual(outcome)
  })

  test('that is no address is refused', async () => {
    expect(await crawl({ url: 'nonsense' })).toMatchObject({
      outcome: 'failed',
      reason: 'This is not a website URL.',
    })
    expect(await crawl({ url: 'ftp://company.test' })).toMatchObject({ outcome: 'failed', passing: false })
  })

  test('whose host is no more is gone', async () => {
    expect(await crawl({ url: 'https://vanished.test' })).toEqual({
      outcome: 'gone',
      reason: 'Host not found.',
    })
  })

  test('that has only its name with www is found there', async () => {
    const site = await startSite({ '/': '<title>Only www</title>' }, 'only-www.test')
    sites.push(site)
    expect(readOf(await crawl(site)).url).toBe(`http://www.only-www.test:${site.port}/`)
    site.pages.set('/robots.txt', robots('User-agent: *', 'Disallow: /'))
    expect(await crawl(site)).toMatchObject({ outcome: 'blocked' })
  })

  test('whose certificate does not hold has failed for good', async () => {
    const server = await startHttps((_, response) => response.end('x'))
    const { port } = new URL(server.url)
    expect(await crawl({ url: `https://company.test:${port}` })).toMatchObject({
      outcome: 'failed',
      passing: false,
    })
    await server.close()
  })
})

describe('robots.txt', () => {
  test('keeps us from the site, and nothing but itself is asked for', async () => {
    const site = await company({ '/': 'Secret', '/robots.txt': robots('User-agent: *', 'Disallow: /') })
    expect(await crawl(site)).toEqual({
      outcome: 'blocked',
      reason: `The robots.txt of company.test:${site.port} does not allow crawling /.`,
    })
    expect(site.heard.map(({ path }) => path)).toEqual(['/robots.txt'])
  })

  test('keeps us from a page, and that one is not asked for', async () => {
    const site = await company({
      '/': '<a href="/team">Team</a><a href="/contact">Contact</a>',
      '/team': 'Secret',
      '/contact': 'Hi',
      '/robots.txt': robots('User-agent: Rapport', 'Disallow: /team', 'User-agent: *', 'Disallow: /'),
    })
    const crawled = readOf(await crawl(site))
    expect(pathsOf(crawled)).toEqual(['/', '/contact'])
    expect(crawled.skipped).toEqual([
      {
        url: `${site.url}/team`,
        why: `The robots.txt of company.test:${site.port} does not allow crawling /team.`,
      },
    ])
    expect(site.read()).toEqual(['/', '/contact'])
  })

  test('keeps us from where a redirect leads', async () => {
    const site = await company({
      '/': redirect('/hidden'),
      '/hidden': 'Secret',
      '/robots.txt': robots('User-agent: *', 'Disallow: /hidden'),
    })
    expect(await crawl(site)).toMatchObject({ outcome: 'blocked' })
    expect(site.read()).toEqual(['/'])
  })

  test('of another host of the same company is read before that is', async () => {
    const site = await company({ '/robots.txt': robots('User-agent: *', 'Disallow: /shop') })
    site.pages.set('/', redirect(`http://shop.company.test:${site.port}/shop`))
    site.pages.set('/shop', html('Shop'))
    expect(await crawl(site)).toMatchObject({ outcome: 'blocked' })
    expect(site.heard.map(({ host, path }) => host.split('.')[0] + path)).toEqual([
      'company/robots.txt',
      'company/',
      'shop/robots.txt',
    ])
  })

  test('is asked for once in a day, by whomever', async () => {
    const site = await company({ '/': 'Hi', '/robots.txt': robots('User-agent: *', 'Disallow: /x') })
    const manners = memoryManners()
    await crawl(site, { manners })
    await crawl(site, { manners })
    expect(site.heard.map(({ path }) => path)).toEqual(['/robots.txt', '/', '/'])
    expect([...manners.kept.values()]).toEqual([
      { text: 'User-agent: *\nDisallow: /x', freshForMs: ROBOTS_FRESH_MS },
    ])
  })

  test.for([401, 403, 404, 410])('that is not there (%i) allows everything', async status => {
    const manners = memoryManners()
    const site = await company({ '/': 'Hi', '/robots.txt': { status } })
    expect(await crawl(site, { manners })).toMatchObject({ outcome: 'read' })
    expect(manners.kept.get(`company.test:${site.port}`)?.text).toBe('')
  })

  test.for([429, 500, 503])(
    'that cannot be had now (%i) allows nothing, and is not remembered',
    async status => {
      const manners = memoryManners()
      const site = await company({ '/': 'Hi', '/robots.txt': { status } })
      expect(await crawl(site, { manners })).toEqual({
        outcome: 'failed',
        reason: `The robots.txt of company.test:${site.port} cannot be read: the server returned status ${status}.`,
        passing: true,
      })
      expect(site.read()).toEqual([])
      expect(manners.kept.size).toBe(0)
    },
  )

  test('that never comes to an end in time allows nothing', async () => {
    const site = await company({ '/': 'Hi', '/robots.txt': slowLoris })
    expect(await crawl(site, { by: hasty })).toMatchObject({
      outcome: 'failed',
      passing: true,
      reason: 'No response within 1 s.',
    })
    expect(site.read()).toEqual([])
  })

  test('is followed to where it leads, five times', async () => {
    const chain = (hops: number) => ({
      '/': 'Hi',
      '/robots.txt': redirect('/robots/1'),
      ...Object.fromEntries(
        Array.from({ length: hops - 1 }, (_, n) => [`/robots/${n + 1}`, redirect(`/robots/${n + 2}`)]),
      ),
      [`/robots/${hops}`]: robots('User-agent: *', 'Disallow: /'),
    })
    expect(await crawl(await company(chain(5)))).toMatchObject({ outcome: 'blocked' })
    expect(await crawl(await company(chain(6)))).toMatchObject({ outcome: 'read' })
  })

  test('that leads to a private address is not followed there', async () => {
    const site = await company({
      '/': 'Hi',
      '/robots.txt': redirect('https://metadata.company.test/robots.txt'),
    })
    expect(await crawl(site)).toMatchObject({
      outcome: 'failed',
      reason: 'metadata.company.test is not a public address.',
    })
    expect(site.read()).toEqual([])
  })

  test('counts with its first 500 KiB, up to the last whole line, packed or not', async () => {
    const text = `User-agent: *\nDisallow: /never\n${'# filler\n'.repeat(60_000)}Disallow: /\n`
    expect(await crawl(await company({ '/': 'Hi', '/robots.txt': { body: text } }))).toMatchObject({
      outcome: 'read',
    })
    const packed = { body: gzipSync(text), headers: { 'content-encoding': 'gzip' } }
    const manners = memoryManners()
    const site = await company({ '/': 'Hi', '/robots.txt': packed })
    expect(await crawl(site, { manners })).toMatchObject({ outcome: 'read' })
    const kept = manners.kept.get(`company.test:${site.port}`)!.text
    expect(kept.length).toBeLessThanOrEqual(500 * 1024)
    expect(kept.endsWith('# filler\n')).toBe(true)
    const whole = gzipSync('User-agent: *\nDisallow: /\n')
    const other = await company({
      '/': 'Hi',
      '/robots.txt': { body: whole, headers: { 'content-encoding': 'gzip' } },
    })
    expect(await crawl(other)).toMatchObject({ outcome: 'blocked' })
  })

  test('is kept as a table takes it', async () => {
    const manners = memoryManners()
    const site = await company({ '/': 'Hi', '/robots.txt': robots('User-agent: *\0', 'Disallow: /\0secret') })
    await crawl(site, { manners })
    expect(manners.kept.get(`company.test:${site.port}`)?.text).toBe('User-agent: *\nDisallow: /secret')
  })
})

describe('a host is asked politely', () => {
  test('by turns that are taken for each request, with the pause that it asks for up to ten seconds', async () => {
    const told = async (delay: string) => {
      const site = await company({
        '/': '<a href="/contact">x</a>',
        '/contact': 'Hi',
        '/robots.txt': robots('User-agent: *', `Crawl-delay: ${delay}`),
      })
      const manners = memoryManners()
      await crawl(site, { manners })
      return manners.turns.map(({ pauseMs }) => pauseMs)
    }
    expect(await told('2.5')).toEqual([1, 2_500, 2_500])
    expect(await told('3600')).toEqual([1, 10_000, 10_000])
    expect(await told('soon')).toEqual([1, 1, 1])
  })

  test('and we wait until it is our turn', async () => {
    const site = await company({ '/': 'Hi' })
    const began = performance.now()
    await crawl(site, { manners: memoryManners(turn => (turn === 2 ? 300 : 0)) })
    expect(performance.now() - began).toBeGreaterThanOrEqual(295)
  })

  test('and left alone where our turn comes too late', async () => {
    const site = await company({ '/': 'Hi' })
    expect(await crawl(site, { manners: memoryManners(() => 25_000) })).toEqual({
      outcome: 'failed',
      reason: 'The crawl took longer than 20 s.',
      passing: true,
    })
    expect(site.heard).toEqual([])
  })

  test('and what was read holds where the time is over before the other pages', async () => {
    const site = await company({ '/': '<a href="/contact">x</a>', '/contact': 'Hi' })
    const crawled = await crawl(site, { manners: memoryManners(turn => (turn === 3 ? 25_000 : 0)) })
    expect(pathsOf(crawled)).toEqual(['/'])
    expect(readOf(crawled).skipped).toEqual([
      { url: `${site.url}/contact`, why: 'The crawl took longer than 20 s.' },
    ])
  })
})

describe('a redirect', () => {
  test('within the site is followed, and the site begins where it leads', async () => {
    const site = await company({ '/': redirect('/de/', 301), '/de/': '<title>Hallo</title>' })
    expect(readOf(await crawl(site)).url).toBe(`${site.url}/de/`)
  })

  test('to the name with www, and to a neighbour of the same name, is followed from the first page', async () => {
    const site = await company({ '/home': '<a href="/contact">x</a>', '/contact': 'Hi' })
    for (const host of ['www.company.test', 'shop.company.test']) {
      site.pages.set('/', redirect(`http://${host}:${site.port}/home`))
      expect(readOf(await crawl(site)).url).toBe(`http://${host}:${site.port}/home`)
    }
  })

  test('to another site is told of and not followed', async () => {
    const site = await company({})
    const other = await startSite({ '/': 'Not us' }, 'elsewhere.test')
    sites.push(other)
    site.pages.set('/', redirect(other.url))
    expect(await crawl(site)).toEqual({
      outcome: 'failed',
      reason: `This URL redirects to another site, elsewhere.test:${other.port}. If it is the same company, add that site instead.`,
      passing: false,
    })
    site.pages.set('/', html('<a href="/contact">x</a>'))
    site.pages.set('/contact', redirect(other.url))
    expect(readOf(await crawl(site)).skipped).toHaveLength(1)
    expect(other.heard).toEqual([])
  })

  test('is followed five times, and not once more', async () => {
    const chain = (hops: number) => ({
      '/': redirect('/1'),
      ...Object.fromEntries(Array.from({ length: hops - 1 }, (_, n) => [`/${n + 1}`, redirect(`/${n + 2}`)])),
      [`/${hops}`]: 'At last',
    })
    expect(await crawl(await company(chain(5)))).toMatchObject({ outcome: 'read' })
    const site = await company(chain(6))
    expect(await crawl(site)).toEqual({
      outcome: 'failed',
      reason: 'This URL redirects too many times.',
      passing: false,
    })
    expect(site.read()).toHaveLength(6)
  })

  test('to a page that was read already brings that one once', async () => {
    const site = await company({ '/': '<a href="/contact">x</a><a href="/kontakt">y</a>', '/contact': 'Hi' })
    site.pages.set('/kontakt', redirect('/contact'))
    expect(pathsOf(await crawl(site))).toEqual(['/', '/contact'])
  })

  test.for([
    ['10.0.0.1', 'https://10.0.0.1:PORT/', 'This URL redirects to another site, 10.0.0.1'],
    ['this machine', 'https://127.0.0.1:PORT/', 'This URL redirects to another site, 127.0.0.1'],
    [
      'the metadata of a cloud',
      'https://169.254.169.254/latest',
      'This URL redirects to another site, 169.254',
    ],
    [
      'a name for this machine',
      'https://inner.company.test:PORT/',
      'inner.company.test is not a public address.',
    ],
    [
      'a name for the metadata',
      'https://metadata.company.test:PORT/',
      'metadata.company.test is not a public address.',
    ],
    [
      'its twin that is private',
      'https://www.company.test:PORT/',
      'www.company.test is not a public address.',
    ],
    ['a file', 'file:///etc/passwd', 'This URL redirects to an invalid URL.'],
  ])('to %s is told of and not followed, be it the first or the second', async ([, target, reason]) => {
    const by = openHttpCrawler({ ...settings, outboundAllowHosts: ['company.test'] }, bounds)
    const site = await company({})
    const away = redirect(target!.replace('PORT', String(site.port)))
    const told = { outcome: 'failed', passing: false, reason: expect.stringContaining(reason!) }
    site.pages.set('/', away)
    expect(await crawl(site, { by })).toEqual(told)
    site.pages.set('/', redirect('/next'))
    site.pages.set('/next', away)
    expect(await crawl(site, { by })).toEqual(told)
    expect(new Set(site.heard.map(({ host }) => host))).toEqual(new Set([`company.test:${site.port}`]))
    expect(site.read()).toEqual(['/', '/', '/next'])
  })

  test('of another page to a private address is told of, and the others are read', async () => {
    const by = openHttpCrawler({ ...settings, outboundAllowHosts: ['company.test'] }, bounds)
    const site = await company({ '/': '<a href="/about">x</a><a href="/contact">y</a>', '/contact': 'Hi' })
    site.pages.set('/about', redirect(`https://www.company.test:${site.port}/about`))
    const crawled = readOf(await crawl(site, { by }))
    expect(crawled.skipped).toEqual([
      { url: `${site.url}/about`, why: 'www.company.test is not a public address.' },
    ])
    expect(pathsOf(crawled)).toEqual(['/', '/contact'])
  })

  test('to http becomes one to https where the operator allows no other', async () => {
    const site = await company({})
    site.pages.set('/', redirect(`http://inner.company.test:${site.port}/`))
    // It speaks no TLS: that this is what fails shows what was tried.
    expect(await crawl(site)).toMatchObject({ reason: 'inner.company.test is not a public address.' })
  })
})

describe('what has no end is left', () => {
  test.for<[string, Reply, string, boolean, typeof crawler?]>([
    ['drips', slowLoris, 'No response within 1 s.', true, hasty],
    ['drips its headers', slowHeaders, 'No response within 1 s.', true, hasty],
    ['pours', endless, 'The page is larger than 2 MiB.', false],
    ['blows up by gzip', bomb('gzip'), 'The page is larger than 2 MiB.', false],
    ['blows up by brotli', bomb('br'), 'The page is larger than 2 MiB.', false],
    [
      'is packed wrongly',
      { body: 'This is not packed at all.', headers: { 'content-encoding': 'gzip' } },
      'The page could not be decompressed.',
      false,
    ],
    [
      'is packed as nobody asked for',
      { body: 'x', headers: { 'content-encoding': 'zstd' } },
      'The page uses an unsupported compression (zstd).',
      false,
    ],
    [
      'closes what was never open',
      html('<div>'.repeat(40_000) + '</p>'.repeat(40_000)),
      'The page takes too long to read.',
      false,
      hasty,
    ],
  ])('a page that %s', async ([, reply, reason, passing, by = crawler]) => {
    const site = await company({ '/': reply })
    expect(await crawl(site, { by })).toEqual({ outcome: 'failed', reason, passing })
    site.pages.set('/', html('<title>Acme</title><a href="/about">x</a><a href="/contact">y</a>'))
    site.pages.set('/about', reply)
    site.pages.set('/contact', html('<a href="mailto:info@company.test">x</a>'))
    const crawled = await crawl(site, { by })
    expect(readOf(crawled).skipped).toEqual([{ url: `${site.url}/about`, why: reason }])
    expect(valuesOf(crawled, 'email')).toEqual(['info@company.test'])
  })

  test('and takes little memory, however large it would become', async () => {
    const site = await company({ '/': 'Hi' })
    const replies = [bomb('br'), bomb('gzip'), endless]
    await crawl(site)
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    const looking = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 1)
    for (const reply of replies) {
      site.pages.set('/', reply)
      expect(await crawl(site)).toMatchObject({ outcome: 'failed' })
    }
    clearInterval(looking)
    expect(most / 1024 / 1024).toBeLessThan(48)
  })

  test('and nobody else in the process waits for it', async () => {
    const site = await company({ '/': '<div>'.repeat(40_000) + '</p>'.repeat(40_000) })
    const loop = watchLoop()
    onTestFinished(loop.stop)
    const neighbour = await company({ '/': '<title>Acme</title>' })
    const [hard, easy] = await Promise.all([crawl(site, { by: hasty }), crawl(neighbour)])
    expect(hard).toMatchObject({ outcome: 'failed', reason: 'The page takes too long to read.' })
    expect(valuesOf(easy, 'name')).toEqual(['Acme'])
    expect(loop.worst()).toBeLessThan(HELD_MAX_MS)
  })

  test('a site of many slow pages, after its own time', async () => {
    const slow: Reply = (_, response) => void setTimeout(() => response.end('slow'), 700)
    const names = ['contact', 'imprint', 'team', 'about', 'jobs']
    const site = await company({
      '/': names.map(name => `<a href="/${name}">x</a>`).join(''),
      ...Object.fromEntries(names.map(name => [`/${name}`, slow])),
    })
    const by = openHttpCrawler(settings, { ...bounds, siteTimeoutMs: 2_000 })
    const crawled = await crawl(site, { by })
    expect(readOf(crawled).pages.length).toBeLessThan(5)
    expect(readOf(crawled).skipped.length).toBeGreaterThan(1)
  })

  test('a page is taken up to its limit, and not one byte more', async () => {
    const by = openHttpCrawler(settings, { ...bounds, pageBytes: 1_024 })
    const full = `<title>Acme</title>${' '.repeat(1_024 - 19)}`
    const packings: ((text: string) => Reply)[] = [
      text => html(text),
      text => ({ body: gzipSync(text), headers: { 'content-encoding': 'gzip' } }),
      text => ({ body: brotliCompressSync(text), headers: { 'content-encoding': 'br' } }),
    ]
    for (const packed of packings) {
      expect(valuesOf(await crawl(await company({ '/': packed(full) }), { by }), 'name')).toEqual(['Acme'])
      expect(await crawl(await company({ '/': packed(`${full} `) }), { by })).toEqual({
        outcome: 'failed',
        reason: 'The page is larger than 1 KiB.',
        passing: false,
      })
    }
  })
})

describe('a page that was read before', () => {
  const changing =
    (validators: Record<string, string>, body: () => string): Reply =>
    (request, response) => {
      const { 'if-none-match': tag, 'if-modified-since': since } = request.headers
      const isKnown = validators['etag'] ? tag === validators['etag'] : since === validators['last-modified']
      if (isKnown && (tag ?? since)) return void response.writeHead(304, validators).end()
      response.writeHead(200, { 'content-type': 'text/html', ...validators }).end(body())
    }

  test.for<[string, Record<string, string>]>([
    ['its tag', { etag: 'W/"7"' }],
    ['its date', { 'last-modified': 'Sun, 15 Nov 2026 08:00:00 GMT' }],
  ])('and is the same by %s costs a 304 and brings no facts', async ([, validators]) => {
    const site = await company({
      '/': changing(validators, () => '<title>Acme</title><a href="/contact">x</a>'),
      '/contact': changing(validators, () => '<a href="mailto:info@company.test">x</a>'),
    })
    const first = readOf(await crawl(site))
    expect(first.pages.map(({ etag, last_modified }) => etag ?? last_modified)).toEqual([
      Object.values(validators)[0],
      Object.values(validators)[0],
    ])
    const again = readOf(await crawl(site, { known: first.pages }))
    expect(again.pages).toEqual(first.pages.map(page => ({ ...page, unchanged: true, facts: [] })))
  })

  test('is read anew where it has changed', async () => {
    const validators = { etag: '"1"' }
    let title = 'Old'
    const site = await company({ '/': changing(validators, () => `<title>${title}</title>`) })
    const first = readOf(await crawl(site))
    validators.etag = '"2"'
    title = 'New'
    const again = readOf(await crawl(site, { known: first.pages }))
    expect(again.pages).toMatchObject([{ etag: '"2"', unchanged: false }])
    expect(valuesOf(again, 'name')).toEqual(['New'])
  })

  test('is no longer told of when it is gone, and still holds when it only fails', async () => {
    const site = await company({
      '/': changing({ etag: '"1"' }, () => '<a href="/team">x</a><a href="/contact">y</a>'),
    })
    site.pages.set('/team', html('Team', { etag: '"t"' }))
    site.pages.set('/contact', html('Contact', { etag: '"c"' }))
    const first = readOf(await crawl(site))
    expect(first.pages).toHaveLength(3)
    site.pages.set('/team', { status: 404 })
    site.pages.set('/contact', { status: 503 })
    const again = readOf(await crawl(site, { known: first.pages }))
    expect(again.pages.map(({ url, unchanged, etag }) => [new URL(url).pathname, unchanged, etag])).toEqual([
      ['/', true, '"1"'],
      ['/contact', true, '"c"'],
    ])
    expect(again.skipped.map(({ why }) => why).toSorted()).toEqual([
      'Page not found (404).',
      'The server returned status 503.',
    ])
  })

  test('elsewhere is not asked for', async () => {
    const site = await company({ '/': 'Hi' })
    const other = await startSite({ '/about': 'x' }, 'elsewhere.test')
    sites.push(other)
    await crawl(site, { known: [{ url: `${other.url}/about`, etag: '"1"', last_modified: null }] })
    expect(other.heard).toEqual([])
  })

  test('has no tag that could not be sent back', async () => {
    const site = await company({ '/': html('x', { etag: `"${'x'.repeat(300)}"` }) })
    expect(readOf(await crawl(site)).pages[0]?.etag).toBeNull()
    site.pages.set('/', html('x', { etag: `"${'x'.repeat(298)}"` }))
    expect(readOf(await crawl(site)).pages[0]?.etag).toHaveLength(300)
  })
})

describe('pages that ask for it', () => {
  const told = '<title>Acme</title><a href="/contact">x</a>'

  test.for<[string, Reply]>([
    ['in their head', html(`<meta name="ROBOTS" content="NoIndex, follow">${told}`)],
    ['in their head, to us', html(`<meta name="rapport" content="noindex">${told}`)],
    ['in their headers', html(told, { 'x-robots-tag': 'noindex' })],
    ['in their headers, to us', html(told, { 'x-robots-tag': 'otherbot: nofollow, rapport: noindex' })],
  ])('%s have no facts kept, and others are read', async ([, reply]) => {
    const site = await company({ '/': reply, '/contact': '<a href="mailto:info@company.test">x</a>' })
    const crawled = readOf(await crawl(site))
    expect(crawled.pages[0]).toMatchObject({ facts: [], unchanged: false })
    expect(crawled.skipped).toEqual([
      { url: `${site.url}/`, why: 'The page asks not to be indexed (noindex).' },
    ])
    expect(valuesOf(crawled, 'email')).toEqual(['info@company.test'])
  })

  test('to another robot are read', async () => {
    const site = await company({ '/': html('<title>Acme</title>', { 'x-robots-tag': 'otherbot: noindex' }) })
    expect(valuesOf(await crawl(site), 'name')).toEqual(['Acme'])
  })

  test('all of them leave nothing: the site is blocked', async () => {
    const site = await company({ '/': `<meta name=robots content=none>${told}`, '/contact': 'x' })
    expect(await crawl(site)).toMatchObject({ outcome: 'blocked' })
    expect(site.read()).toEqual(['/'])
  })
})
