import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import { newId } from '#platform/ids.ts'
import { removeOld } from '#domains/retention/removal.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { everyPage } from '#test/pages.ts'
import { expectProblem } from '#test/problem.ts'
import { further } from '#test/tier.ts'
import { inOrder } from '#test/in-order.ts'
import { settle } from '#test/settle.ts'
import { ANSWER_BYTES_MAX } from './attempt.ts'
import {
  afterAttempts,
  connected,
  readDelivery,
  readEndpoint,
  secretOf,
  send,
  startReceiver,
  verify,
  type Receiver,
} from './deliveries.harness.ts'
import { RETRY_WAITS_MS } from './schedule.ts'
import { checkWebhookUrl, connectEndpoint, deliver, findEndpointOf } from './service.ts'

inOrder()

const clock = new FakeClock()
const DAY_MS = 86_400_000
let app: TestApp
let receiver: Receiver
let ada: Person

beforeAll(async () => {
  receiver = await startReceiver()
  app = await startApp({ clock, config: { outboundAllowHosts: ['localhost'] } })
  ada = await app.person()
})
afterAll(async () => {
  await app.close()
  await receiver.close()
})

let paths = 0
/** A receiver of its own for each test, so that none sees another's requests. */
const newPath = () => `/hook${++paths}`
const endpointAt = (path: string, person = ada) => connected(person, receiver.url + path)
const iso = (ms: number) => new Date(ms).toISOString()
const told = (id: string) =>
  app.database.query<{ type: string; data: any }>(
    'select type, data from events where subject_id = $1 order by id',
    [id],
  )

