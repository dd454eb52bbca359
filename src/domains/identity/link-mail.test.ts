import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startApp, type TestApp } from '#test/app.ts'
import { client } from '#test/client.ts'
import { eventually } from '#test/eventually.ts'
import { FORM } from '#test/oauth.ts'
import { settle } from '#test/settle.ts'
import { FakeClock } from '#platform/clock.ts'
import { MailUncertain } from '#platform/ports/mail.ts'
import { systemContext } from '#platform/context.ts'
import { deleteExpiredSignIns } from './service.ts'
import { LINK_REQUESTS_PER_HOUR_MAX, MAILED_LINK_LIFE_MIN, MAILED_LINKS_PER_HOUR_MAX } from './values.ts'

const MINUTE_MS = 60_000
const clock = new FakeClock()
let app: TestApp
beforeAll(async () => {
  app = await startApp({ clock })
})
afterAll(() => app.close())

const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const ask = (email: string, more = {}) => client(app.url).post('/api/auth/link', { email, ...more })
const mailsTo = (email: string) => app.mail.sent.filter(({ to }) => to === email)

/** When nothing waits to be sent any more. */
async function settled(): Promise<void> {
  await eventually(async () => {
    const waiting = await app.database.query(
      `select from jobs where kind = 'signin.link' and state = 'ready'`,
    )
    expect(waiting).toEqual([])
  })
}

async function mailedLink(email: string): Promise<string> {
  const mail = await eventually(() => mailsTo(email).at(-1) ?? Promise.reject(new Error('no mail yet')))
  return new URL(/https?:\S+\/api\/auth\/link\/\S+/.exec(mail.text)![0]).pathname
}

const redeem = (path: string) => client(app.url).raw('POST', path, undefined, sameOrigin)

describe('a sign-in link by mail', () => {
  test('signs a member in once, and leads where they wanted to go', async () => {
    const { user_id } = await app.person('ada@example.test')
    expect(await ask('ADA@example.test', { return_to: '/leads?q=x' })).toMatchObject({
      status: 202,
      body: { status: 'accepted' },
    })
    const link = await mailedLink('ada@example.test')
    // Scanners open every link in a mail.
    for (let look = 0; look < 3; look++) expect((await client(app.url).get(link)).status).toBe(200)
    const reply = await redeem(link)
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/leads?q=x'])
    const cookie = reply.headers.get('set-cookie')!.split(';')[0]!
    const session = await client(app.url, { cookie }).get('/api/auth/session')
    expect(session.body.user.id).toBe(user_id)
    expect((await redeem(link)).status).toBe(404)
  })

  test('is good for a quarter of an hour', async () => {
    await app.person('late@example.test')
    for (const [afterMs, status] of [
      [MAILED_LINK_LIFE_MIN * MINUTE_MS - 1, 302],
      [MAILED_LINK_LIFE_MIN * MINUTE_MS, 404],
    ] as const) {
      await ask('late@example.test')
      await settled()
      const link = await mailedLink('late@example.test')
      clock.advance(afterMs)
      expect((await redeem(link)).status).toBe(status)
    }
  })

  test('leads nowhere else, whatever is asked for', async () => {
    await app.person('lured@example.test')
    for (const return_to of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      await ask('lured@example.test', { return_to })
      await settled()
      expect((await redeem(await mailedLink('lured@example.test'))).headers.get('location')).toBe('/')
    }
  })

  test('goes to no stranger, nor to who is in no team, and nobody can tell', async () => {
    const { user_id } = await app.person('gone@example.test')
    await app.database.query('delete from memberships where user_id = $1', [user_id])
    await app.person('member@example.test')
    const replies = []
    for (const email of ['member@example.test', 'gone@example.test', 'stranger@example.test']) {
      const { status, text, headers } = await ask(email)
      const told = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
      replies.push({ status, text, told })
    }
    expect(replies[1]).toEqual(replies[0])
    expect(replies[2]).toEqual(replies[0])
    await settled()
    expect(mailsTo('member@example.test')).toHaveLength(1)
    expect(mailsTo('gone@example.test')).toEqual([])
    expect(mailsTo('stranger@example.test')).toEqual([])
    expect(await app.database.query(`select from users where email = 'stranger@example.test'`)).toEqual([])
  })

  test('is mailed five times an hour at most, however often and at once it is asked for', async () => {
    const email = 'flooded@example.test'
    await app.person(email)
    const replies = await Promise.all(Array.from({ length: 12 }, () => ask(email)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]))
    await settled()
    expect(mailsTo(email)).toHaveLength(MAILED_LINKS_PER_HOUR_MAX)
    // Also when those that have run out are swept away.
    clock.advance(59 * MINUTE_MS)
    await deleteExpiredSignIns(systemContext(app.runtime))
    await ask(email)
    await settled()
    expect(mailsTo(email)).toHaveLength(MAILED_LINKS_PER_HOUR_MAX)
    clock.advance(MINUTE_MS)
    await ask(email)
    await settled()
    expect(mailsTo(email)).toHaveLength(MAILED_LINKS_PER_HOUR_MAX + 1)
  })

  test('that the mail server refused is sent later; one that may have gone out is not sent again', async () => {
    const email = 'greylisted@example.test'
    await app.person(email)
    app.mail.faults.push(new Error('greylisted'))
    await ask(email)
    await eventually(async () => {
      await settle(app)
      clock.advance(1_000)
      expect(mailsTo(email)).toHaveLength(1)
    })
    expect((await redeem(await mailedLink(email))).status).toBe(302)
    app.mail.faults.push(new MailUncertain('the line broke'))
    await ask(email)
    await settled()
    expect(mailsTo(email)).toHaveLength(1)
  })
})

