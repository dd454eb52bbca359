import { createPublicKey } from 'node:crypto'
import { jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import { claimDue } from '#platform/jobs/claim.ts'
import { LEASE_MS } from '#platform/jobs/limits.ts'
import { runJobs } from '#platform/jobs/run.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { colleagueOf } from '#test/colleague.ts'
import { eventually } from '#test/eventually.ts'
import { startHttps } from '#test/https.ts'
import { startPushService, subscribe, tell, type PushService } from './notifications.harness.ts'
import { PUSH_JOB, PUSH_TRIES_MAX } from './push.ts'
import { vapidKeys } from './vapid.ts'

const HOUR_MS = 3_600_000
const clock = new FakeClock()
const config = { outboundAllowHosts: ['localhost'] }
let service: PushService
let app: TestApp
let ada: Person

beforeAll(async () => {
  service = await startPushService()
  app = await startApp({ clock, config })
  ada = await app.person()
})
afterAll(async () => {
  await app.close()
  await service.close()
})

let paths = 0

/** A colleague with one browser. */
async function listener() {
  const path = `/${++paths}`
  const person = await colleagueOf(app, ada, 'MEMBER')
  const { browser, id } = await subscribe(person, service.url + path)
  return { person, browser, path, id, told: () => service.to(path) }
}

async function pushJobs(person: Person) {
  return app.database.query<{ attempts: number; state: string; last_error: string | null }>(
    'select attempts, state, last_error from jobs where kind = $1 and data->>$2 = any(select id from notifications where user_id = $3)',
    [PUSH_JOB, 'notification_id', person.user_id],
  )
}

/** Once all that was to be sent has been, or been given up. */
async function allSent(person: Person): Promise<void> {
  await eventually(async () => {
    expect(
      await app.database.query("select from jobs where kind like 'notifications.%' and event_id is not null"),
    ).toEqual([])
    expect(await pushJobs(person)).toEqual([])
  })
}

test('a notification reaches the browser, readable for it alone, and says who sends it', async () => {
  const { person, browser, told } = await listener()
  const link = '/leads/65e2f00000000000000000aa'
  const [id] = await tell(ada, { user_ids: [person.user_id], title: 'Grüße 🐘', text: 'One\ntwo', link })
  await eventually(() => expect(told()).toHaveLength(1))
  const { headers, body } = told()[0]!
  expect(JSON.parse((await browser.open(body)).toString())).toEqual({
    id,
    title: 'Grüße 🐘',
    text: 'One two',
    link,
  })
  expect(headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    'content-length': String(body.length),
    ttl: '86400',
    topic: id,
    urgency: 'normal',
  })
  const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization!)!
  const point = Buffer.from(key!, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(part => part.toString('base64url'))
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' })
  const { payload, protectedHeader } = await jwtVerify(token!, publicKey, {
    audience: service.url,
    currentDate: new Date(clock.now()),
  })
  expect(protectedHeader.alg).toBe('ES256')
  expect(payload.sub).toBe('mailto:rapport@example.test')
  expect(payload.exp! - clock.now() / 1_000).toBeLessThanOrEqual(86_400)
  expect((await person.browser.get('/api/notifications/push')).body.public_key).toBe(key)
  await allSent(person)
  expect(told()).toHaveLength(1)
})

test('it goes once to each browser of each person who was told, and to nobody else', async () => {
  const [one, two, other] = [await listener(), await listener(), await listener()]
  await subscribe(one.person, `${service.url}/second-of-one`)
  await tell(ada, { user_ids: [one.person.user_id, two.person.user_id] })
  await allSent(one.person)
  await allSent(two.person)
  expect([one, two, other].map(({ told }) => told().length)).toEqual([1, 1, 0])
  expect(service.to('/second-of-one')).toHaveLength(1)
})

