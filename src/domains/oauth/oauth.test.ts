import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { client } from '#test/client.ts'
import { colleagueOf } from '#test/colleague.ts'
import {
  answerConsent,
  authorizeQuery,
  connect,
  consent,
  FORM,
  getCode,
  landed,
  makeClient,
  tokenRequest,
  type OauthClient,
} from '#test/oauth.ts'
import { FakeClock } from '#platform/clock.ts'

const clock = new FakeClock()
let app: TestApp
let ada: Person
let zap: OauthClient

beforeAll(async () => {
  app = await startApp({ clock })
  ada = await app.person('ada@example.test')
  zap = await makeClient(ada)
})
// Tests move the clock by months, and her session with it.
beforeEach(async () => {
  ada = await app.person('ada@example.test')
})
afterAll(() => app.close())

const LEADS = '/api/crm/leads'
const stranger = () => client(app.url)
const token = (body: unknown) => stranger().post('/api/oauth/token', body)
const refresh = (refresh_token: string, changes: Record<string, unknown> = {}) =>
  token({ grant_type: 'refresh_token', refresh_token, client_id: zap.id, ...changes })
const bearer = (access_token: string) => client(app.url, { authorization: `Bearer ${access_token}` })

describe('the consent page', () => {
  test('shows app, redirect host, account, team and scopes in words, and cannot be framed', async () => {
    const person = await app.person()
    const page = await person.browser.get(authorizeQuery(zap))
    expect(page.status).toBe(200)
    for (const words of [
      'Zap',
      'app.example.test',
      'Read leads, contacts and pipeline data',
      'Deny',
      'Allow',
    ])
      expect(page.text).toContain(words)
    expect(page.text).not.toContain('<script')
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self' https://app.example.test;")
  })

  test('asks once: what was allowed is not asked again, what is new is', async () => {
    const person = await app.person()
    const first = await consent(person, authorizeQuery(zap, { scope: 'leads:read' }))
    expect([first.status, landed(first).said.state, landed(first).said.iss]).toEqual([
      302,
      'a state',
      app.url,
    ])
    const again = await person.browser.get(authorizeQuery(zap, { scope: 'leads:read' }))
    expect([again.status, Boolean(landed(again).said.code)]).toEqual([302, true])
    const more = await person.browser.get(authorizeQuery(zap, { scope: 'leads:read leads:write' }))
    expect(more.status).toBe(200)
    expect(more.text).toContain('Already allowed')
    const forced = await person.browser.get(authorizeQuery(zap, { scope: 'leads:read', prompt: 'consent' }))
    expect(forced.status).toBe(200)
  })

  test('a scope that is unticked is not given', async () => {
    const person = await app.person()
    const reply = await consent(person, authorizeQuery(zap), { ticked: ['leads:read'] })
    const { body } = await token(tokenRequest(zap, landed(reply).said.code!))
    expect(body.scope).toBe('leads:read')
    expect((await bearer(body.access_token).post(LEADS, { first_name: 'No' })).status).toBe(403)
  })

  test('with nothing ticked it asks again, and gives nothing', async () => {
    const person = await app.person()
    const reply = await consent(person, authorizeQuery(zap), { ticked: [] })
    expect([reply.status, reply.text.includes('Select at least one')]).toEqual([422, true])
    expect((await person.browser.get('/api/oauth/grants')).body.data).toEqual([])
  })

  test('a viewer can only give what a viewer may do', async () => {
    const viewer = await colleagueOf(app, await app.person(), 'VIEWER')
    const page = await viewer.browser.get(authorizeQuery(zap))
    expect(page.text).toContain('Your role in this team does not allow it')
    const reply = await answerConsent(viewer.browser, page.text, { ticked: ['leads:read', 'leads:write'] })
    const { body } = await token(tokenRequest(zap, landed(reply).said.code!))
    expect(body.scope).toBe('leads:read')
  })

  test('can be switched to another team of the person', async () => {
    const person = await app.person()
    const { body: team } = await person.browser.post('/api/auth/teams', { name: 'Second' })
    const page = await person.browser.get(authorizeQuery(zap))
    const switched = await answerConsent(person.browser, page.text, { decision: 'switch', team: team.id })
    expect(switched.text).toContain(`<option value="${team.id}" selected>Second`)
    const reply = await answerConsent(person.browser, switched.text, { team: team.id })
    const { body } = await token(tokenRequest(zap, landed(reply).said.code!))
    await bearer(body.access_token).post(LEADS, { first_name: 'Secondary' })
    expect((await person.browser.get(LEADS)).body.data).toHaveLength(0)
    await person.browser.post('/api/auth/team', { teamId: team.id })
    expect((await person.browser.get(LEADS)).body.data).toHaveLength(1)
  })

  test('of a team that was chosen and not switched to, it asks once more', async () => {
    const person = await app.person()
    const { body: team } = await person.browser.post('/api/auth/teams', { name: 'Other' })
    const page = await person.browser.get(authorizeQuery(zap))
    const reply = await answerConsent(person.browser, page.text, { team: team.id })
    expect([reply.status, reply.text.includes('Please review again')]).toEqual([422, true])
  })

  test('a team of somebody else cannot be chosen', async () => {
    const [person, other] = [await app.person(), await app.person()]
    const page = await person.browser.get(authorizeQuery(zap))
    const reply = await answerConsent(person.browser, page.text, { decision: 'switch', team: other.team_id })
    expect(reply.status).toBe(400)
    expect(reply.headers.get('location')).toBeNull()
  })

  test('belongs to who it was shown to: another session cannot answer it, nor the same one an old page', async () => {
    const [person, other] = [await app.person(), await app.person()]
    const page = await person.browser.get(authorizeQuery(zap))
    const taken = await answerConsent(other.browser, page.text)
    expect([taken.status, taken.headers.get('location')]).toEqual([400, null])
    clock.advance(10 * 60_000)
    const late = await answerConsent(person.browser, page.text)
    expect([late.status, late.headers.get('location')]).toEqual([400, null])
    expect(
      await app.database.query('select * from oauth_grants where user_id = $1', [person.user_id]),
    ).toEqual([])
  })

  test('another site cannot answer it', async () => {
    const person = await app.person()
    const page = await person.browser.get(authorizeQuery(zap))
    const { cookie } = person.browser.headers as { cookie: string }
    const foreign = client(app.url, {
      cookie,
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    })
    expect((await answerConsent(foreign, page.text)).status).toBe(403)
  })

  test('tells an app that nobody here has checked', async () => {
    const person = await app.person()
    await app.database.query(`update oauth_clients set source = 'registration' where id = $1`, [zap.id])
    expect((await person.browser.get(authorizeQuery(zap))).text).toContain('Not verified')
    await app.database.query(`update oauth_clients set source = 'team' where id = $1`, [zap.id])
  })

  test('a name that is a script is shown as text', async () => {
    const hostile = await makeClient(ada, { name: '"><script>alert(1)</script>' })
    const page = await (await app.person()).browser.get(authorizeQuery(hostile))
    expect(page.text).not.toContain('<script>alert')
  })
})

