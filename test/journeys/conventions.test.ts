import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { perAddress, perAddressRefused, perPerson, perProbe, perTeam } from '#http/rate-limit.ts'
import { patience } from '#http/server.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { expectNone, failuresOf } from '#test/attempts.ts'
import { client, type Client, type Reply } from '#test/client.ts'
import { colleagueOf } from '#test/colleague.ts'
import { isRepeatable, readOperations, type Operation } from '#test/operations.ts'
import { expectProblem } from '#test/problem.ts'
import { fillTeam } from '#test/records.ts'
import { textOfRows } from '#test/rows.ts'
import { full, shareOf } from '#test/tier.ts'
import { watchWrites } from '#test/writes.ts'

// Some tests here walk all operations.
vi.setConfig({ testTimeout: full ? 600_000 : 120_000 })

const clock = new FakeClock()
// Without a worker, so that only requests change rows.
const app = await startApp({ role: 'api', clock })
const operations = await readOperations(app.url)
const team = await fillTeam(app, operations, await app.person())
const { browser } = team.person
const writes = await watchWrites(app.database)
const cron = client(app.url, { authorization: `Bearer ${app.runtime.settings.cronSecret}` })

const LEADS = '/api/crm/leads'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ONE_BY_ONE = { atOnce: 1 }

afterAll(() => app.close())

