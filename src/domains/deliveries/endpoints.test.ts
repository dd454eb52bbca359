import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { newId } from '#platform/ids.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { colleagueOf } from '#test/colleague.ts'
import { eventually } from '#test/eventually.ts'
import { expectProblem } from '#test/problem.ts'
import { inOrder } from '#test/in-order.ts'
import { settle } from '#test/settle.ts'
import type { WebhookEndpoint } from './contract.ts'
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
import { dropOldSecrets } from './endpoints.ts'
import { FAILURES_BEFORE_PAUSE } from './schedule.ts'
import { connectEndpoint, sendTest } from './service.ts'

inOrder()

const clock = new FakeClock()
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
let app: TestApp
let receiver: Receiver
let ada: Person

beforeAll(async () => {
  receiver = await startReceiver()
  app = await startApp({ clock, config: { outboundAllowHosts: ['localhost'] } })
  ada = await app.person('ada@example.test')
})
afterAll(async () => {
  await app.close()
  await receiver.close()
})

let paths = 0
const newPath = () => `/hook${++paths}`
const iso = (ms: number) => new Date(ms).toISOString()
const post = (id: string, what: string, person = ada) =>
  person.browser.post(`/api/webhooks/endpoints/${id}/${what}`)
const statuses = async (ids: string[]) =>
  Promise.all(ids.map(async id => (await readDelivery(ada, id)).status))
const told = async (id: string) =>
  (
    await app.database.query<{ type: string }>('select type from events where subject_id = $1 order by id', [
      id,
    ])
  ).map(({ type }) => type)

/** One that has failed so often that it is left in peace, with what has failed there. */
async function pausedEndpoint(path: string): Promise<{ endpoint: WebhookEndpoint; failed: string[] }> {
  const endpoint = await connected(ada, receiver.url + path)
  receiver.set(path, { status: 500 })
  const failed: string[] = []
  for (let n = 1; n <= FAILURES_BEFORE_PAUSE; n++) {
    failed.push(await send(ada, endpoint))
    await afterAttempts(ada, failed.at(-1)!, 1)
  }
  return { endpoint, failed }
}