describe('the sign-in page', () => {
  test('mails a link without any script, and keeps where the person wanted to go', async () => {
    await app.person('page@example.test')
    const page = await client(app.url).get('/signin?return_to=%2Fleads')
    expect(page.text).toContain('action="/signin"')
    expect(page.text).toContain('name="return_to" value="/leads"')
    const form = new URLSearchParams({ email: 'page@example.test', return_to: '/leads' }).toString()
    const reply = await client(app.url).raw('POST', '/signin', form, { ...FORM, ...sameOrigin })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([202, 'text/html; charset=utf-8'])
    expect(reply.text).toContain('Check your email')
    expect((await redeem(await mailedLink('page@example.test'))).headers.get('location')).toBe('/leads')
  })

  test.for(['', 'nobody', 'a@b', 'a@example.test, b@example.test', 'a@example.test\nbcc: x@y.test'])(
    'says that %j is no address',
    async email => {
      const form = new URLSearchParams({ email }).toString()
      const reply = await client(app.url).raw('POST', '/signin', form, { ...FORM, ...sameOrigin })
      expect([reply.status, reply.text.includes('This is not a valid email address.')]).toEqual([422, true])
      expect((await ask(email)).body).toMatchObject({ status: 422, errors: [{ path: 'email' }] })
    },
  )

  test('takes no form of another site', async () => {
    const headers = { ...FORM, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const reply = await client(app.url).raw('POST', '/signin', 'email=a%40example.test', headers)
    expect(reply.status).toBe(403)
  })
})

test('one network asks for so many links an hour', async () => {
  const limited = await startApp({ clock, database: app.database, config: { rateLimit: true } })
  onTestFinished(() => limited.close())
  const asked = async () =>
    (await client(limited.url).post('/api/auth/link', { email: 'stranger@example.test' })).status
  for (let times = 0; times < LINK_REQUESTS_PER_HOUR_MAX; times++) expect(await asked()).toBe(202)
  expect(await asked()).toBe(429)
  clock.advance(60 * MINUTE_MS)
  expect(await asked()).toBe(202)
})