describe('an Idempotency-Key', () => {
  const posts = operations.filter(({ headers }) => headers.includes('Idempotency-Key'))

  test('is taken by every POST of somebody we know, but for an upload, which does nothing by itself', () => {
    const known = operations.filter(
      ({ method, access, upload }) => method === 'POST' && typeof access === 'object' && !upload,
    )
    expect(posts.map(({ name }) => name)).toEqual(known.map(({ name }) => name))
    expect(posts.length).toBeGreaterThan(5)
  })

  test('makes each of them happen once: the second time answers the same and writes nothing', async () => {
    const firsts = new Map<Operation, { send: () => Promise<Reply>; first: Reply }>()
    // One piece of code keeps the keys of all.
    const once = shareOf(posts.filter(isRepeatable), 0, 6)
    const undone = await failuresOf(
      once,
      async operation => {
        const key = { 'idempotency-key': `once ${operation.name}` }
        let sent = team.request(operation)
        // Only what was done is remembered: where the record was used up, the key serves again.
        const first = await team.withRecord(operation, () => {
          sent = team.request(operation)
          return browser.post(sent.path, sent.body, key)
        })
        expect(first.status, first.text).toBe(operation.success.status)
        firsts.set(operation, { send: () => browser.post(sent.path, sent.body, key), first })
      },
      ONE_BY_ONE,
    )
    const doneAgain = await failuresOf(
      once.filter(operation => firsts.has(operation)),
      async operation => {
        const { send, first } = firsts.get(operation)!
        const second = await send()
        expect(second.headers.get('idempotency-replayed')).toBe('true')
        expect(whatMatters(second)).toEqual(whatMatters(first))
      },
      { writes },
    )
    expectNone([...undone, ...doneAgain])
  })

  test('has one effect when twenty copies arrive at once', async () => {
    const person = await app.person()
    // Every connection is open already, so that the copies really run side by side.
    await Promise.all(Array.from({ length: 40 }, () => person.browser.get(LEADS)))
    for (let round = 1; round <= (full ? 10 : 4); round++) {
      const key = { 'idempotency-key': `twenty ${round}` }
      const send = () => person.browser.post(LEADS, { first_name: 'Twenty' }, key)
      const replies = await Promise.all(Array.from({ length: 20 }, send))
      const made = replies.filter(({ status }) => status === 201)
      expect(made.length).toBeGreaterThan(0)
      expect(new Set(made.map(({ text }) => text)).size).toBe(1)
      for (const reply of replies.filter(({ status }) => status !== 201)) {
        expectProblem(reply, 409, 'idempotency_key_in_flight')
      }
      expect((await person.browser.get(LEADS)).body.data).toHaveLength(round)
    }
  })

  test('that is being worked on answers 409 at once, and not after waiting', async () => {
    const holder = new pg.Client({ connectionString: app.database.url })
    await holder.connect()
    await holder.query('begin; lock table leads in exclusive mode')
    const send = () => browser.post(LEADS, { first_name: 'Slow' }, { 'idempotency-key': 'in flight' })
    const first = send()
    await untilSomebodyWaitsForALock()
    const second = await send()
    expectProblem(second, 409, 'idempotency_key_in_flight')
    expect(second.headers.get('retry-after')).toBe('1')
    await holder.query('commit')
    await holder.end()
    expect((await first).status).toBe(201)
    expect((await send()).body).toEqual((await first).body)
  })

  test('with another body, or for something else, is a 422 and does nothing', async () => {
    const key = { 'idempotency-key': 'reused' }
    const { body } = await browser.post(LEADS, { first_name: 'First' }, key)
    await writes.forget()
    expectProblem(await browser.post(LEADS, { first_name: 'Other' }, key), 422, 'idempotency_key_reused')
    expectProblem(
      await browser.post(`${LEADS}/${body.id}/restore`, undefined, key),
      422,
      'idempotency_key_reused',
    )
    expectProblem(
      await browser.post('/api/crm/views', { kind: 'leads', name: 'x', query: '' }, key),
      422,
      'idempotency_key_reused',
    )
    expect(await writes.made()).toEqual([])
  })

  test('of a request that failed may be used again, for nothing was done', async () => {
    const key = { 'idempotency-key': 'failed' }
    expectProblem(await browser.post(LEADS, { email: 'no address' }, key), 422, 'validation_failed')
    expectProblem(
      await browser.post(LEADS, { pipeline_stage: 'Nowhere', first_name: 'x' }, key),
      422,
      'validation_failed',
    )
    expect((await browser.post(LEADS, { email: 'an@address.test' }, key)).status).toBe(201)
  })

  test('belongs to who sent it: another caller or team with the same key does its own work', async () => {
    const key = { 'idempotency-key': 'shared' }
    const other = await app.person()
    const callers = [
      browser,
      await team.person.key(),
      await team.person.key(),
      other.browser,
      await other.key(),
    ]
    const replies = await Promise.all(callers.map(caller => caller.post(LEADS, { first_name: 'Own' }, key)))
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(5)
  })

  test('is remembered for 24 hours, then forgotten and cleared away', async () => {
    const person = await app.person()
    const send = () => person.browser.post(LEADS, { first_name: 'Day' }, { 'idempotency-key': 'day' })
    const first = await send()
    clock.advance(DAY_MS - 1)
    expect((await send()).body.id).toBe(first.body.id)
    clock.advance(1)
    const second = await send()
    expect(second.status).toBe(201)
    expect(second.body.id).not.toBe(first.body.id)
    expect((await send()).body.id).toBe(second.body.id)
    clock.advance(DAY_MS + 1)
    expect((await cron.post('/api/cron/housekeeping')).body.processed.saved_answers).toBeGreaterThan(0)
    expect(await app.database.query('select from idempotency_keys')).toEqual([])
  })

  test('is 1 to 255 characters', async () => {
    for (const key of ['', 'k'.repeat(256)]) {
      expectProblem(
        await browser.post(LEADS, { first_name: 'x' }, { 'idempotency-key': key }),
        400,
        'idempotency_key_malformed',
      )
    }
    expect(
      (await browser.post(LEADS, { first_name: 'x' }, { 'idempotency-key': 'k'.repeat(255) })).status,
    ).toBe(201)
  })

  test('does not put the secret of a new API key into the database', async () => {
    const send = () =>
      browser.post('/api/keys', { name: 'Once', scopes: ['leads:read'] }, { 'idempotency-key': 'secret' })
    const { key } = (await send()).body
    expect((await send()).body.key).toBe(key)
    const kept = (await textOfRows(app.database)).join('\n')
    expect(kept).toContain(key.slice(0, 12))
    expect(kept).not.toContain(key)
    expect(kept).not.toContain(Buffer.from(key).toString('base64'))
  })
})