describe('who sits at the browser', () => {
  test('after A signs out and B signs in, the same request gives B a token and A none', async () => {
    const [a, b] = [await app.person(), await app.person()]
    await connect(app, a, zap)
    await a.browser.post('/api/auth/signout')
    const asA = await a.browser.get(authorizeQuery(zap))
    expect(
      landed({ ...asA, headers: new Headers({ location: app.url + asA.headers.get('location') }) }).pathname,
    ).toBe('/signin')
    const asB = await b.browser.get(authorizeQuery(zap))
    expect(asB.status).toBe(200)
    const reply = await answerConsent(b.browser, asB.text)
    const { body } = await token(tokenRequest(zap, landed(reply).said.code!))
    expect(body.user_id).toBe(b.user_id)
  })

  test('who is not signed in comes back to the request after signing in', async () => {
    const reply = await stranger().get(authorizeQuery(zap))
    const location = new URL(reply.headers.get('location')!, app.url)
    expect([reply.status, location.pathname]).toEqual([302, '/signin'])
    expect(location.searchParams.get('return_to')).toMatch(/^\/api\/oauth\/authorize\?/)
  })

  test('prompt=none never shows a page', async () => {
    const person = await app.person()
    const out = landed(await stranger().get(authorizeQuery(zap, { prompt: 'none' })))
    expect(out.said.error).toBe('login_required')
    const asked = landed(await person.browser.get(authorizeQuery(zap, { prompt: 'none' })))
    expect(asked.said.error).toBe('consent_required')
    await connect(app, person, zap)
    expect(landed(await person.browser.get(authorizeQuery(zap, { prompt: 'none' }))).said.code).toBeTruthy()
  })
})