describe('an address that fails five times in a row', () => {
  test('is left in peace for a minute; then one goes first, and the others once it has succeeded', async () => {
    const path = newPath()
    const { endpoint, failed } = await pausedEndpoint(path)
    const began = clock.now()
    expect(await readEndpoint(ada, endpoint.id)).toMatchObject({
      status: 'ACTIVE',
      failures: 5,
      failing_since: iso(began),
      paused_until: iso(began + MINUTE_MS),
    })
    // What falls due meanwhile waits, and uses up no try.
    const waiting = await Promise.all([1, 2, 3].map(() => send(ada, endpoint)))
    clock.advance(MINUTE_MS - 1)
    await settle(app)
    expect(receiver.to(path)).toHaveLength(5)
    for (const id of waiting) {
      expect(await readDelivery(ada, id)).toMatchObject({
        status: 'PENDING',
        attempts: 0,
        next_at: iso(began + MINUTE_MS),
      })
    }
    // The first is answered only when the test says so: nobody comes after it before that.
    const gate = Promise.withResolvers<{ status: number }>()
    receiver.set(path, () => gate.promise)
    clock.advance(1)
    await eventually(() => expect(receiver.to(path)).toHaveLength(6))
    await eventually(async () => {
      const [row] = await app.database.query<{ waiting: number }>(
        `select count(*)::int as waiting from webhook_deliveries where endpoint_id = $1 and job_id is null`,
        [endpoint.id],
      )
      expect(row!.waiting).toBe(7)
    })
    expect(receiver.to(path)).toHaveLength(6)
    expect(receiver.to(path)[5]!.headers['webhook-id']).toBe((await readDelivery(ada, failed[0]!)).event_id)
    receiver.set(path, { status: 200 })
    gate.resolve({ status: 200 })
    await eventually(async () =>
      expect(new Set(await statuses([...failed, ...waiting]))).toEqual(new Set(['DELIVERED'])),
    )
    expect(receiver.to(path)).toHaveLength(5 + 8)
    expect(await readEndpoint(ada, endpoint.id)).toMatchObject({ failures: 0, paused_until: null })
  })

  test('is left in peace for longer when the first one fails again', async () => {
    const path = newPath()
    const { endpoint, failed } = await pausedEndpoint(path)
    for (const minutes of [2, 4, 8, 16, 30, 30]) {
      const { paused_until } = await readEndpoint(ada, endpoint.id)
      const sent = receiver.to(path).length
      clock.set(paused_until!)
      await eventually(async () =>
        expect(await readEndpoint(ada, endpoint.id)).toMatchObject({
          paused_until: iso(clock.now() + minutes * MINUTE_MS),
        }),
      )
      expect(receiver.to(path)).toHaveLength(sent + 1)
    }
    receiver.set(path, { status: 200 })
    clock.set((await readEndpoint(ada, endpoint.id)).paused_until!)
    // Whoever was tried meanwhile keeps the time of its own schedule.
    clock.advance(3 * DAY_MS)
    await eventually(async () => expect(new Set(await statuses(failed))).toEqual(new Set(['DELIVERED'])))
  })

  test('is used again at once when an ADMIN says so, or when it becomes another', async () => {
    for (const mend of [
      ({ id }: WebhookEndpoint) => post(id, 'enable'),
      ({ owner, name }: WebhookEndpoint) => {
        const url = `${receiver.url}/mended${paths}`
        return ada.ctx.transaction(ctx => connectEndpoint(ctx, owner, { name, url }))
      },
    ]) {
      const path = newPath()
      const { endpoint } = await pausedEndpoint(path)
      const id = await send(ada, endpoint)
      await settle(app)
      expect(await readDelivery(ada, id)).toMatchObject({ attempts: 0 })
      receiver.set(path, { status: 200 })
      await mend(endpoint)
      expect(await afterAttempts(ada, id, 1)).toMatchObject({ status: 'DELIVERED' })
      expect(await readEndpoint(ada, endpoint.id)).toMatchObject({ failures: 0, paused_until: null })
    }
  })
})