test('the longest texts of the strangest characters still fit', async () => {
  const { person, browser, told } = await listener()
  for (const char of ['🐘', '"', '\\', '字', '\n'])
    await tell(ada, { user_ids: [person.user_id], title: char.repeat(2_000), text: char.repeat(9_000) })
  await allSent(person)
  expect(told()).toHaveLength(5)
  for (const { body } of told()) {
    expect(body.length).toBeLessThanOrEqual(4_096)
    expect(JSON.parse((await browser.open(body)).toString()).title).not.toBe('')
  }
})

test.for([404, 410])('a browser that is gone (%i) is told no more', async status => {
  const { person, path, told } = await listener()
  service.set(path, { status })
  await tell(ada, { user_ids: [person.user_id] })
  await allSent(person)
  expect((await person.browser.get('/api/notifications/push')).body.subscriptions).toEqual([])
  await tell(ada, { user_ids: [person.user_id] })
  await allSent(person)
  expect(told()).toHaveLength(1)
  const events = await app.database.query<{ data: unknown }>(
    "select data from events where type = 'push_subscription.removed' order by id desc limit 1",
  )
  // Who reads the audit log could write to that browser if it had the whole address.
  expect(events).toEqual([{ data: { host: new URL(service.url).host } }])
})

test('an address that may not be called is dropped without a call', async () => {
  const person = await colleagueOf(app, ada, 'MEMBER')
  for (const address of ['https://127.0.0.1/x', 'https://[::1]/x', 'https://10.0.0.1/x'])
    await subscribe(person, address)
  await tell(ada, { user_ids: [person.user_id] })
  await allSent(person)
  expect((await person.browser.get('/api/notifications/push')).body.subscriptions).toEqual([])
})

test.for([400, 401, 403, 413, 301])('a refusal (%i) is not repeated, and the browser stays', async status => {
  const { person, path, told } = await listener()
  service.set(path, { status, headers: { location: `${service.url}/elsewhere` } })
  await tell(ada, { user_ids: [person.user_id] })
  await allSent(person)
  expect(told()).toHaveLength(1)
  expect(service.to('/elsewhere')).toEqual([])
  expect((await person.browser.get('/api/notifications/push')).body.subscriptions).toHaveLength(1)
})

test.for([429, 500, 503])('a service in trouble (%i) is tried again, and then has it once', async status => {
  const { person, path, told } = await listener()
  service.set(path, { status }, { status: 201 })
  await tell(ada, { user_ids: [person.user_id] })
  await eventually(async () =>
    expect(await pushJobs(person)).toMatchObject([{ attempts: 1, state: 'ready' }]),
  )
  await eventually(async () => expect((await pushJobs(person))[0]!.last_error).toContain(String(status)))
  expect(told()).toHaveLength(1)
  clock.advance(2_000)
  await allSent(person)
  expect(told()).toHaveLength(2)
  expect(told()[0]!.headers.topic).toBe(told()[1]!.headers.topic)
})

test('a service that asks for patience is not called before', async () => {
  const { person, path, told } = await listener()
  service.set(path, { status: 429, headers: { 'retry-after': '60' } }, { status: 201 })
  await tell(ada, { user_ids: [person.user_id] })
  await eventually(async () => expect((await pushJobs(person))[0]?.last_error).toContain('429'))
  clock.advance(2_000)
  await eventually(async () => expect((await pushJobs(person))[0]!.last_error).toContain('asked to wait'))
  // Another notification for the same browser waits as well.
  await tell(ada, { user_ids: [person.user_id] })
  await eventually(async () => expect(await pushJobs(person)).toHaveLength(2))
  await eventually(async () =>
    expect((await pushJobs(person)).every(({ last_error }) => last_error?.includes('asked to wait'))).toBe(
      true,
    ),
  )
  expect(told()).toHaveLength(1)
  clock.advance(60_000)
  await allSent(person)
  expect(told()).toHaveLength(3)
})