describe('tokens', () => {
  test('the answer is exactly what the specification names', async () => {
    const person = await app.person()
    const reply = await token(tokenRequest(zap, await getCode(person, zap)))
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      access_token: expect.stringMatching(/^rpa_[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^rpr_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'leads:read leads:write',
      user_id: person.user_id,
    })
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('a form serves as well as JSON, and a confidential client proves itself by Basic or in the body', async () => {
    const person = await app.person()
    const server = await makeClient(ada, { confidential: true })
    const basic = `Basic ${Buffer.from(`${server.id}:${server.secret}`).toString('base64')}`
    const { client_secret: _, ...bare } = tokenRequest(server, await getCode(person, server))
    const form = new URLSearchParams(bare as Record<string, string>).toString()
    const byBasic = await stranger().raw('POST', '/api/oauth/token', form, { ...FORM, authorization: basic })
    expect(byBasic.status, byBasic.text).toBe(200)
    const byBody = await token(tokenRequest(server, await getCode(person, server)))
    expect(byBody.status).toBe(200)
  })

  test('nothing that opens a door is stored as it is', async () => {
    const person = await app.person()
    const code = await getCode(person, zap)
    const { body } = await token(tokenRequest(zap, code))
    await refresh(body.refresh_token)
    const tables = ['oauth_codes', 'oauth_tokens', 'oauth_clients', 'events']
    for (const table of tables) {
      const text = JSON.stringify(await app.database.query(`select * from ${table}`))
      for (const secret of [code, body.access_token, body.refresh_token]) expect(text).not.toContain(secret)
    }
  })

  test('an access token acts in the name of the person, as the app, until it runs out', async () => {
    const person = await app.person()
    const { api } = await connect(app, person, zap)
    const made = await api.post(LEADS, { first_name: 'By app' })
    expect(made.status).toBe(201)
    const [event] = await app.database.query<{ actor_kind: string; actor_name: string }>(
      `select actor_kind, actor_name from events where type = 'lead.created' and subject_id = $1`,
      [made.body.id],
    )
    expect(event).toEqual({ actor_kind: 'app', actor_name: expect.stringMatching(/^Zap for Person/) })
    clock.advance(3_600_000 - 1_000)
    expect((await api.get(LEADS)).status).toBe(200)
    clock.advance(1_000)
    const late = await api.get(LEADS)
    expect([late.status, late.body.code]).toEqual([401, 'invalid_token'])
    expect(late.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(late.headers.get('www-authenticate')).toContain('/.well-known/oauth-protected-resource')
  })

  test('an app is no person: it cannot make keys, apps or look at sessions', async () => {
    const { api } = await connect(app, await app.person(), zap)
    for (const path of ['/api/keys', '/api/oauth/clients', '/api/oauth/grants', '/api/auth/sessions'])
      expect((await api.get(path)).body.code).toBe('person_required')
  })

  test('refreshing rotates: a new pair each time, and the old access token lives to its end', async () => {
    const first = await connect(app, await app.person(), zap)
    const { body: second } = await refresh(first.refresh_token)
    const { body: third } = await refresh(second.refresh_token)
    expect(
      new Set([first, second, third].flatMap(pair => [pair.access_token, pair.refresh_token])).size,
    ).toBe(6)
    for (const pair of [first, second, third])
      expect((await bearer(pair.access_token).get(LEADS)).status).toBe(200)
    expect(third.scope).toBe('leads:read leads:write')
  })

  test('a narrower scope is given for once: the next refresh may have everything again', async () => {
    const first = await connect(app, await app.person(), zap)
    const { body: narrow } = await refresh(first.refresh_token, { scope: 'leads:read' })
    expect(narrow.scope).toBe('leads:read')
    expect((await bearer(narrow.access_token).post(LEADS, { first_name: 'No' })).status).toBe(403)
    const { body: wide } = await refresh(narrow.refresh_token)
    expect(wide.scope).toBe('leads:read leads:write')
  })

  test('a retry within thirty seconds is told the same pair; later, the whole family ends', async () => {
    const first = await connect(app, await app.person(), zap)
    const { body: second } = await refresh(first.refresh_token)
    clock.advance(29_000)
    const retry = await refresh(first.refresh_token)
    expect(retry.body).toEqual({ ...second, expires_in: 3571 })
    clock.advance(1_000)
    const replay = await refresh(first.refresh_token)
    expect([replay.status, replay.body.error]).toEqual([400, 'invalid_grant'])
    for (const pair of [first, second]) expect((await bearer(pair.access_token).get(LEADS)).status).toBe(401)
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('replaying a code ends what came of it, and nothing else', async () => {
    const person = await app.person()
    const other = await connect(app, person, zap)
    const code = await getCode(person, zap)
    const { body } = await token(tokenRequest(zap, code))
    expect((await bearer(body.access_token).get(LEADS)).status).toBe(200)
    const replay = await token(tokenRequest(zap, code))
    expect([replay.status, replay.body.error]).toEqual([400, 'invalid_grant'])
    expect((await bearer(body.access_token).get(LEADS)).status).toBe(401)
    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant')
    expect((await other.api.get(LEADS)).status).toBe(200)
  })

  test('a replay without the right verifier ends nothing', async () => {
    const code = await getCode(await app.person(), zap)
    const { body } = await token(tokenRequest(zap, code))
    await token(tokenRequest(zap, code, { code_verifier: 'x'.repeat(50) }))
    await token(tokenRequest(zap, code, { redirect_uri: 'https://app.example.test/other' }))
    expect((await bearer(body.access_token).get(LEADS)).status).toBe(200)
  })

  test('a refresh token lives ninety days from its last rotation', async () => {
    const first = await connect(app, await app.person(), zap)
    clock.advance(89 * 86_400_000)
    const { body: second } = await refresh(first.refresh_token)
    clock.advance(89 * 86_400_000)
    const third = await refresh(second.refresh_token)
    expect(third.status).toBe(200)
    clock.advance(90 * 86_400_000)
    expect((await refresh(third.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('resource is the audience: a token for one part of us is worth nothing in another', async () => {
    const person = await app.person()
    const whole = await connect(app, person, zap, { resource: app.url })
    expect((await whole.api.get(LEADS)).status).toBe(200)
    const part = await connect(app, person, zap, { resource: `${app.url}/api/crm` })
    expect((await part.api.get(LEADS)).status).toBe(200)
    const other = await connect(app, person, zap, { resource: `${app.url}/api/cr` })
    const reply = await other.api.get(LEADS)
    expect([reply.status, reply.body.code]).toEqual([401, 'invalid_token'])
  })
})

test('an Idempotency-Key of an app counts for the person it acts for, and not for the next one', async () => {
  const team = await app.person()
  const shared = await makeClient(team)
  const people = [team, await colleagueOf(app, team, 'MEMBER')]
  const created = []
  for (const person of people) {
    const { api } = await connect(app, person, shared, { scope: 'leads:write' })
    const send = () => api.post(LEADS, { first_name: 'Own' }, { 'idempotency-key': 'same for all' })
    const [first, again] = [await send(), await send()]
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null])
    expect(again.body.id).toBe(first.body.id)
    created.push(first.body.id)
  }
  expect(new Set(created).size).toBe(2)
})

describe('ending it', () => {
  test('a revoked refresh token takes its access tokens along; a revoked access token goes alone', async () => {
    const person = await app.person()
    const revoke = (value: string) =>
      stranger().post('/api/oauth/revoke', { token: value, client_id: zap.id })
    const one = await connect(app, person, zap)
    expect((await one.api.get(LEADS)).status).toBe(200)
    expect((await revoke(one.access_token)).status).toBe(200)
    expect((await one.api.get(LEADS)).status).toBe(401)
    const { body: next } = await refresh(one.refresh_token)
    expect((await bearer(next.access_token).get(LEADS)).status).toBe(200)
    expect((await revoke(next.refresh_token)).status).toBe(200)
    expect((await bearer(next.access_token).get(LEADS)).status).toBe(401)
    expect((await revoke('rpa_never-was')).status).toBe(200)
  })

  test('introspection tells a confidential client about its own tokens', async () => {
    const person = await app.person()
    const server = await makeClient(ada, { confidential: true })
    const { access_token, refresh_token } = await connect(app, person, server)
    const ask = (value: string, by = server) =>
      stranger().post('/api/oauth/introspect', { token: value, client_id: by.id, client_secret: by.secret })
    expect((await ask(access_token)).body).toEqual({
      active: true,
      scope: 'leads:read leads:write',
      client_id: server.id,
      username: expect.stringContaining('@example.test'),
      sub: person.user_id,
      iss: app.url,
      aud: app.url,
      iat: expect.any(Number),
      exp: expect.any(Number),
      token_type: 'Bearer',
    })
    expect((await ask(refresh_token)).body).toMatchObject({ active: true, client_id: server.id })
    const other = await makeClient(ada, { confidential: true })
    expect((await ask(access_token, other)).body).toEqual({ active: false })
    expect((await ask('rpa_nothing')).body).toEqual({ active: false })
    clock.advance(3_600_000)
    expect((await ask(access_token)).body).toEqual({ active: false })
  })

  test('disconnecting an app ends its tokens at the next request', async () => {
    const person = await app.person()
    const { api, refresh_token } = await connect(app, person, zap)
    expect((await api.get(LEADS)).status).toBe(200)
    const { body } = await person.browser.get('/api/oauth/grants')
    expect(body.data).toMatchObject([
      {
        client: { id: zap.id, name: 'Zap' },
        scopes: ['leads:read', 'leads:write'],
        last_used_at: new Date(clock.now()).toISOString(),
      },
    ])
    expect((await person.browser.delete(`/api/oauth/grants/${body.data[0].id}`)).status).toBe(204)
    expect((await api.get(LEADS)).status).toBe(401)
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
    expect((await person.browser.get(authorizeQuery(zap))).status).toBe(200)
  })

  test('an administrator sees and ends what others connected; a member sees only its own', async () => {
    const admin = await app.person()
    const member = await colleagueOf(app, admin, 'MEMBER')
    const { api } = await connect(app, member, zap)
    expect((await admin.browser.get('/api/oauth/grants')).body.data).toEqual([])
    const { body } = await admin.browser.get('/api/oauth/grants?of=team')
    expect(body.data).toHaveLength(1)
    expect((await member.browser.get('/api/oauth/grants?of=team')).status).toBe(403)
    const third = await colleagueOf(app, admin, 'MEMBER')
    expect((await third.browser.delete(`/api/oauth/grants/${body.data[0].id}`)).status).toBe(404)
    expect((await admin.browser.delete(`/api/oauth/grants/${body.data[0].id}`)).status).toBe(204)
    expect((await api.get(LEADS)).status).toBe(401)
  })

  test('who leaves the team takes the apps along; who is lowered, lowers them', async () => {
    const admin = await app.person()
    const member = await colleagueOf(app, admin, 'MEMBER')
    const { api } = await connect(app, member, zap)
    expect((await api.post(LEADS, { first_name: 'Yes' })).status).toBe(201)
    await admin.browser.patch(`/api/team/members/${member.user_id}`, { role: 'VIEWER' })
    expect((await api.post(LEADS, { first_name: 'No' })).body.code).toBe('insufficient_scope')
    expect((await api.get(LEADS)).status).toBe(200)
    await admin.browser.delete(`/api/team/members/${member.user_id}`)
    expect((await api.get(LEADS)).status).toBe(401)
  })

  test('an app that may ask for less keeps no more, and a deleted one nothing', async () => {
    const own = await makeClient(ada)
    const { api, refresh_token } = await connect(app, await app.person(), own)
    expect((await api.post(LEADS, { first_name: 'Yes' })).status).toBe(201)
    const less = await ada.browser.patch(`/api/oauth/clients/${own.id}`, { scopes: ['leads:read'] })
    expect(less.status, less.text).toBe(200)
    expect((await api.post(LEADS, { first_name: 'No' })).body.code).toBe('insufficient_scope')
    expect((await api.get(LEADS)).status).toBe(200)
    await ada.browser.delete(`/api/oauth/clients/${own.id}`)
    expect((await api.get(LEADS)).status).toBe(401)
    const gone = await token({ grant_type: 'refresh_token', refresh_token, client_id: own.id })
    expect([gone.status, gone.body.error]).toEqual([401, 'invalid_client'])
  })

  test('unticking what was allowed before takes it from the tokens that are out', async () => {
    const person = await app.person()
    const { api } = await connect(app, person, zap)
    expect((await api.post(LEADS, { first_name: 'Yes' })).status).toBe(201)
    await consent(person, authorizeQuery(zap, { prompt: 'consent' }), { ticked: ['leads:read'] })
    expect((await api.post(LEADS, { first_name: 'No' })).body.code).toBe('insufficient_scope')
  })

  test('housekeeping forgets the pair a refresh token was exchanged for, once nobody may ask again', async () => {
    const { refresh_token } = await connect(app, await app.person(), zap)
    await refresh(refresh_token)
    const kept = async () =>
      (await app.database.query('select hash from oauth_codes, oauth_tokens where successor is not null'))
        .length
    expect(await kept()).toBeGreaterThan(0)
    clock.advance(30_001)
    const cron = client(app.url, { authorization: `Bearer ${app.runtime.settings.cronSecret}` })
    await cron.post('/api/cron/housekeeping')
    expect(await kept()).toBe(0)
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
  })

  test('housekeeping forgets what has run out', async () => {
    await connect(app, await app.person(), zap)
    clock.advance(91 * 86_400_000)
    const cron = client(app.url, { authorization: `Bearer ${app.runtime.settings.cronSecret}` })
    expect((await cron.post('/api/cron/housekeeping')).body.processed.expired_tokens).toBeGreaterThan(1)
    for (const table of ['oauth_codes', 'oauth_tokens'])
      expect(await app.database.query(`select * from ${table}`)).toEqual([])
  })
})

describe('looking after apps', () => {
  test('a secret is shown once, rotated at once, and refused for a public app', async () => {
    const person = await app.person()
    const server = await makeClient(ada, { confidential: true })
    const listed = await ada.browser.get('/api/oauth/clients')
    expect(listed.text).not.toContain(server.secret)
    const { body } = await ada.browser.post(`/api/oauth/clients/${server.id}/secret`)
    const old = await token(tokenRequest(server, await getCode(person, server)))
    expect([old.status, old.body.error]).toEqual([401, 'invalid_client'])
    const fresh = { ...server, secret: body.client_secret }
    expect((await token(tokenRequest(fresh, await getCode(person, fresh)))).status).toBe(200)
    const refused = await ada.browser.post(`/api/oauth/clients/${zap.id}/secret`)
    expect([refused.status, refused.body.code]).toEqual([409, 'public_client'])
  })

  test.for([
    'http://app.example.test/cb',
    'https://app.example.test/cb#part',
    'https://user@app.example.test/cb',
    'https://app.example.test\\@evil.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://*.example.test/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://127.0.0.1@evil.example/cb',
    'https://app.example.test/cb"onload',
    'https:app.example.test/cb',
    `https://app.example.test/${'x'.repeat(2000)}`,
  ])('the redirect URI %s is refused', async uri => {
    const reply = await ada.browser.post('/api/oauth/clients', { name: 'Bad', redirect_uris: [uri] })
    expect([reply.status, reply.body.errors?.[0].path]).toEqual([422, 'redirect_uris[0]'])
  })

  test.for([
    'https://app.example.test',
    'http://127.0.0.1/cb',
    'http://[::1]:8080/cb?x=1',
    'http://localhost:3000/',
    'com.example.app:/cb',
  ])('the redirect URI %s is fine', async uri => {
    const reply = await ada.browser.post('/api/oauth/clients', { name: 'Good', redirect_uris: [uri] })
    expect(reply.status, reply.text).toBe(201)
  })

  test('every change is in the audit log, with what was before and after', async () => {
    const person = await app.person()
    const own = await makeClient(person, { confidential: true })
    await person.browser.patch(`/api/oauth/clients/${own.id}`, { name: 'Renamed' })
    await person.browser.post(`/api/oauth/clients/${own.id}/secret`)
    await connect(app, person, zap)
    await person.browser.delete(`/api/oauth/clients/${own.id}`)
    const { body, text } = await person.browser.get('/api/team/audit?subject_kind=app&subject_kind=grant')
    expect(body.data.map((entry: { type: string }) => entry.type)).toEqual([
      'app.deleted',
      'app.connected',
      'app.secret_rotated',
      'app.changed',
      'app.created',
    ])
    expect(body.data[3].data).toMatchObject({ before: { name: 'Zap' }, after: { name: 'Renamed' } })
    expect(text).not.toContain(own.secret)
  })
})

describe('metadata', () => {
  test('discovery names what is there, and a registration endpoint only where it is open', async () => {
    const { body, headers } = await stranger().get('/.well-known/oauth-authorization-server')
    expect(body).toMatchObject({
      issuer: app.url,
      token_endpoint: `${app.url}/api/oauth/token`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    })
    expect(body.registration_endpoint).toBeUndefined()
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const resource = await stranger().get('/.well-known/oauth-protected-resource')
    expect(resource.body).toMatchObject({ resource: app.url, authorization_servers: [app.url] })
  })

  test('a page of another site may ask for tokens: the preflight allows it', async () => {
    const reply = await stranger().raw('OPTIONS', '/api/oauth/token', undefined, {
      origin: 'https://spa.example',
      'access-control-request-method': 'POST',
    })
    expect(reply.status).toBe(204)
    expect(reply.headers.get('access-control-allow-methods')).toBe('POST')
    const asked = await stranger().post('/api/oauth/token', {}, { origin: 'https://spa.example' })
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([400, '*'])
  })
})