describe('an address without one success in five days', () => {
  let grace: Person
  let endpoint: WebhookEndpoint
  let failed: string[]
  const path = newPath()
  const disabled = async () =>
    eventually(async () =>
      expect(await readEndpoint(grace, endpoint.id)).toMatchObject({ status: 'DISABLED' }),
    )

  beforeAll(async () => {
    grace = await app.person('grace@example.test')
    await colleagueOf(app, grace, 'ADMIN')
    await colleagueOf(app, grace, 'MEMBER')
    endpoint = await connected(grace, receiver.url + path, 'Ask <us>')
    receiver.set(path, { status: 500 })
    failed = [await send(grace, endpoint)]
    await afterAttempts(grace, failed[0]!, 1)
  })

  test('is given up: that is told once, and mailed once to each ADMIN and SUPER_ADMIN', async () => {
    const began = clock.now()
    clock.advance(5 * DAY_MS - 1)
    await afterAttempts(grace, failed[0]!, 2)
    expect(await readEndpoint(grace, endpoint.id)).toMatchObject({ status: 'ACTIVE' })
    clock.advance(1)
    failed.push(await send(grace, endpoint), await send(grace, endpoint))
    await disabled()
    await settle(app)
    expect(await readEndpoint(grace, endpoint.id)).toMatchObject({
      failing_since: iso(began),
      disabled_at: iso(clock.now()),
      paused_until: null,
    })
    for (const id of failed) {
      const delivery = await readDelivery(grace, id)
      expect(delivery).toMatchObject({ status: 'FAILED', next_at: null })
      expect(delivery.last_error).toContain('disabled')
    }
    expect((await told(endpoint.id)).filter(type => type.endsWith('disabled'))).toHaveLength(1)
    const admins = await app.database.query<{ email: string }>(
      `select email from users join memberships on user_id = users.id where team_id = $1 and role <> 'MEMBER'`,
      [grace.team_id],
    )
    const mails = await eventually(() => {
      const found = app.mail.sent.filter(({ subject }) => subject === 'Webhook for Ask <us> was disabled')
      expect(found).toHaveLength(2)
      return found
    })
    expect(mails.map(({ to }) => to).toSorted()).toEqual(admins.map(({ email }) => email).toSorted())
    expect(mails[0]!.text).toContain(endpoint.url)
    expect(mails[0]!.html).toContain('“Ask &lt;us&gt;”')
  })

  test('loses nothing: what happens meanwhile is written down as failed, and is not sent', async () => {
    const sent = receiver.to(path).length
    const id = await send(grace, endpoint)
    failed.push(id)
    expect(await readDelivery(grace, id)).toMatchObject({ status: 'FAILED', attempts: 0 })
    await settle(app)
    expect(receiver.to(path)).toHaveLength(sent)
    const replay = await grace.browser.post(`/api/webhooks/deliveries/${id}/replay`)
    expectProblem(replay, 409, 'endpoint_disabled')
    const window = { from: iso(clock.now() - 9 * DAY_MS), until: iso(clock.now() + 1) }
    const all = await grace.browser.post('/api/webhooks/deliveries/replay', window)
    expect(all.body).toEqual({ count: 0 })
  })

  test('is used again when an ADMIN enables it, and gets everything that it missed', async () => {
    receiver.set(path, { status: 200 })
    const { status, body } = await post(endpoint.id, 'enable', grace)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'ACTIVE', failures: 0, failing_since: null, disabled_at: null })
    expect((await post(endpoint.id, 'enable', grace)).status).toBe(200)
    expect((await told(endpoint.id)).filter(type => type.endsWith('enabled'))).toHaveLength(1)
    const window = { from: iso(clock.now() - 9 * DAY_MS), until: iso(clock.now() + 1) }
    const all = await grace.browser.post('/api/webhooks/deliveries/replay', {
      ...window,
      endpoint_id: endpoint.id,
    })
    expect(all.body).toEqual({ count: failed.length })
    for (const id of failed)
      await eventually(async () =>
        expect(await readDelivery(grace, id)).toMatchObject({ status: 'DELIVERED' }),
      )
  })

  test('is used again when it becomes another', async () => {
    await app.database.query(
      `update webhook_endpoints set status = 'DISABLED', disabled_at = now() where id = $1`,
      [endpoint.id],
    )
    const { owner, name, url } = endpoint
    const connect = (url: string) => grace.ctx.transaction(ctx => connectEndpoint(ctx, owner, { name, url }))
    await connect(url)
    expect(await readEndpoint(grace, endpoint.id)).toMatchObject({ status: 'DISABLED' })
    await connect(`${url}/new`)
    expect(await readEndpoint(grace, endpoint.id)).toMatchObject({ status: 'ACTIVE', disabled_at: null })
    const id = await send(grace, endpoint)
    expect(await afterAttempts(grace, id, 1)).toMatchObject({ status: 'DELIVERED' })
  })
})