describe('versions', () => {
  const conditional = operations.filter(({ headers }) => headers.includes('If-Match'))
  const tagged = operations.filter(({ headers }) => headers.includes('If-None-Match'))

  test('are kept by several operations', () => {
    expect(conditional.length).toBeGreaterThan(2)
    expect(tagged.length).toBeGreaterThan(1)
  })

  test('are told to who reads: 304 to who has it already', async () => {
    const attempt = async (operation: Operation, turn: number) => {
      const first = await team.withRecord(operation, () => browser.get(team.request(operation).path))
      const { path } = team.request(operation)
      const etag = first.headers.get('etag')!
      expect(etag).toMatch(/^"[\w-]+"$/)
      for (const known of shareOf([etag, `W/${etag}`, `"other", ${etag}`, '*'], turn, 4)) {
        const reply = await browser.get(path, { 'if-none-match': known })
        expect([reply.status, reply.text, reply.headers.get('etag')]).toEqual([304, '', etag])
      }
      expect((await browser.get(path, { 'if-none-match': '"other"' })).text).toBe(first.text)
    }
    expectNone(await failuresOf(tagged, attempt, ONE_BY_ONE))
  })

  test('keep apart who writes: 412 when it changed meanwhile, and nothing is changed', async () => {
    const attempt = async (operation: Operation, turn: number) => {
      await team.renew(operation)
      const { path, body } = team.request(operation)
      const send = (tag: string) => sendTo(operation, path, body, { 'if-match': tag })
      await writes.forget()
      const tags = ['"1"', '"nonsense!"', 'no tag', '"zzzzzzzzzzz"']
      const stale = await Promise.all(shareOf(tags, turn, tags.length).map(send))
      for (const reply of stale) expectProblem(reply, 412, 'precondition_failed')
      expect(await writes.made()).toEqual([])
      const anything = await send('*')
      expect(anything.status, anything.text).toBe(operation.success.status)
    }
    expectNone(await failuresOf(conditional, attempt, ONE_BY_ONE))
  })

  test('a change based on the current version succeeds and answers the next one', async () => {
    const created = await browser.post(LEADS, { first_name: 'Versioned' })
    const path = `${LEADS}/${created.body.id}`
    const tags = [created.headers.get('etag')!]
    // Within one and the same millisecond: the clock stands still.
    for (const first_name of ['a', 'b', 'c']) {
      const reply = await browser.patch(path, { first_name }, { 'if-match': tags.at(-1)! })
      expect(reply.status).toBe(200)
      tags.push(reply.headers.get('etag')!)
    }
    expect(new Set(tags).size).toBe(tags.length)
    expectProblem(await browser.patch(path, { first_name: 'd' }, { 'if-match': tags[0]! }), 412)
    expectProblem(await browser.delete(path, { 'if-match': tags[2]! }), 412)
    expect((await browser.get(path)).headers.get('etag')).toBe(tags.at(-1))
    expect((await browser.delete(path, { 'if-match': tags.at(-1)! })).status).toBe(204)
  })

  test('of twenty changes based on the same version one wins', async () => {
    const created = await browser.post(LEADS, { first_name: 'Contested' })
    const path = `${LEADS}/${created.body.id}`
    const changes = Array.from({ length: 20 }, (_, n) =>
      browser.patch(path, { first_name: `Writer ${n}` }, { 'if-match': created.headers.get('etag')! }),
    )
    const replies = await Promise.all(changes)
    expect(replies.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 412),
    ])
    const won = replies.find(({ status }) => status === 200)!
    expect((await browser.get(path)).body).toEqual(won.body)
  })
})