describe('a delivery', () => {
  test('arrives signed, as the library of Standard Webhooks checks it', async () => {
    const path = newPath()
    const endpoint = await endpointAt(path)
    const event_id = newId()
    const happened = iso(clock.now())
    const id = await send(ada, endpoint, { name: 'Zoë 😀', nothing: '\0' }, event_id)
    const delivery = await afterAttempts(ada, id, 1)
    expect(delivery).toMatchObject({
      endpoint_id: endpoint.id,
      event_id,
      type: 'form.submitted',
      status: 'DELIVERED',
      last_status: 200,
      last_error: null,
      next_at: null,
      delivered_at: iso(clock.now()),
    })
    const [request] = receiver.to(path)
    expect(request!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Rapport',
      'webhook-id': event_id,
      'webhook-timestamp': String(clock.now() / 1000),
    })
    expect(verify(await secretOf(ada, endpoint.id), request!)).toEqual({
      eventId: event_id,
      type: 'form.submitted',
      timestamp: happened,
      data: { name: 'Zoë 😀', nothing: '\0' },
    })
    expect(request!.body).toBe(delivery.body)
    expect(() => verify('whsec_' + Buffer.alloc(32).toString('base64'), request!)).toThrow()
    expect(await readEndpoint(ada, endpoint.id)).toMatchObject({
      failures: 0,
      last_success_at: iso(clock.now()),
    })
  })

  test('is made once per event, however often it is told', async () => {
    const path = newPath()
    const endpoint = await endpointAt(path)
    const event_id = newId()
    const ids = await Promise.all(Array.from({ length: 5 }, () => send(ada, endpoint, {}, event_id)))
    expect(new Set(ids).size).toBe(1)
    await settle(app)
    expect(receiver.to(path)).toHaveLength(1)
  })

  test('is not made when what happened is undone', async () => {
    const path = newPath()
    const { owner } = await endpointAt(path)
    const undone = ada.ctx.transaction(async ctx => {
      await deliver(ctx, owner, { event_id: newId(), type: 'form.submitted', data: {} })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await settle(app)
    expect(receiver.to(path)).toEqual([])
  })

  test('goes nowhere where there is nobody to tell, and needs a transaction', async () => {
    const owner = { kind: 'workflow', id: newId() } as const
    const event = { event_id: newId(), type: 'form.submitted', data: {} }
    expect(await ada.ctx.transaction(ctx => deliver(ctx, owner, event))).toBeUndefined()
    await expect(deliver(ada.ctx, owner, event)).rejects.toThrow('transaction')
  })
})

describe('a receiver that does not take it', () => {
  test('and is down for a day gets it once it is back, at the times of the schedule, as the same message', async () => {
    const path = newPath()
    const endpoint = await endpointAt(path)
    receiver.set(path, 'down')
    const id = await send(ada, endpoint)
    const began = clock.now()
    let delivery = await afterAttempts(ada, id, 1)
    let tries = 1
    // After each failure it is next tried when the schedule says, give or take a tenth.
    for (; clock.now() < began + DAY_MS; tries++) {
      expect(delivery).toMatchObject({ status: 'PENDING', last_status: null })
      expect(delivery.last_error).toBeTypeOf('string')
      const waitMs = Date.parse(delivery.next_at!) - clock.now()
      expect(Math.abs(waitMs / RETRY_WAITS_MS[tries - 1]! - 1)).toBeLessThanOrEqual(0.1)
      clock.advance(waitMs - 1)
      await settle(app)
      expect(await readDelivery(ada, id)).toMatchObject({ attempts: tries })
      clock.advance(1)
      if (clock.now() >= began + DAY_MS) receiver.set(path, { status: 204 })
      delivery = await afterAttempts(ada, id, tries + 1)
    }
    expect(tries).toBe(8)
    expect(delivery).toMatchObject({ status: 'DELIVERED', last_status: 204, last_error: null })
    const requests = receiver.to(path)
    expect(requests).toHaveLength(8)
    expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([delivery.event_id]),
    )
    expect(new Set(requests.map(({ body }) => body))).toEqual(new Set([delivery.body]))
    expect(new Set(requests.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(8)
    const secret = await secretOf(ada, endpoint.id)
    for (const request of requests) verify(secret, request)
    expect(delivery.log.map(({ at }) => Math.floor(Date.parse(at) / 1000))).toEqual(
      requests.map(({ headers }) => Number(headers['webhook-timestamp'])).toReversed(),
    )
    expect(delivery.log[0]).toMatchObject({ url: receiver.url + path, response_status: 204, error: null })
    expect(delivery.log[7]).toMatchObject({ at: iso(began), response_status: null, response_body: null })
  })

  test('is not tried any more after the last time; that it failed is told', async () => {
    const path = newPath()
    const endpoint = await endpointAt(path)
    receiver.set(path, { status: 500 })
    const id = await send(ada, endpoint)
    for (let tries = 1; tries <= RETRY_WAITS_MS.length; tries++) {
      const { next_at, status } = await afterAttempts(ada, id, tries)
      expect(status).toBe('PENDING')
      clock.set(next_at!)
    }
    const delivery = await afterAttempts(ada, id, RETRY_WAITS_MS.length + 1)
    const last_error = 'All attempts failed. The last response was 500.'
    expect(delivery).toMatchObject({ status: 'FAILED', last_status: 500, last_error, next_at: null })
    expect(await told(id)).toEqual([
      { type: 'webhook_delivery.failed', data: { name: 'Contact us', reason: last_error } },
    ])
    clock.advance(2 * DAY_MS)
    await settle(app)
    expect(receiver.to(path)).toHaveLength(RETRY_WAITS_MS.length + 1)
  })

  test('and says 410 is not tried again', async () => {
    const path = newPath()
    const endpoint = await endpointAt(path)
    receiver.set(path, { status: 410, body: 'no more' })
    const id = await send(ada, endpoint)
    const delivery = await afterAttempts(ada, id, 1)
    expect(delivery).toMatchObject({ status: 'FAILED', last_status: 410, next_at: null })
    expect(delivery.log[0]!.response_body).toBe('no more')
    expect(await told(id)).toMatchObject([{ type: 'webhook_delivery.failed' }])
  })

  test('and points elsewhere is not followed: it is tried again', async () => {
    const [path, elsewhere] = [newPath(), newPath()]
    const endpoint = await endpointAt(path)
    receiver.set(path, { status: 302, headers: { location: receiver.url + elsewhere } })
    const id = await send(ada, endpoint)
    expect(await afterAttempts(ada, id, 1)).toMatchObject({ status: 'PENDING', last_status: 302 })
    expect(receiver.to(elsewhere)).toEqual([])
  })

  test.for([
    ['in seconds', (): string => '3600'],
    ['by a date', (): string => new Date(clock.now() + 3_600_000).toUTCString()],
  ] as const)('and says %s when to come back is obeyed', async ([, header]) => {
    const path = newPath()
    const endpoint = await endpointAt(path)
    receiver.set(path, { status: 429, headers: { 'retry-after': header() } })
    const id = await send(ada, endpoint)
    const { next_at } = await afterAttempts(ada, id, 1)
    const waitMs = Date.parse(next_at!) - clock.now()
    // A date has no milliseconds.
    expect(waitMs).toBeGreaterThan(3_598_000)
    expect(waitMs).toBeLessThanOrEqual(3_600_000)
  })
})

describe('what the receiver answers', () => {
  test.for([
    ['whole up to 64 KiB', 'x'.repeat(ANSWER_BYTES_MAX), ANSWER_BYTES_MAX],
    ['cut when it is one byte longer', 'x'.repeat(ANSWER_BYTES_MAX + 1), ANSWER_BYTES_MAX],
    ['cut when it is far longer', 'x'.repeat(8 * 1024 * 1024), ANSWER_BYTES_MAX],
    ['cut between characters', `${'x'.repeat(ANSWER_BYTES_MAX - 1)}é`, ANSWER_BYTES_MAX - 1],
  ] as const)('is kept %s, and 2xx is a success in any case', async ([, body, length]) => {
    expect(ANSWER_BYTES_MAX).toBe(65_536)
    const path = newPath()
    const endpoint = await endpointAt(path)
    receiver.set(path, { status: 200, body })
    const delivery = await afterAttempts(ada, await send(ada, endpoint), 1)
    expect(delivery.status).toBe('DELIVERED')
    expect(delivery.log[0]!.response_body).toBe('x'.repeat(length))
  })

  test('is kept when it is no text at all', async () => {
    const path = newPath()
    const endpoint = await endpointAt(path)
    receiver.set(path, { status: 200, body: Buffer.from([0x61, 0x00, 0xff, 0xc3, 0x62]) })
    const first = await afterAttempts(ada, await send(ada, endpoint), 1)
    expect(first.log[0]!.response_body).toBe('a\ufffd\ufffd\ufffdb')
    receiver.set(path, { status: 200, body: Buffer.alloc(ANSWER_BYTES_MAX) })
    const second = await afterAttempts(ada, await send(ada, endpoint), 1)
    expect(Buffer.byteLength(second.log[0]!.response_body!)).toBeLessThanOrEqual(ANSWER_BYTES_MAX)
  })
})

describe('sent again', () => {
  test('it is the same message under the same id, with every try of the schedule', async () => {
    const path = newPath()
    const endpoint = await endpointAt(path)
    receiver.set(path, { status: 410 })
    const id = await send(ada, endpoint)
    await afterAttempts(ada, id, 1)
    receiver.set(path, { status: 503 })
    clock.advance(60_000)
    const reply = await ada.browser.post(`/api/webhooks/deliveries/${id}/replay`)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ id, status: 'PENDING', next_at: iso(clock.now()) })
    const again = await afterAttempts(ada, id, 2)
    expect(Math.round((Date.parse(again.next_at!) - clock.now()) / 1000)).toBeLessThanOrEqual(6)
    receiver.set(path, { status: 200 })
    await ada.browser.post(`/api/webhooks/deliveries/${id}/replay`)
    expect(await afterAttempts(ada, id, 3)).toMatchObject({ status: 'DELIVERED' })
    // The job of the schedule finds nothing to do any more.
    clock.advance(DAY_MS)
    await settle(app)
    // What has arrived can be sent again too.
    await ada.browser.post(`/api/webhooks/deliveries/${id}/replay`)
    await afterAttempts(ada, id, 4)
    expect(new Set(receiver.to(path).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect((await told(id)).map(({ type }) => type)).toEqual([
      'webhook_delivery.failed',
      'webhook_delivery.replayed',
      'webhook_delivery.replayed',
      'webhook_delivery.replayed',
    ])
  })

  test('it is tried by the new job alone: the time of the old schedule passes by', async () => {
    const path = newPath()
    const endpoint = await endpointAt(path)
    const busyFor = (seconds: number) =>
      receiver.set(path, { status: 503, headers: { 'retry-after': String(seconds) } })
    busyFor(3_600)
    const id = await send(ada, endpoint)
    await afterAttempts(ada, id, 1)
    busyFor(7_200)
    await ada.browser.post(`/api/webhooks/deliveries/${id}/replay`)
    await afterAttempts(ada, id, 2)
    clock.advance(3_600_000)
    await settle(app)
    expect(await readDelivery(ada, id)).toMatchObject({ attempts: 2, status: 'PENDING' })
    clock.advance(3_600_000)
    await afterAttempts(ada, id, 3)
  })

  test('everything that failed in a time goes out, of one address or of all, and nothing else', async () => {
    const grace = await app.person()
    const [path, other] = [newPath(), newPath()]
    const [endpoint, another] = [await endpointAt(path, grace), await endpointAt(other, grace)]
    for (const hook of [path, other]) receiver.set(hook, { status: 410 })
    const failed = async (of: typeof endpoint) => {
      const id = await send(grace, of)
      await afterAttempts(grace, id, 1)
      clock.advance(1_000)
      return id
    }
    const from = iso(clock.now() + 1_000)
    const early = await failed(endpoint)
    const within = [await failed(endpoint), await failed(endpoint)]
    const elsewhere = await failed(another)
    const until = iso(clock.now())
    const late = await failed(endpoint)
    for (const hook of [path, other]) receiver.set(hook, { status: 200 })
    const replay = (body: object) => grace.browser.post('/api/webhooks/deliveries/replay', body)
    expect((await replay({ from, until, endpoint_id: endpoint.id })).body).toEqual({ count: 2 })
    for (const id of within) expect(await afterAttempts(grace, id, 2)).toMatchObject({ status: 'DELIVERED' })
    expect((await replay({ from, until })).body).toEqual({ count: 1 })
    expect(await afterAttempts(grace, elsewhere, 2)).toMatchObject({ status: 'DELIVERED' })
    expect((await replay({ from, until })).body).toEqual({ count: 0 })
    for (const id of [early, late])
      expect(await readDelivery(grace, id)).toMatchObject({ attempts: 1, status: 'FAILED' })
    expect(await told(endpoint.id)).toContainEqual({ type: 'webhook_delivery.replayed', data: { count: 2 } })
    const wrong = await replay({ from, until: from })
    expect(expectProblem(wrong, 422, 'validation_failed').errors).toMatchObject([
      { path: 'from' },
      { path: 'until' },
    ])
    expectProblem(await replay({ from, until, endpoint_id: 'f'.repeat(24) }), 422, 'validation_failed')
  })

  further('many go in parts, and each once', async () => {
    const grace = await app.person()
    const path = newPath()
    const endpoint = await endpointAt(path, grace)
    await app.database.query(
      `insert into webhook_deliveries (team_id, id, endpoint_id, event_id, type, body, status, created_at)
       select $1, lpad(to_hex(floor(extract(epoch from $3::timestamptz))::int), 8, '0') || lpad(n::text, 16, '0'), $2, 'e' || n,
         'form.submitted', '{}', 'FAILED', $3 from generate_series(1, 210) n`,
      [grace.team_id, endpoint.id, iso(clock.now())],
    )
    const window = { from: iso(clock.now()), until: iso(clock.now() + 1) }
    const reply = await grace.browser.post('/api/webhooks/deliveries/replay', window)
    expect(reply.body).toEqual({ count: 210 })
    await eventually(() => expect(receiver.to(path)).toHaveLength(210), 30_000)
    await settle(app)
    const ids = receiver.to(path).map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(210)
    const failed = await everyPage(grace.browser, '/api/webhooks/deliveries?status=FAILED&status=PENDING')
    expect(failed).toEqual([])
  })
})

describe('the list', () => {
  test('is newest first, in pages, by address, state and time', async () => {
    const grace = await app.person()
    const [path, other] = [newPath(), newPath()]
    const [endpoint, another] = [await endpointAt(path, grace), await endpointAt(other, grace)]
    receiver.set(other, { status: 410 })
    const times: string[] = []
    const ids: string[] = []
    for (const to of [endpoint, endpoint, another]) {
      times.push(iso(clock.now()))
      const id = await send(grace, to)
      await afterAttempts(grace, id, 1)
      ids.unshift(id)
      clock.advance(1_000)
    }
    const list = async (query: string) =>
      (await everyPage(grace.browser, `/api/webhooks/deliveries?limit=1${query}`)).map(({ id }) => id)
    expect(await list('')).toEqual(ids)
    expect(await list(`&endpoint_id=${another.id}`)).toEqual([ids[0]])
    expect(await list('&status=DELIVERED')).toEqual(ids.slice(1))
    expect(await list(`&from=${times[1]}`)).toEqual(ids.slice(0, 2))
    expect(await list(`&until=${times[1]}`)).toEqual(ids.slice(2))
    const endpoints = await everyPage(grace.browser, '/api/webhooks/endpoints?limit=1')
    expect(endpoints.map(({ id }) => id)).toEqual([another.id, endpoint.id])
  })
})

describe('the address of a record', () => {
  const owner = () => ({ kind: 'form', id: newId() }) as const
  const connect = (of: ReturnType<typeof owner>, url: string | null, name = 'Contact us') =>
    ada.ctx.transaction(ctx => connectEndpoint(ctx, of, url === null ? null : { name, url }))

  test.for([
    'http://example.com/',
    'HTTP://example.com',
    'ftp://example.com/',
    'example.com',
    'https:example.com',
    'https://',
    'https://a b.example/',
    'https://exa\nmple.com/',
    'javascript:alert(1)',
    'nonsense',
    '',
  ])('is https: %j is refused', async url => {
    const of = owner()
    const refused = { kind: 'invalid', code: 'https_required', errors: [{ path: 'webhook_url' }] }
    await expect(connect(of, url)).rejects.toMatchObject(refused)
    expect(() => checkWebhookUrl(url, 'nodes[0].url')).toThrow('nodes[0].url')
    expect(await findEndpointOf(ada.ctx, of)).toBeUndefined()
  })

  test('has no password in it, and an end', () => {
    for (const url of [
      'https://ada:secret@example.com/',
      'https://ada@example.com/',
      `https://example.com/${'x'.repeat(2_000)}`,
    ])
      expect(() => checkWebhookUrl(url)).toThrow(expect.objectContaining({ kind: 'invalid' }))
    for (const url of [`https://example.com/${'x'.repeat(1_980)}`, 'HTTPS://example.com:8443/a?b=c', null])
      expect(() => checkWebhookUrl(url)).not.toThrow()
  })

  test('may change; its secret stays, and so it does when the record comes back to it', async () => {
    const of = owner()
    await connect(of, 'https://a.example/')
    const { id } = (await findEndpointOf(ada.ctx, of))!
    const secret = await secretOf(ada, id)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await connect(of, 'https://b.example/', 'Ask us')
    expect(await findEndpointOf(ada.ctx, of)).toMatchObject({ id, url: 'https://b.example/', name: 'Ask us' })
    await connect(of, null)
    await connect(of, null)
    expect(await findEndpointOf(ada.ctx, of)).toBeUndefined()
    expect(await readEndpoint(ada, id)).toMatchObject({ status: 'REMOVED' })
    await connect(of, 'https://b.example/', 'Ask us')
    await connect(of, 'https://b.example/', 'Ask us')
    expect(await findEndpointOf(ada.ctx, of)).toMatchObject({ id, status: 'ACTIVE' })
    expect(await secretOf(ada, id)).toBe(secret)
    const setting = (url: string, name: string, status: string) => ({ url, name, status })
    const first = setting('https://a.example/', 'Contact us', 'ACTIVE')
    const second = setting('https://b.example/', 'Ask us', 'ACTIVE')
    const gone = { ...second, status: 'REMOVED' }
    const changes = (await told(id)).filter(({ type }) => type === 'webhook_endpoint.changed')
    expect(changes.map(({ data }) => data)).toEqual([
      { before: null, after: first },
      { before: first, after: second },
      { before: second, after: gone },
      { before: gone, after: second },
    ])
  })

  test('that is removed gets nothing any more: what was under way has failed, and says why', async () => {
    const path = newPath()
    receiver.set(path, { status: 500 })
    const endpoint = await endpointAt(path)
    const id = await send(ada, endpoint)
    await afterAttempts(ada, id, 1)
    await ada.ctx.transaction(ctx => connectEndpoint(ctx, endpoint.owner, null))
    expect(await readDelivery(ada, id)).toMatchObject({
      status: 'FAILED',
      last_error: 'The endpoint was removed.',
      next_at: null,
    })
    const event = { event_id: newId(), type: 'form.submitted', data: {} }
    expect(await ada.ctx.transaction(ctx => deliver(ctx, endpoint.owner, event))).toBeUndefined()
    clock.advance(DAY_MS)
    await settle(app)
    expect(receiver.to(path)).toHaveLength(1)
    expectProblem(await ada.browser.post(`/api/webhooks/deliveries/${id}/replay`), 409, 'endpoint_removed')
  })
})

// The last: no session lives so long.
test('what has ended is forgotten after ninety days, with its attempts, and what has not is kept', async () => {
  const grace = await app.person()
  const [path, waiting] = [newPath(), newPath()]
  receiver.set(waiting, { status: 503, headers: { 'retry-after': '999999999' } })
  const done = await send(grace, await endpointAt(path, grace))
  const pending = await send(grace, await endpointAt(waiting, grace))
  for (const id of [done, pending]) await afterAttempts(grace, id, 1)
  // So that its time does not come before the test is over.
  await app.database.query(
    `update jobs set run_at = (run_at at time zone 'UTC' + interval '1 year') at time zone 'UTC' where kind = 'deliveries.attempt'`,
  )
  const kept = async () =>
    (await app.database.query('select from webhook_deliveries where team_id = $1', [grace.team_id])).length
  clock.advance(90 * DAY_MS)
  await removeOld(systemContext(app.runtime))
  expect(await kept()).toBe(2)
  clock.advance(1)
  await removeOld(systemContext(app.runtime))
  expect(await kept()).toBe(1)
  const left = await app.database.query<{ delivery_id: string }>(
    'select delivery_id from webhook_attempts where team_id = $1',
    [grace.team_id],
  )
  expect(left).toEqual([{ delivery_id: pending }])
})