describe('the secret', () => {
  test('can be changed: for a day both sign, the new one first, then only the new one', async () => {
    const path = newPath()
    const endpoint = await connected(ada, receiver.url + path)
    const old = await secretOf(ada, endpoint.id)
    const { status, body } = await post(endpoint.id, 'secret')
    expect(status).toBe(200)
    expect(body.secret).not.toBe(old)
    expect(body.previous_until).toBe(iso(clock.now() + DAY_MS))
    expect((await ada.browser.get(`/api/webhooks/endpoints/${endpoint.id}/secret`)).body).toEqual(body)
    const latest = async () => {
      await afterAttempts(ada, await send(ada, endpoint), 1)
      return receiver.to(path).at(-1)!
    }
    clock.advance(DAY_MS - 1)
    const during = await latest()
    verify(old, during)
    verify(body.secret, during)
    const signatures = String(during.headers['webhook-signature']).split(' ')
    expect(signatures).toHaveLength(2)
    verify(body.secret, { ...during, headers: { ...during.headers, 'webhook-signature': signatures[0]! } })
    clock.advance(1)
    const afterwards = await latest()
    verify(body.secret, afterwards)
    expect(() => verify(old, afterwards)).toThrow()
    expect((await ada.browser.get(`/api/webhooks/endpoints/${endpoint.id}/secret`)).body).toEqual({
      secret: body.secret,
      previous_until: null,
    })
    const kept = async () =>
      (
        await app.database.query<{ count: number }>(
          'select jsonb_array_length(secrets) as count from webhook_endpoints where id = $1',
          [endpoint.id],
        )
      )[0]!.count
    expect(await kept()).toBe(2)
    expect(await dropOldSecrets(ada.ctx)).toBe(1)
    expect(await kept()).toBe(1)
    expect(await dropOldSecrets(ada.ctx)).toBe(0)
    verify(body.secret, await latest())
  })

  test('signs with every one of the day when it is changed again, up to five', async () => {
    const path = newPath()
    const endpoint = await connected(ada, receiver.url + path)
    const secrets = [await secretOf(ada, endpoint.id)]
    for (let n = 0; n < 4; n++) secrets.push((await post(endpoint.id, 'secret')).body.secret)
    expectProblem(await post(endpoint.id, 'secret'), 409, 'rotated_too_often')
    await afterAttempts(ada, await send(ada, endpoint), 1)
    for (const secret of secrets) verify(secret, receiver.to(path)[0]!)
    clock.advance(DAY_MS)
    expect((await post(endpoint.id, 'secret')).status).toBe(200)
  })

  test('is in no list, no event, no answer but its own, and in no table as it is', async () => {
    const endpoint = await connected(ada, `${receiver.url}${newPath()}`)
    const before = await secretOf(ada, endpoint.id)
    const after = (await post(endpoint.id, 'secret', ada)).body.secret as string
    await afterAttempts(ada, await send(ada, endpoint), 1)
    const [rows] = await app.database.query<{ everything: string }>(
      `select (select string_agg(t::text, '') from webhook_endpoints t) || (select string_agg(t::text, '') from events t) ||
         (select string_agg(t::text, '') from webhook_attempts t) || (select string_agg(t::text, '') from changes t) as everything`,
    )
    const answers = await Promise.all(
      ['/api/webhooks/endpoints', `/api/webhooks/endpoints/${endpoint.id}`, '/api/webhooks/deliveries'].map(
        path => ada.browser.get(path),
      ),
    )
    const text = [rows!.everything, ...answers.map(answer => answer.text)].join('')
    for (const secret of [before, after]) {
      const bare = secret.slice('whsec_'.length)
      for (const spelling of [bare, Buffer.from(bare, 'base64').toString('hex')])
        expect(text.includes(spelling)).toBe(false)
    }
    expect((await told(endpoint.id)).filter(type => !type.endsWith('.secret_read'))).toEqual([
      'webhook_endpoint.changed',
      'webhook_endpoint.secret_rotated',
    ])
  })

  test('that cannot be opened any more is said so, and a new one mends it', async () => {
    const path = newPath()
    const endpoint = await connected(ada, receiver.url + path)
    await app.database.query(
      `update webhook_endpoints set secrets = '[{"sealed": "bm9uc2Vuc2U=", "until": null}]' where id = $1`,
      [endpoint.id],
    )
    const read = await ada.browser.get(`/api/webhooks/endpoints/${endpoint.id}/secret`)
    expectProblem(read, 409, 'secret_lost')
    const id = await send(ada, endpoint)
    const delivery = await afterAttempts(ada, id, 1)
    expect(delivery.last_error).toContain('secret')
    expect(receiver.to(path)).toEqual([])
    const { secret } = (await post(endpoint.id, 'secret')).body
    clock.advance(6_000)
    await afterAttempts(ada, id, 2)
    verify(secret, receiver.to(path)[0]!)
  })
})