describe('creating', () => {
  const creating = operations.filter(({ success }) => success.status === 201)

  test('answers 201 and a Location where the record can be read', async () => {
    const attempt = async (operation: Operation) => {
      const reply = await team.withRecord(operation, () => {
        const { path, body } = team.request(operation)
        return browser.post(path, body)
      })
      expect(reply.status, reply.text).toBe(201)
      const there = await browser.get(reply.headers.get('location') ?? 'no Location')
      expect(there.status, there.text).toBe(200)
      // A file is at its address as it is.
      if (operation.upload && there.body === undefined) {
        expect(there.headers.get('content-length')).toBe(String(reply.body.size))
        return
      }
      if (there.body.next_cursor !== undefined) {
        // Many were created at once: they are in that list.
        expect(there.body.data).toEqual(expect.arrayContaining(reply.body.data))
        return
      }
      expect(there.body.id).toBe(reply.body.id)
      // A run moves on in the meantime.
      if (operation.path.includes('/runs/')) return
      // Either may say more: an answer to a creation has a new secret, a record that is read alone has its details.
      const shared = Object.entries(reply.body).filter(([name]) => name in there.body)
      expect(there.body).toMatchObject(Object.fromEntries(shared))
    }
    expect(creating).not.toEqual([])
    expectNone(await failuresOf(creating, attempt, ONE_BY_ONE))
  })
})

describe('lists', () => {
  // One piece of code serves either direction.
  const sorts = ['created_at', 'updated_at', 'last_activity_at', 'last_name', 'company', 'email'].flatMap(
    (sort, turn) => shareOf([sort, `-${sort}`], turn, 2),
  )
  // At least four pages, with several leads of each kind on most of them.
  const PAGE = full ? 7 : 5
  const LEADS_IN_ALL = full ? 40 : 20

  test.for(sorts)('by %s visit every lead once while others come and go', async sort => {
    const person = await app.person()
    const standing = await makeLeads(person, LEADS_IN_ALL)
    const passing = await makeLeads(person, LEADS_IN_ALL / 2)
    const seen: string[] = []
    let next: string | undefined = `${LEADS}?sort=${sort}&limit=${PAGE}`
    while (next) {
      const reply: Reply = await person.browser.get(next)
      expect(reply.status, reply.text).toBe(200)
      expect(reply.body.data.length).toBeLessThanOrEqual(PAGE)
      seen.push(...reply.body.data.map((lead: { id: string }) => lead.id))
      next = nextOf(reply)
      // Between the pages some go, before and after the place, and new ones come in anywhere.
      for (const id of passing.splice(0, 3)) await person.browser.delete(`${LEADS}/${id}`)
      await makeLeads(person, 2)
      clock.advance(1)
    }
    expect(new Set(seen).size, 'none twice').toBe(seen.length)
    expect(
      standing.filter(id => !seen.includes(id)),
      'none left out',
    ).toEqual([])
  })

  test('say where to go on, in the body and in Link, and keep the filters there', async () => {
    const person = await app.person()
    await makeLeads(person, 5)
    const first = await person.browser.get(`${LEADS}?limit=2&sort=-email&status=NEW&status=WORKING`)
    const link = new URL(nextOf(first)!, app.url)
    expect(link.searchParams.get('cursor')).toBe(first.body.next_cursor)
    expect(link.searchParams.getAll('status')).toEqual(['NEW', 'WORKING'])
    const last = await person.browser.get(`${LEADS}?limit=5`)
    expect([last.body.next_cursor, last.headers.get('link')]).toEqual([null, null])
  })

  test('all have one shape', async () => {
    const attempt = async (operation: Operation) => {
      const page = () => browser.get(`${team.request(operation).path}?limit=1`)
      let first = await page()
      if (first.status !== 200 || first.body.data.length === 0) {
        await team.renew(operation)
        first = await page()
      }
      expect(Object.keys(first.body)).toEqual(['data', 'next_cursor'])
      expect(first.body.data).toHaveLength(1)
      expect(first.body.next_cursor === null ? undefined : nextOf(first)).toBe(nextOf(first))
    }
    // What was bought is listed when it has been claimed.
    const claiming = operations.find(({ name }) => name === 'POST /api/agents/deployments/{id}/claim')!
    await team.withRecord(claiming, () => {
      const { path, body } = team.request(claiming)
      return browser.post(path, body)
    })
    const all = operations.filter(({ query }) => query.cursor && query.limit)
    expect(all.length).toBeGreaterThan(5)
    expectNone(await failuresOf(all, attempt, ONE_BY_ONE))
  })
})