test('after the last try it is let be: nobody is called to it', async () => {
  const { person, path, told } = await listener()
  service.set(path, { status: 500 })
  await tell(ada, { user_ids: [person.user_id] })
  for (let tries = 1; tries < PUSH_TRIES_MAX; tries++) {
    await eventually(async () => expect((await pushJobs(person))[0]!.last_error).toContain('500'))
    await eventually(() => expect(told()).toHaveLength(tries))
    await app.database.query('update jobs set last_error = null where kind = $1', [PUSH_JOB])
    clock.advance(2 * HOUR_MS)
  }
  await allSent(person)
  expect(told()).toHaveLength(PUSH_TRIES_MAX)
  expect((await ada.browser.get('/api/jobs/dead')).body.data).toEqual([])
})

test('what was read meanwhile, or is a day old, is not pushed any more', async () => {
  const { person, path, told } = await listener()
  service.set(path, { status: 503 }, { status: 201 })
  await tell(ada, { user_ids: [person.user_id] })
  await eventually(async () => expect((await pushJobs(person))[0]?.last_error).toContain('503'))
  await person.browser.post('/api/notifications/read', { all: true })
  clock.advance(2_000)
  await allSent(person)
  expect(told()).toHaveLength(1)
  service.set(path, { status: 503 }, { status: 201 })
  await tell(ada, { user_ids: [person.user_id] })
  await eventually(async () => expect((await pushJobs(person))[0]?.last_error).toContain('503'))
  clock.advance(24 * HOUR_MS)
  await allSent(person)
  expect(told()).toHaveLength(2)
})

test('a push service that hangs holds up nobody else', async () => {
  const slow = await listener()
  const quick = await listener()
  const hanging = Promise.withResolvers<void>()
  const server = await startHttps(async (_, response) => {
    await hanging.promise
    response.writeHead(201).end()
  })
  onTestFinished(() => server.close())
  await subscribe(slow.person, server.url)
  await tell(ada, { user_ids: [slow.person.user_id] })
  await tell(ada, { user_ids: [quick.person.user_id] })
  await allSent(quick.person)
  expect(quick.told()).toHaveLength(1)
  // Nor the other browser of the same person.
  await eventually(async () => {
    expect(slow.told()).toHaveLength(1)
    expect(await pushJobs(slow.person)).toHaveLength(1)
  })
  hanging.resolve()
  await allSent(slow.person)
})

test('a worker that was frozen past its lease sends nothing when it wakes', async () => {
  const quiet = await startApp({ clock, config, role: 'api' })
  onTestFinished(() => quiet.close())
  const eve = await quiet.person()
  await subscribe(eve, `${service.url}/frozen`)
  await tell(eve)
  const ctx = systemContext(quiet.runtime)
  await runJobs(quiet.runtime, await claimDue(ctx, 'inside', 'reactor', 5))
  const [job] = await claimDue(ctx, 'outgoing', 'frozen', 1)
  clock.advance(LEASE_MS)
  const [again] = await claimDue(ctx, 'outgoing', 'other', 1)
  await runJobs(quiet.runtime, [again!])
  expect(service.to('/frozen')).toHaveLength(1)
  await expect(runJobs(quiet.runtime, [job!])).rejects.toThrow()
  expect(service.to('/frozen')).toHaveLength(1)
})

test('the key is made once for all processes, kept sealed, and made anew when its seal cannot be opened', async () => {
  const sessionSecrets = app.runtime.settings.sessionSecrets
  const open = async (secrets = sessionSecrets) => {
    const other = await startApp({ database: app.database, role: 'api', config: { sessionSecrets: secrets } })
    onTestFinished(() => other.close())
    return systemContext(other.runtime)
  }
  const key = async () => (await ada.browser.get('/api/notifications/push')).body.public_key
  const [first, same] = [await key(), await vapidKeys(await open())]
  expect(same.publicKey).toBe(first)
  const [row] = await app.database.query<{ value: string }>(
    "select value from installation where key = 'vapid_key'",
  )
  const secret = same.privateKey.export({ format: 'jwk' }).d!
  expect(row!.value).not.toContain(secret)
  const strangers = [await open([Buffer.alloc(32, 1)]), await open([Buffer.alloc(32, 1)])]
  const [one, two] = await Promise.all(strangers.map(vapidKeys))
  expect(one!.publicKey).toBe(two!.publicKey)
  expect(one!.publicKey).not.toBe(first)
})