describe('a test', () => {
  test('is sent at once, signed with the secret of the address, and its answer is shown', async () => {
    const path = newPath()
    const endpoint = await connected(ada, receiver.url + path)
    receiver.set(path, { status: 202, body: 'thanks' })
    const answer = await post(endpoint.id, 'test')
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      delivered: true,
      response_status: 202,
      response_body: 'thanks',
      error: null,
    })
    const [request] = receiver.to(path)
    expect(verify(await secretOf(ada, endpoint.id), request!)).toMatchObject({ type: 'webhook.test' })
    receiver.set(path, 'down')
    const { body } = await post(endpoint.id, 'test')
    expect(body).toMatchObject({ delivered: false, response_status: null, response_body: null })
    expect(body.error).toBeTypeOf('string')
    expect(await readEndpoint(ada, endpoint.id)).toMatchObject({ failures: 0, last_success_at: null })
    const list = await ada.browser.get(`/api/webhooks/deliveries?endpoint_id=${endpoint.id}`)
    expect(list.body.data).toEqual([])
  })

  test('of an address that is not saved yet goes there, and refuses what is not https', async () => {
    const path = newPath()
    const owner = { kind: 'form', id: newId() } as const
    const event = { event_id: newId(), type: 'form.submitted', data: { test: true } }
    const answer = await sendTest(ada.ctx, owner, receiver.url + path, event)
    expect(answer).toMatchObject({ delivered: true, response_status: 200 })
    expect(receiver.to(path)[0]!.headers['webhook-signature']).toMatch(/^v1,\S{44}$/)
    const refused = sendTest(ada.ctx, owner, 'http://example.com/', event)
    await expect(refused).rejects.toMatchObject({ code: 'https_required' })
    const saved = await connected(ada, `${receiver.url}${newPath()}`)
    await sendTest(ada.ctx, saved.owner, receiver.url + path, event)
    verify(await secretOf(ada, saved.id), receiver.to(path)[1]!)
  })
})

describe('who may', () => {
  const asked = (id: string, delivery: string) =>
    [
      ['GET', `/api/webhooks/endpoints/${id}`, 'VIEWER'],
      ['GET', `/api/webhooks/deliveries/${delivery}`, 'VIEWER'],
      ['POST', `/api/webhooks/endpoints/${id}/test`, 'MEMBER'],
      ['POST', `/api/webhooks/deliveries/${delivery}/replay`, 'MEMBER'],
      ['POST', `/api/webhooks/endpoints/${id}/enable`, 'ADMIN'],
      ['GET', `/api/webhooks/endpoints/${id}/secret`, 'ADMIN'],
      ['POST', `/api/webhooks/endpoints/${id}/secret`, 'ADMIN'],
    ] as const
  const rank = ['VIEWER', 'MEMBER', 'ADMIN'] as const

  test('read, send again and see the secret is a matter of roles; another team sees nothing', async () => {
    const endpoint = await connected(ada, `${receiver.url}${newPath()}`)
    const id = await send(ada, endpoint)
    await afterAttempts(ada, id, 1)
    const eve = await app.person()
    for (const [method, path] of asked(endpoint.id, id))
      expectProblem(await eve.browser.raw(method, path, undefined), 404, 'not_found')
    expect((await eve.browser.get(`/api/webhooks/deliveries?endpoint_id=${endpoint.id}`)).body.data).toEqual(
      [],
    )
    for (const role of rank) {
      const person = await colleagueOf(app, ada, role)
      for (const [method, path, needed] of asked(endpoint.id, id)) {
        const { status } = await person.browser.raw(method, path, undefined)
        expect([method, path, status]).toEqual([
          method,
          path,
          rank.indexOf(role) >= rank.indexOf(needed) ? 200 : 403,
        ])
      }
    }
  })
})