describe('the trash', () => {
  // It keeps for longer than a session lasts: the people of the other tests are not to be signed out by this one.
  const time = new FakeClock()
  let lasting: TestApp
  let person: Person
  beforeAll(async () => {
    lasting = await startApp({ role: 'api', clock: time })
  })
  beforeEach(async () => void (person = await lasting.person()))
  afterAll(() => lasting.close())
  const tidyUp = async () => {
    const cron = client(lasting.url, { authorization: `Bearer ${lasting.runtime.settings.cronSecret}` })
    return (await cron.post('/api/cron/housekeeping')).body.processed.trashed_leads as number
  }

  test('takes a lead out of everything, and gives it back as it was', async () => {
    const { body: lead } = await person.browser.post(LEADS, { first_name: 'Gone', company: 'Soon back' })
    const path = `${LEADS}/${lead.id}`
    const deleted = await person.browser.delete(path)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expectProblem(await person.browser.get(path), 404, 'in_trash')
    expectProblem(await person.browser.patch(path, { first_name: 'x' }), 404, 'in_trash')
    expectProblem(await person.browser.delete(path), 404, 'in_trash')
    expect((await person.browser.get(LEADS)).body.data).toEqual([])
    expect((await person.browser.get(`${LEADS}?trashed=true`)).body.data).toMatchObject([{ id: lead.id }])
    const restored = await person.browser.post(`${path}/restore`)
    expect(restored.status).toBe(200)
    expect(restored.body).toEqual({ ...lead, updated_at: restored.body.updated_at })
    expect((await person.browser.get(path)).body).toEqual(restored.body)
  })

  test('keeps for thirty days, and then for good', async () => {
    const [kept, restored, purged] = await makeLeads(person, 3)
    await person.browser.delete(`${LEADS}/${purged}`)
    await person.browser.delete(`${LEADS}/${restored}`)
    time.advance(30 * DAY_MS)
    person = await signInAgain(lasting, person)
    await tidyUp()
    expect((await person.browser.get(`${LEADS}?trashed=true`)).body.data).toHaveLength(2)
    expect((await person.browser.post(`${LEADS}/${restored}/restore`)).status).toBe(200)
    time.advance(1)
    await tidyUp()
    expectProblem(await person.browser.post(`${LEADS}/${purged}/restore`), 404, 'not_found')
    expect((await person.browser.get(`${LEADS}?trashed=true`)).body.data).toEqual([])
    const living = (await person.browser.get(LEADS)).body.data.map((lead: { id: string }) => lead.id)
    expect(living.toSorted()).toEqual([kept, restored].toSorted())
  })
})

