import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openHttpCrawler } from '#adapters/crawler/http.ts'
import { systemClock } from '#platform/clock.ts'
import { LEASE_MS } from '#platform/jobs/limits.ts'
import { startProgram } from '#test/command-line.ts'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { eventually } from '#test/eventually.ts'
import { startSite, type Reply, type TestSite } from '#test/sites.ts'
import { DAY_MS, startHunt, type Hunt } from './candidates.harness.ts'
import { STALE_DAYS } from './values.ts'

const config = { outboundAllowHosts: ['localhost'] }
const crawlerWith = (pauseMs: number) =>
  openHttpCrawler({ ...config, baseUrl: 'https://crm.example.test', version: '1.0.0' }, { pauseMs })

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})
let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

async function hunting(options: Parameters<typeof startHunt>[0]): Promise<Hunt> {
  const hunt = await startHunt({ config, database, ...options })
  open.push(() => hunt.close())
  return hunt
}

async function siteWith(pages: Parameters<typeof startSite>[0]): Promise<TestSite> {
  const site = await startSite(pages)
  open.push(() => site.close())
  return site
}

async function add({ ada }: Hunt, { url }: TestSite): Promise<string> {
  const { status, body } = await ada.browser.post('/api/crm/candidates', { address: url })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

/** A page that knows whether it has changed. */
function tagged(body: () => string): Reply {
  return (request, response) => {
    const etag = `"${Buffer.from(body()).toString('base64url').slice(-20)}"`
    const isKnown = request.headers['if-none-match'] === etag
    response.writeHead(isKnown ? 304 : 200, { 'content-type': 'text/html', etag })
    response.end(isKnown ? undefined : body())
  }
}

describe('a real site', () => {
  test('that has not changed costs a 304 for each page and tells nothing; one that has, tells what', async () => {
    const statuses: number[] = []
    let people = '<p>Nobody yet</p>'
    const counted =
      (reply: Reply): Reply =>
      (request, response) => {
        response.on('finish', () => statuses.push(response.statusCode))
        ;(reply as (...given: unknown[]) => void)(request, response)
      }
    const home =
      '<html lang="en"><head><title>Acme</title><meta name="description" content="Anvils for all"></head><body><a href="/about">About us</a></body></html>'
    const site = await siteWith({
      '/': counted(tagged(() => home)),
      '/about': counted(tagged(() => `<p>Write to <a href="mailto:hello@acme.test">us</a></p>${people}`)),
    })
    const hunt = await hunting({ ports: { crawler: crawlerWith(1) } })
    const id = await add(hunt, site)
    await hunt.is(id, { status: 'CRAWLED', email: 'hello@acme.test', description: 'Anvils for all' })
    expect(statuses).toEqual([200, 200])
    const first = await hunt.read(id)

    hunt.clock.advance(STALE_DAYS * DAY_MS)
    expect(await hunt.enrich()).toMatchObject({ claimed: 1 })
    await hunt.is(id, { status: 'CRAWLED', crawls: 2 })
    expect(statuses).toEqual([200, 200, 304, 304])
    expect(await hunt.read(id)).toMatchObject({ data: first.data, changed_at: first.changed_at })
    expect(await hunt.events(id, 'candidate.facts_changed')).toEqual([])

    people = '<p>And to <a href="mailto:sales@acme.test">those who sell</a></p>'
    hunt.clock.advance(STALE_DAYS * DAY_MS)
    await hunt.enrich()
    await hunt.is(id, { status: 'CRAWLED', crawls: 3 })
    expect(statuses).toEqual([200, 200, 304, 304, 304, 200])
    const [told] = await hunt.events(id, 'candidate.facts_changed')
    expect(told!.data).toMatchObject({
      added: [{ kind: 'email', value: 'sales@acme.test', url: `${site.url}/about` }],
      gone: [],
    })
  })

  test('is asked by two processes for two teams as by one: with a pause between any two requests', async () => {
    const pauseMs = 250
    const at: number[] = []
    const page =
      (body: string): Reply =>
      (_, response) => {
        at.push(performance.now())
        response.writeHead(200, { 'content-type': 'text/html' }).end(body)
      }
    const links = ['/about', '/team', '/contact'].map(path => `<a href="${path}">${path.slice(1)}</a>`)
    const site = await siteWith({
      '/': page(links.join()),
      '/about': page('About'),
      '/team': page('Team'),
      '/contact': page('Contact'),
    })
    const clock = systemClock as never
    const hunts = [
      await hunting({ clock, ports: { crawler: crawlerWith(pauseMs) } }),
      await hunting({ clock, ports: { crawler: crawlerWith(pauseMs) } }),
    ]
    const ids = await Promise.all(hunts.map(hunt => add(hunt, site)))
    await Promise.all(
      hunts.map((hunt, n) =>
        eventually(async () => expect(await hunt.read(ids[n]!)).toMatchObject({ status: 'CRAWLED' }), 30_000),
      ),
    )
    expect(at).toHaveLength(8)
    // A busy machine makes the first come late: seven pauses are at least five then.
    expect(at.at(-1)! - at[0]!).toBeGreaterThan(5 * pauseMs)
  })
})

test('a worker that is killed in the middle of a crawl costs nothing: another does it, once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-crawl-'))
  open.push(() => rm(folder, { recursive: true, force: true }))
  let asked = 0
  const site = await siteWith({
    '/': (_, response) => {
      // The first who asks waits until it is killed.
      if (++asked > 1) response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Acme</title>')
    },
  })
  const clock = systemClock as never
  const api = await hunting({ clock, role: 'api' })
  const id = await add(api, site)
  const file = new URL('./worker.child.ts', import.meta.url).pathname
  const child = await startProgram(file, [database.loginUrl, folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const gone = once(child, 'exit')
  try {
    await eventually(() => expect(asked).toBe(1), 60_000)
    expect(await api.read(id)).toMatchObject({ status: 'CRAWLING' })
  } finally {
    child.kill('SIGKILL')
    await gone
  }
  // By its clock the dead one's lease is over.
  const later = { now: () => systemClock.now() + LEASE_MS } as never
  await hunting({ clock: later, role: 'worker', ports: { crawler: crawlerWith(1) } })
  await eventually(async () => expect(await api.read(id)).toMatchObject({ status: 'CRAWLED' }), 60_000)
  expect(asked).toBe(2)
  expect(await api.read(id)).toMatchObject({ name: 'Acme', crawls: 1, failures: 0 })
  expect(await api.booked(id)).toEqual(['use'])
  expect(await api.events(id, 'candidate.crawled')).toHaveLength(1)
}, 150_000)
