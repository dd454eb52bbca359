import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { client } from '#test/client.ts'
import { colleagueOf } from '#test/colleague.ts'
import { plainSettings } from '#test/settings.ts'
import { FakeClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import { endedCookie, sessionCookie } from './cookie.ts'
import { createSigninLink } from './links.ts'
import { sessionTokens } from './session-token.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const clock = new FakeClock()
let app: TestApp

beforeAll(async () => {
  app = await startApp({ clock })
})
afterAll(() => app.close())

const pathOf = (link: string) => new URL(link).pathname
const sameOrigin = { 'sec-fetch-site': 'same-origin' }

async function openLink(email: string) {
  const path = pathOf(await createSigninLink(systemContext(app.runtime), email))
  const reply = await client(app.url).raw('POST', path, undefined, sameOrigin)
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { path, reply, browser: client(app.url, { cookie, ...sameOrigin }) }
}

describe('the sign-in link', () => {
  test('looking at the page uses nothing up, pressing the button signs in, once', async () => {
    const path = pathOf(await createSigninLink(systemContext(app.runtime), 'ada.lovelace@example.test'))
    for (let look = 0; look < 3; look++) {
      const page = await client(app.url).get(path)
      expect(page.status).toBe(200)
      expect(page.text).toContain('ada.lovelace@example.test')
    }
    const pressed = await client(app.url).raw('POST', path, undefined, sameOrigin)
    expect([pressed.status, pressed.headers.get('location')]).toEqual([302, '/'])
    expect(pressed.headers.get('set-cookie')).toMatch(
      /^rapport_session=.*; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/,
    )
    const again = await client(app.url).raw('POST', path, undefined, sameOrigin)
    expect(again.status).toBe(404)
    expect(again.headers.get('set-cookie')).toBeNull()
  })

  test('of fifty parallel presses one wins', async () => {
    const path = pathOf(await createSigninLink(systemContext(app.runtime), 'race@example.test'))
    const presses = await Promise.all(
      Array.from({ length: 50 }, () => client(app.url).raw('POST', path, undefined, sameOrigin)),
    )
    expect(presses.filter(reply => reply.status === 302)).toHaveLength(1)
  })

  test('it runs out after an hour', async () => {
    const path = pathOf(await createSigninLink(systemContext(app.runtime), 'late@example.test'))
    clock.advance(HOUR_MS)
    expect((await client(app.url).raw('POST', path, undefined, sameOrigin)).status).toBe(404)
  })

  test('another site cannot press it for somebody', async () => {
    const path = pathOf(await createSigninLink(systemContext(app.runtime), 'tricked@example.test'))
    const reply = await client(app.url).raw('POST', path, undefined, {
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    })
    expect(reply.status).toBe(403)
  })

  test('the address is shown as text, whatever it is', async () => {
    const path = pathOf(
      await createSigninLink(systemContext(app.runtime), '<script>alert(1)</script>@example.test'),
    )
    expect((await client(app.url).get(path)).text).not.toContain('<script>alert')
  })
})

describe('the session', () => {
  test('carries exactly what the specification names', async () => {
    const { browser } = await openLink('grace.hopper@example.test')
    const { body } = await browser.get('/api/auth/session')
    expect(body).toEqual({
      user: {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        name: 'Grace Hopper',
        email: 'grace.hopper@example.test',
        role: 'SUPER_ADMIN',
        teamId: expect.stringMatching(/^[0-9a-f]{24}$/),
        teamRole: 'SUPER_ADMIN',
      },
      expires: expect.any(String),
    })
    expect((await client(app.url).get('/api/auth/session')).body).toEqual({ user: null })
  })

  test('has an image where the provider knows one; a member without one has null', async () => {
    const { browser } = await openLink('pictured@example.test')
    const image = 'https://pictures.example.test/ada.png'
    expect((await browser.get('/api/team/members')).body.data[0].image).toBeNull()
    await app.database.query("update users set image = $1 where email = 'pictured@example.test'", [image])
    expect((await browser.get('/api/auth/session')).body.user.image).toBe(image)
    expect((await browser.get('/api/team/members')).body.data[0].image).toBe(image)
  })

  test('ends at the next request after signing out', async () => {
    const { browser } = await openLink('leaver@example.test')
    expect((await browser.get('/api/crm/leads')).status).toBe(200)
    expect((await browser.post('/api/auth/signout')).status).toBe(204)
    expect((await browser.get('/api/crm/leads')).status).toBe(401)
    expect((await browser.get('/api/auth/session')).body).toEqual({ user: null })
  })

  test('lives thirty days from its last use, and not longer', async () => {
    const { browser } = await openLink('sliding@example.test')
    clock.advance(20 * DAY_MS)
    expect((await browser.get('/api/crm/leads')).status).toBe(200)
    clock.advance(20 * DAY_MS)
    expect((await browser.get('/api/crm/leads')).status).toBe(200)
    clock.advance(30 * DAY_MS + 1)
    expect((await browser.get('/api/crm/leads')).status).toBe(401)
  })

  test('ends ninety days after sign-in, however often it is used', async () => {
    const { browser } = await openLink('absolute@example.test')
    for (let day = 0; day < 80; day += 20) {
      clock.advance(20 * DAY_MS)
      expect((await browser.get('/api/crm/leads')).status).toBe(200)
    }
    // Told in advance: the last ten of the thirty days are cut off.
    const { expires } = (await browser.get('/api/auth/session')).body
    expect(Date.parse(expires) - clock.now()).toBe(10 * DAY_MS)
    clock.advance(10 * DAY_MS - 1)
    expect((await browser.get('/api/crm/leads')).status).toBe(200)
    clock.advance(1)
    expect((await browser.get('/api/crm/leads')).status).toBe(401)
  })

  test('a role that is lowered or raised counts at the next request', async () => {
    const { browser } = await openLink('demoted@example.test')
    const { body } = await browser.get('/api/auth/session')
    const setRole = (role: string) =>
      app.database.query('update memberships set role = $1 where user_id = $2', [role, body.user.id])
    expect((await browser.get('/api/keys')).status).toBe(200)
    await setRole('VIEWER')
    expect((await browser.get('/api/keys')).status).toBe(403)
    expect((await browser.post('/api/crm/leads', { first_name: 'No' })).status).toBe(403)
    await setRole('ADMIN')
    expect((await browser.get('/api/keys')).status).toBe(200)
  })

  test('a cookie that we did not seal is nobody', async () => {
    const foreign = await sessionTokens([Buffer.alloc(32, 7)]).seal('f'.repeat(24))
    for (const value of ['', 'x', 'a.b.c.d.e', foreign]) {
      expect(
        (await client(app.url, { cookie: `rapport_session=${value}` }).get('/api/crm/leads')).status,
      ).toBe(401)
    }
  })

  test('on https the cookie is bound to this host and never leaves it in the clear', () => {
    const settings = { ...plainSettings, baseUrl: 'https://crm.example.test' }
    const flags = 'Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000; Secure'
    expect(sessionCookie(settings, 'x')).toBe(`__Host-rapport_session=x; ${flags}`)
    expect(endedCookie(settings)).toContain('__Host-rapport_session=; ')
  })

  test('a token sealed with the previous secret still opens', async () => {
    const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const token = await sessionTokens([old]).seal('someone')
    expect(await sessionTokens([fresh, old]).open(token)).toBe('someone')
    expect(await sessionTokens([fresh]).open(token)).toBeUndefined()
  })
})

describe('API keys', () => {
  test('a key is shown once, stored hashed, and works until it is revoked', async () => {
    const ada = await app.person()
    const made = await ada.browser.post('/api/keys', { name: 'Zapier', scopes: ['leads:read'] })
    expect(made.status).toBe(201)
    const { key, id } = made.body
    const listed = await ada.browser.get('/api/keys')
    expect(listed.text).not.toContain(key)
    expect(JSON.stringify(await app.database.query('select * from api_keys'))).not.toContain(key)
    const caller = client(app.url, { authorization: `Bearer ${key}` })
    expect((await caller.get('/api/crm/leads')).status).toBe(200)
    expect((await caller.post('/api/crm/leads', { first_name: 'No' })).status).toBe(403)
    await ada.browser.delete(`/api/keys/${id}`)
    expect((await caller.get('/api/crm/leads')).status).toBe(401)
    // Even a request that is wrong in another way learns only that.
    expect((await caller.get('/api/crm/leads?nonsense=1')).status).toBe(401)
  })

  test('a key with a life of one day ends with it', async () => {
    const ada = await app.person()
    const made = await ada.browser.post('/api/keys', {
      name: 'Short',
      scopes: ['leads:read'],
      expires_in_days: 1,
    })
    const caller = client(app.url, { authorization: `Bearer ${made.body.key}` })
    clock.advance(DAY_MS - 1_000)
    expect((await caller.get('/api/crm/leads')).status).toBe(200)
    clock.advance(1_000)
    expect((await caller.get('/api/crm/leads')).status).toBe(401)
  })

  test('a key belongs to who made it, and ends after a year unless told otherwise', async () => {
    const ada = await app.person()
    const make = async (more: object) =>
      (await ada.browser.post('/api/keys', { name: 'Zapier', scopes: ['leads:read'], ...more })).body
    const own = await make({})
    expect(own.owner).toEqual({ kind: 'person', id: ada.user_id, name: expect.any(String) })
    expect(Date.parse(own.expires_at) - clock.now()).toBe(365 * DAY_MS)
    const service = await make({ service: 'Nightly export', expires_in_days: null })
    expect([service.owner.kind, service.owner.name, service.expires_at]).toEqual([
      'service',
      'Nightly export',
      null,
    ])
    // A service is known by its name, and is another one in another team.
    expect((await make({ service: 'Nightly export' })).owner).toEqual(service.owner)
    expect((await make({ service: 'Other' })).owner.id).not.toBe(service.owner.id)
    const listed = (await ada.browser.get('/api/keys')).body.data
    expect(listed.slice(0, 2)).toMatchObject([{ owner: own.owner }, { owner: service.owner }])
    for (const wrong of ['', ' ', 'x'.repeat(101)]) {
      const reply = await ada.browser.post('/api/keys', { name: 'X', scopes: ['leads:read'], service: wrong })
      expect(reply.status).toBe(422)
    }
  })

  describe('of a member', () => {
    async function keysOf(admin: Person) {
      const make = async (more: object) => {
        const { body } = await admin.browser.post('/api/keys', {
          name: 'K',
          scopes: ['leads:read', 'leads:write'],
          ...more,
        })
        return client(app.url, { authorization: `Bearer ${body.key}` })
      }
      const keys = { own: await make({}), service: await make({ service: 'Export' }) }
      // Seen before, they are known from memory.
      for (const key of Object.values(keys)) expect((await key.get('/api/crm/leads')).status).toBe(200)
      return keys
    }

    test.for(['is removed', 'leaves'])('who %s end then, and those of services stay', async how => {
      const ada = await app.person()
      const admin = await colleagueOf(app, ada, 'ADMIN')
      const { own, service } = await keysOf(admin)
      if (how === 'leaves') await admin.browser.post('/api/team/leave')
      else await ada.browser.delete(`/api/team/members/${admin.user_id}`)
      expect((await own.get('/api/crm/leads')).status).toBe(401)
      expect((await service.get('/api/crm/leads')).status).toBe(200)
      const entries = (await ada.browser.get('/api/team/audit?type=key.revoked')).body.data
      expect(entries).toHaveLength(1)
    })

    test('can do no more than the member can', async () => {
      const ada = await app.person()
      const admin = await colleagueOf(app, ada, 'ADMIN')
      const { own, service } = await keysOf(admin)
      await ada.browser.patch(`/api/team/members/${admin.user_id}`, { role: 'VIEWER' })
      const lead = { first_name: 'Grace', last_name: 'Hopper' }
      expect((await own.get('/api/crm/leads')).status).toBe(200)
      expect((await own.post('/api/crm/leads', lead)).status).toBe(403)
      expect((await service.post('/api/crm/leads', lead)).status).toBe(201)
      await ada.browser.patch(`/api/team/members/${admin.user_id}`, { role: 'ADMIN' })
      expect((await own.post('/api/crm/leads', lead)).status).toBe(201)
    })
  })

  test('a key cannot make keys, only a person can', async () => {
    const ada = await app.person()
    const caller = await ada.key()
    const reply = await caller.post('/api/keys', { name: 'More', scopes: ['leads:read'] })
    expect([reply.status, reply.body.code]).toEqual([403, 'person_required'])
  })
})