describe('rate limits', () => {
  const time = new FakeClock()
  const quotas = [perAddress, perAddressRefused, perPerson, perProbe, perTeam].map(policy => ({ ...policy }))
  let limited: TestApp
  let person: Person
  beforeAll(async () => {
    limited = await startApp({ role: 'api', clock: time, config: { rateLimit: true } })
    person = await limited.person()
  })
  afterEach(() => {
    for (const [at, policy] of [perAddress, perAddressRefused, perPerson, perProbe, perTeam].entries())
      Object.assign(policy, quotas[at])
    time.advance(60_000)
  })
  afterAll(() => limited.close())

  const SESSION = '/api/auth/session'

  test('tell how much is left, in the form of the IETF draft', async () => {
    const visitor = client(limited.url)
    const first = await visitor.get(SESSION)
    expect(first.headers.get('ratelimit-policy')).toBe('"address";q=300;w=60')
    expect(first.headers.get('ratelimit')).toBe('"address";r=299;t=60')
    time.advance(12_500)
    expect((await visitor.get(SESSION)).headers.get('ratelimit')).toBe('"address";r=298;t=48')
    const key = await person.key()
    const byKey = await key.get(LEADS)
    expect(byKey.headers.get('ratelimit-policy')).toBe('"team";q=6000;w=60')
    expect(byKey.headers.get('ratelimit')).toBe('"team";r=5999;t=60')
  })

  test('stop an address at its limit, and only that one, until the window is over', async () => {
    Object.assign(perAddress, { quota: 10 })
    const visitor = client(limited.url)
    for (let n = 1; n <= 10; n++) expect((await visitor.get(SESSION)).status).toBe(200)
    time.advance(20_000)
    const over = await visitor.get(SESSION)
    expectProblem(over, 429, 'rate_limited')
    expect(over.headers.get('retry-after')).toBe('40')
    expect(over.headers.get('ratelimit')).toBe('"address";r=0;t=40')
    expect(await statusFrom('127.0.0.2', SESSION)).toBe(200)
    time.advance(39_999)
    expectProblem(await visitor.get(SESSION), 429)
    time.advance(1)
    expect((await visitor.get(SESSION)).status).toBe(200)
  })

  test('stop a team at its limit, over all its keys, and no other team', async () => {
    Object.assign(perTeam, { quota: 10 })
    const keys = [await person.key(), await person.key(['leads:read'])]
    const strangers = await (await limited.person()).key()
    for (let n = 0; n < 10; n++) expect((await keys[n % 2]!.get(LEADS)).status).toBe(200)
    for (const key of keys) {
      const over = await key.get(LEADS)
      expectProblem(over, 429, 'rate_limited')
      expect(Number(over.headers.get('retry-after'))).toBe(60)
    }
    expect((await strangers.get(LEADS)).status).toBe(200)
    expect((await person.browser.get(LEADS)).status, 'the people of the team work on').toBe(200)
  })

  test('stop a person at their limit, in all their browsers, and no colleague', async () => {
    Object.assign(perPerson, { quota: 10 })
    const { browser: other } = await limited.person()
    const colleague = await colleagueOf(limited, person, 'MEMBER')
    const first = await person.browser.get(LEADS)
    expect(first.headers.get('ratelimit')).toBe('"person";r=9;t=60')
    const again = (await signInAgain(limited, person)).browser
    for (let n = 2; n <= 10; n++) expect((await (n % 2 ? again : person.browser).get(LEADS)).status).toBe(200)
    for (const browser of [person.browser, again])
      expectProblem(await browser.get(LEADS), 429, 'rate_limited')
    expect((await other.get(LEADS)).status).toBe(200)
    expect((await colleague.browser.get(LEADS)).status).toBe(200)
    time.advance(60_000)
    expect((await person.browser.get(LEADS)).status).toBe(200)
  })

  test('hold for probes as well, by network, but for the one that only asks whether we live', async () => {
    Object.assign(perProbe, { quota: 10 })
    const visitor = client(limited.url)
    for (let n = 0; n < 5; n++) {
      expect((await visitor.get('/readyz')).status).toBe(200)
      expect((await visitor.get('/metrics')).status).toBe(200)
    }
    expectProblem(await visitor.get('/readyz'), 429, 'rate_limited')
    expectProblem(await visitor.get('/metrics'), 429, 'rate_limited')
    expect((await visitor.get('/healthz')).status).toBe(200)
    expect(await statusFrom('127.0.0.2', '/readyz')).toBe(200)
  })

  test('slow down who guesses keys, sessions or the secret of the job routes, but nobody with a right one', async () => {
    Object.assign(perAddressRefused, { quota: 9 })
    const guess = (n: number) => client(limited.url, { authorization: `Bearer rpk_${n}` })
    for (let n = 0; n < 3; n++) {
      expectProblem(await guess(n).get(LEADS), 401)
      expectProblem(await client(limited.url, { cookie: `rapport_session=${n}` }).get(LEADS), 401)
      expectProblem(await guess(n).post('/api/cron/housekeeping'), 401)
    }
    expectProblem(await guess(9).get(LEADS), 429, 'rate_limited')
    expectProblem(await guess(9).post('/api/cron/housekeeping'), 429, 'rate_limited')
    expect((await (await person.key()).get(LEADS)).status).toBe(200)
    const right = client(limited.url, { authorization: `Bearer ${limited.runtime.settings.cronSecret}` })
    expect((await right.post('/api/cron/housekeeping')).status).toBe(200)
  })
})

