import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { entra } from '#adapters/signin/entra.ts'
import { github } from '#adapters/signin/github.ts'
import { google } from '#adapters/signin/google.ts'
import { startApp, type TestApp } from '#test/app.ts'
import { client, type Reply } from '#test/client.ts'
import { startGithubLike, type GithubLike } from '#test/github-like.ts'
import { startIssuer, walk, type Issuer } from '#test/issuer.ts'
import { FakeClock } from '#platform/clock.ts'

const TENANT = '11111111-2222-3333-4444-555555555555'
const clock = new FakeClock(Date.now())
let app: TestApp
let issuer: Issuer
let directory: Issuer
let hub: GithubLike

beforeAll(async () => {
  ;[issuer, directory, hub] = await Promise.all([startIssuer(), startIssuer(), startGithubLike()])
  app = await startApp({
    clock,
    ports: {
      signin: [
        google(issuer.credentials),
        github(hub.credentials),
        entra({ ...directory.credentials, tenant: TENANT }),
      ],
    },
  })
})
afterAll(async () => {
  await app.close()
  await Promise.all([issuer.close(), directory.close(), hub.close()])
})

let people = 0
let email: string
beforeEach(() => {
  email = `newcomer${++people}@example.test`
  issuer.person = { sub: `g-${people}`, email, email_verified: true, name: 'Nora New' }
  directory.person = { sub: `e-${people}`, email, xms_edov: true, tid: TENANT, name: 'Nora New' }
  hub.person = {
    id: 1000 + people,
    login: 'nora',
    name: 'Nora New',
    avatar_url: 'https://avatars.example.test/nora.png',
    emails: [{ email, primary: true, verified: true }],
  }
})

const cookieOf = (reply: Reply, name: string) =>
  new RegExp(`${name}=([^;]*)`).exec(reply.headers.getSetCookie().join('\n'))?.[1]

/** The way a browser goes: to the provider, through it, and back with the cookie it was given. */
async function signIn(
  provider: string,
  { return_to, cookie = '' }: { return_to?: string; cookie?: string } = {},
) {
  const query = return_to === undefined ? '' : `?return_to=${encodeURIComponent(return_to)}`
  const begun = await client(app.url, { cookie }).get(`/api/auth/signin/${provider}${query}`)
  expect(begun.status, begun.text).toBe(302)
  const callback = await walk(
    new URL(begun.headers.get('location')!),
    `${app.url}/api/auth/callback/${provider}`,
  )
  const attempt = `rapport_signin=${cookieOf(begun, 'rapport_signin')}`
  const finish = (cookies = attempt) =>
    client(app.url, { cookie: [cookie, cookies].filter(Boolean).join('; ') }).get(
      callback.pathname + callback.search,
    )
  return { callback, attempt, finish }
}

async function arrive(provider: string, options?: Parameters<typeof signIn>[1]) {
  const reply = await (await signIn(provider, options)).finish()
  const session = cookieOf(reply, 'rapport_session')
  const browser = client(app.url, {
    cookie: `rapport_session=${session}`,
    'sec-fetch-site': 'same-origin',
  })
  return { reply, browser, who: (await browser.get('/api/auth/session')).body.user }
}

const usersWith = (address: string) =>
  app.database.query<{ id: string }>('select id from users where lower(email) = lower($1)', [address])

describe.for(['google', 'github', 'entra'])('a first sign-in with %s', provider => {
  test('makes the person, a team of its own as SUPER_ADMIN, and a session', async () => {
    const { reply, who, browser } = await arrive(provider, { return_to: '/leads?q=x' })
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/leads?q=x'])
    expect(who).toMatchObject({ email, name: 'Nora New', role: 'SUPER_ADMIN', teamRole: 'SUPER_ADMIN' })
    expect((await browser.get('/api/crm/leads')).status).toBe(200)
    // The attempt is over, the session cookie is the browser's alone.
    const cookies = reply.headers.getSetCookie()
    expect(cookies.find(cookie => cookie.startsWith('rapport_signin='))).toContain('Max-Age=0')
    expect(cookies.find(cookie => cookie.startsWith('rapport_session='))).toContain('HttpOnly; SameSite=Lax')
  })

  test('a second one is the same person, even when the address has changed there', async () => {
    const first = await arrive(provider)
    const moved = `moved-${email}`
    Object.assign(issuer.person!, { email: moved })
    Object.assign(directory.person!, { email: moved })
    hub.person!.emails = [{ email: moved, primary: true, verified: true }]
    const second = await arrive(provider)
    expect(second.who.id).toBe(first.who.id)
    expect(await usersWith(moved)).toEqual([])
  })

  test('links to the person with the same address, since the provider vouches for it', async () => {
    const known = await app.person(email.toUpperCase())
    const { who } = await arrive(provider)
    expect(who.id).toBe(known.user_id)
    expect(await usersWith(email)).toHaveLength(1)
  })

  test('does not link, nor make anybody, when the provider does not vouch for the address', async () => {
    const known = await app.person(email)
    Object.assign(issuer.person!, { email_verified: false })
    Object.assign(directory.person!, { xms_edov: undefined })
    hub.person!.emails = [{ email, primary: true, verified: false }]
    const { reply, who } = await arrive(provider)
    expect([reply.status, who]).toEqual([400, null])
    expect(reply.text).toContain('has not verified your email address')
    expect(cookieOf(reply, 'rapport_session')).toBeUndefined()
    const links = await app.database.query('select * from user_identities where user_id = $1', [
      known.user_id,
    ])
    expect(links).toEqual([])
  })

  test('an invited address joins the team that waits for it, instead of founding one', async () => {
    const admin = await app.person()
    await admin.browser.post('/api/team/invitations', { email, role: 'MEMBER' })
    const { who } = await arrive(provider)
    expect(who).toMatchObject({ teamId: admin.team_id, teamRole: 'MEMBER' })
    expect((await admin.browser.get('/api/team/invitations')).body.data).toEqual([])
  })

  test('saying no there leads back to the sign-in page, which says so', async () => {
    issuer.person = directory.person = hub.person = undefined
    const { reply } = await arrive(provider)
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('cancelled')
    expect(reply.text).toContain('Continue with')
  })

  test('the answer is worth nothing in another browser, a second time, or too late', async () => {
    const { finish, attempt, callback } = await signIn(provider)
    expect((await finish('')).status).toBe(400)
    const foreign = await signIn(provider)
    expect((await finish(foreign.attempt)).status).toBe(400)
    expect((await finish(attempt.replace('=', '=AAAA'))).status).toBe(400)
    clock.advance(10 * 60_000)
    const late = await finish()
    expect([late.status, cookieOf(late, 'rapport_session')]).toEqual([400, undefined])
    clock.advance(-10 * 60_000)
    expect((await finish()).status).toBe(302)
    expect((await finish()).status).toBe(400)
    const elsewhere = callback.pathname.replace(provider, provider === 'google' ? 'github' : 'google')
    const mixed = await client(app.url, { cookie: attempt }).get(elsewhere + callback.search)
    expect(mixed.status).toBe(400)
  })
})