describe('slow and silent clients', () => {
  const SOCKETS = full ? 300 : 100
  const NOISE_MS = 100
  const { headersMs, everyMs, closingMs } = patience
  /** Noticed late, and by a machine that has much to do. Without the limits nothing would ever end. */
  const LATE_MS = full ? 10_000 : 30_000
  // What is configured is waited for in the full tier; that it is this, the last line of this test says.
  const waited = full ? patience : { ...patience, headersMs: 1_500, everyMs: 200, closingMs: 700 }
  afterAll(() => void Object.assign(patience, { headersMs, everyMs, closingMs }))

  test('do not slow the others, are cut off, and do not hold up the end', async () => {
    Object.assign(patience, waited)
    const crowded = await startApp({ role: 'api' })
    const { browser } = await crowded.person()
    const { hostname, port } = new URL(crowded.url)
    const open = (bytes: string) => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {}).write(bytes)
      return socket
    }
    const undisturbedMs = await medianMs(browser)
    const started = performance.now()
    const silent = Array.from({ length: SOCKETS }, () =>
      open('GET /api/crm/leads HTTP/1.1\r\nHost: x\r\nX-Slow'),
    )
    const answers = Promise.all(silent.map(socket => readText(socket)))
    // A body that never ends, from somebody who may: it holds a connection, and nothing else.
    const { cookie } = browser.headers as { cookie: string }
    const head = `POST ${LEADS} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\n`
    for (let n = 0; n < SOCKETS; n++) {
      open(`${head}Content-Type: application/json\r\nContent-Length: 900000\r\n\r\n{"first_name":"`)
    }
    expect(await medianMs(browser)).toBeLessThan(undisturbedMs * 5 + NOISE_MS)
    for (const answer of await answers) expect(answer).toMatch(/^HTTP\/1.1 408 /)
    expect(performance.now() - started).toBeLessThan(waited.headersMs + waited.everyMs + LATE_MS)
    const stopping = performance.now()
    await crowded.close()
    expect(performance.now() - stopping).toBeLessThan(waited.closingMs + LATE_MS)
    expect({ headersMs, everyMs, closingMs }).toEqual({ headersMs: 10_000, everyMs: 2_000, closingMs: 5_000 })
  })
})

/** How long a neighbour usually waits for reading and writing a lead. */
async function medianMs(browser: Client): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 31; n++) {
    const asked = performance.now()
    expect((await browser.get(LEADS)).status).toBe(200)
    expect((await browser.post(LEADS, { first_name: 'Quick' })).status).toBe(201)
    times.push(performance.now() - asked)
  }
  return times.toSorted((a, b) => a - b)[15]!
}

function whatMatters({ status, text, headers }: Reply) {
  return { status, text, etag: headers.get('etag'), location: headers.get('location') }
}

async function sendTo(
  { method, body: schema }: Operation,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Reply> {
  return schema
    ? browser.raw(method, path, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
    : browser.raw(method, path, undefined, headers)
}

/** Many alike, so that only the id tells them apart in most orders. */
async function makeLeads({ browser }: { browser: Client }, count: number): Promise<string[]> {
  const make = async (_: unknown, n: number) => {
    const { body } = await browser.post(LEADS, {
      last_name: ['Adams', 'Baker', 'adams'][n % 3],
      company: n % 2 ? 'Same' : undefined,
      email: n % 5 ? `mail${n % 4}@example.test` : undefined,
    })
    return body.id as string
  }
  return Promise.all(Array.from({ length: count }, make))
}

function nextOf({ headers }: Reply): string | undefined {
  return /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
}

/** Sessions end after thirty days: who comes back signs in anew. */
async function signInAgain(app: TestApp, { user_id }: Person): Promise<Person> {
  const [user] = await app.database.query<{ email: string }>('select email from users where id = $1', [
    user_id,
  ])
  return app.person(user!.email)
}

async function untilSomebodyWaitsForALock(): Promise<void> {
  for (;;) {
    const waiting = await app.database.query(
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    )
    if (waiting.length > 0) return
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

async function statusFrom(localAddress: string, path: string): Promise<number> {
  const { hostname, port } = new URL(app.url)
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  httpRequest({ hostname, port, path, localAddress }, response => resolve(response.statusCode!))
    .on('error', reject)
    .end()
  return promise
}