test('an account of another directory is refused', async () => {
  directory.person = { ...directory.person!, tid: '99999999-2222-3333-4444-555555555555' }
  const { reply, who } = await arrive('entra')
  expect([reply.status, who]).toEqual([400, null])
  expect(reply.text).toContain('another directory')
})

test('three providers of one person lead to one person', async () => {
  const arrivals = [await arrive('google'), await arrive('github'), await arrive('entra')]
  expect(new Set(arrivals.map(({ who }) => who.id)).size).toBe(1)
})

test('twenty first sign-ins of one person at once make one person and one team', async () => {
  const begun = await Promise.all(Array.from({ length: 20 }, () => signIn('github')))
  const replies = await Promise.all(begun.map(({ finish }) => finish()))
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 302))
  const [user, ...others] = await usersWith(email)
  expect(others).toEqual([])
  expect(
    await app.database.query('select role from memberships where user_id = $1', [user!.id]),
  ).toHaveLength(1)
})

test('twenty first sign-ins of one invited person at once join the team, and found none', async () => {
  const admin = await app.person()
  await admin.browser.post('/api/team/invitations', { email, role: 'MEMBER' })
  const begun = await Promise.all(Array.from({ length: 20 }, () => signIn('github')))
  await Promise.all(begun.map(({ finish }) => finish()))
  const [user] = await usersWith(email)
  expect(
    await app.database.query('select team_id, role from memberships where user_id = $1', [user!.id]),
  ).toEqual([{ team_id: admin.team_id, role: 'MEMBER' }])
})

test('signing in anew ends the session this browser had', async () => {
  const { cookie } = (await app.person()).browser.headers as { cookie: string }
  const old = client(app.url, { cookie, 'sec-fetch-site': 'same-origin' })
  expect((await old.get('/api/crm/leads')).status).toBe(200)
  await arrive('google', { cookie })
  expect((await old.get('/api/crm/leads')).status).toBe(401)
})

describe('return_to', () => {
  test.for([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    'javascript:alert(1)',
    'leads',
    '',
    `/${'x'.repeat(2400)}`,
  ])('%s leads home, and nowhere else', async return_to => {
    const { reply } = await arrive('google', { return_to })
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/'])
  })

  test('of 2,400 characters still fits into the cookie that carries it', async () => {
    const return_to = `/${'x'.repeat(2399)}`
    const { attempt, finish } = await signIn('google', { return_to })
    expect(attempt.length).toBeLessThan(4096)
    expect((await finish()).headers.get('location')).toBe(return_to)
  })
})

describe('the sign-in page', () => {
  test('shows what is configured, and keeps where the person wanted to go', async () => {
    const page = await client(app.url).get('/signin?return_to=%2Fleads')
    expect(page.status).toBe(200)
    for (const name of ['google', 'github', 'entra'])
      expect(page.text).toContain(`href="/api/auth/signin/${name}?return_to=%2Fleads"`)
    expect(page.text).not.toContain('GOOGLE_CLIENT_ID')
    const { body } = await client(app.url).get('/api/auth/providers')
    expect(body.data.map((provider: { name: string }) => provider.name)).toEqual([
      'google',
      'github',
      'entra',
    ])
  })

  test('says how to configure a way in when there is none', async () => {
    const bare = await startApp({ database: app.database })
    try {
      const page = await client(bare.url).get('/signin')
      for (const words of ['signin-link', 'GOOGLE_CLIENT_ID', 'GITHUB_CLIENT_ID', 'ENTRA_TENANT'])
        expect(page.text).toContain(words)
      expect((await client(bare.url).get('/api/auth/providers')).body).toEqual({ data: [] })
      expect((await client(bare.url).get('/api/auth/signin/google')).status).toBe(404)
    } finally {
      await bare.close()
    }
  })

  test('tells somebody who is signed in already', async () => {
    const { browser } = await app.person('here@example.test')
    expect((await browser.get('/signin')).text).toContain('here@example.test')
  })

  test('a provider that does not answer is a 503 on that page, and the others stay', async () => {
    const gone = await startApp({
      database: app.database,
      ports: { signin: [google({ clientId: 'x', clientSecret: 'y', issuer: 'http://127.0.0.1:9' })] },
    })
    try {
      const reply = await client(gone.url).get('/api/auth/signin/google')
      expect(reply.status).toBe(503)
      expect(reply.text).toContain('is not responding')
    } finally {
      await gone.close()
    }
  })
})
