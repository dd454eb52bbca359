import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { client } from '#test/client.ts'
import { startHttps } from '#test/https.ts'
import { authorizeQuery, connect, consent, landed, type OauthClient } from '#test/oauth.ts'
import { inOrder } from '#test/in-order.ts'
import { FakeClock } from '#platform/clock.ts'

inOrder()

const clock = new FakeClock()
let app: TestApp
let person: Person
let web: Awaited<ReturnType<typeof startHttps>>
let documents: Record<string, unknown> = {}
let asked: string[] = []

beforeAll(async () => {
  web = await startHttps((request, response) => {
    asked.push(request.url!)
    const document = documents[request.url!]
    if (document === undefined) return void response.writeHead(404).end()
    response.end(typeof document === 'string' ? document : JSON.stringify(document))
  })
  app = await startApp({ clock, config: { oauthRegistration: true, outboundAllowHosts: ['localhost'] } })
  person = await app.person()
})
afterAll(async () => {
  await app.close()
  await web.close()
})
beforeEach(() => {
  documents = {}
  asked = []
})

const REDIRECT = 'https://selfmade.example.test/cb'

describe('a client that describes itself', () => {
  const address = () => `${web.url}/app.json`
  const described = (changes: Record<string, unknown> = {}) => ({
    client_id: address(),
    client_name: 'Self made',
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'none',
    ...changes,
  })
  const own = (): OauthClient => ({ id: address(), secret: null, redirect_uri: REDIRECT })

  test('is read once, shown as unchecked, and gets its token', async () => {
    documents['/app.json'] = described()
    const page = await person.browser.get(authorizeQuery(own()))
    expect(page.text).toContain('Self made')
    expect(page.text).toContain('Not verified')
    const { api } = await connect(app, person, own())
    expect((await api.get('/api/crm/leads')).status).toBe(200)
    expect(asked).toEqual(['/app.json'])
    clock.advance(3_600_001)
    await person.browser.get(authorizeQuery(own()))
    expect(asked).toEqual(['/app.json', '/app.json'])
  })

  test('that was changed meanwhile is known by its new description', async () => {
    clock.advance(3_600_001)
    documents['/app.json'] = described({ redirect_uris: ['https://selfmade.example.test/new'] })
    expect((await person.browser.get(authorizeQuery(own()))).status).toBe(400)
    const moved = { ...own(), redirect_uri: 'https://selfmade.example.test/new' }
    expect(landed(await consent(person, authorizeQuery(moved, { prompt: 'consent' }))).said.code).toBeTruthy()
  })

  test('a stranger cannot make us read anything: signing in comes first', async () => {
    const reply = await client(app.url).get(authorizeQuery({ ...own(), id: `${web.url}/unseen.json` }))
    expect([reply.status, reply.headers.get('location')?.startsWith('/signin?return_to=')]).toEqual([
      302,
      true,
    ])
    expect(asked).toEqual([])
  })

  const refused: [string, unknown][] = [
    ['no description there', undefined],
    ['no JSON', '<html>'],
    ['a JSON list', '[]'],
    ['the description of another', { ...described, client_id: 'https://other.example/app.json' }],
    ['no redirect_uris', { redirect_uris: undefined }],
    ['an empty list of redirect_uris', { redirect_uris: [] }],
    ['eleven redirect_uris', { redirect_uris: Array.from({ length: 11 }, (_, at) => `${REDIRECT}${at}`) }],
    ['an http redirect_uri', { redirect_uris: [REDIRECT, 'http://selfmade.example.test/cb'] }],
    ['an app’s own scheme', { redirect_uris: [REDIRECT, 'com.example.app:/cb'] }],
    ['a client with a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['more than 5 KiB', `{"x":"${'x'.repeat(5 * 1024)}"}`],
  ]
  test.for(refused)('%s: a page, and no redirect', async ([name, document]) => {
    const path = `/${encodeURIComponent(name)}.json`
    const id = web.url + path
    documents[path] =
      typeof document === 'object' && document !== null ? described({ client_id: id, ...document }) : document
    const reply = await person.browser.get(authorizeQuery({ ...own(), id }))
    expect([reply.status, reply.headers.get('location')]).toEqual([400, null])
    expect(await app.database.query('select id from oauth_clients where id = $1', [id])).toEqual([])
  })

  test.for([
    'https://localhost',
    'https://localhost/',
    'https://localhost/app.json?x=1',
    'https://localhost/app.json#x',
    'https://user@localhost/app.json',
    'https://LOCALHOST/app.json',
    'http://localhost/app.json',
    `https://localhost/${'x'.repeat(500)}`,
  ])('%s is no address of a description', async id => {
    const reply = await person.browser.get(authorizeQuery({ ...own(), id }))
    expect([reply.status, asked]).toEqual([400, []])
  })

  test('an address inside our own network is not read', async () => {
    const reply = await person.browser.get(authorizeQuery({ ...own(), id: 'https://127.0.0.1/app.json' }))
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('not a public address')
  })
})

describe('registration', () => {
  const register = (body: unknown) => client(app.url).post('/api/oauth/register', body)

  test('gives a public client its id, and a confidential one its secret', async () => {
    const open = await register({ client_name: 'Robot', redirect_uris: ['http://127.0.0.1/cb'] })
    expect(open.status, open.text).toBe(201)
    expect(open.body).toMatchObject({
      client_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      client_name: 'Robot',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    })
    expect(open.body.client_secret).toBeUndefined()
    const closed = await register({
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'leads:read unknown:scope',
    })
    expect(closed.body).toMatchObject({ client_secret_expires_at: 0, scope: 'leads:read' })
    const made = { id: closed.body.client_id, secret: closed.body.client_secret, redirect_uri: REDIRECT }
    const { api } = await connect(app, person, made, { scope: 'leads:read' })
    expect((await api.get('/api/crm/leads')).status).toBe(200)
  })

  const refused: [string, unknown, string][] = [
    ['no redirect_uris', {}, 'invalid_redirect_uri'],
    ['an empty list', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['an http address', { redirect_uris: ['http://a.example/cb'] }, 'invalid_redirect_uri'],
    ['an app’s own scheme', { redirect_uris: ['com.example.app:/cb'] }, 'invalid_redirect_uri'],
    ['a fragment', { redirect_uris: ['https://a.example/cb#x'] }, 'invalid_redirect_uri'],
    ['a number', { redirect_uris: [7] }, 'invalid_redirect_uri'],
    ['eleven', { redirect_uris: Array.from({ length: 11 }, () => REDIRECT) }, 'invalid_redirect_uri'],
    ['another grant', { redirect_uris: [REDIRECT], grant_types: ['password'] }, 'invalid_client_metadata'],
    ['implicit', { redirect_uris: [REDIRECT], response_types: ['token'] }, 'invalid_client_metadata'],
    [
      'another proof',
      { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'private_key_jwt' },
      'invalid_client_metadata',
    ],
    ['only unknown scopes', { redirect_uris: [REDIRECT], scope: 'nothing' }, 'invalid_client_metadata'],
    ['a list', [], 'invalid_client_metadata'],
  ]
  test.for(refused)('refuses %s', async ([, body, error]) => {
    const reply = await register(body)
    expect([reply.status, reply.body.error]).toEqual([400, error])
  })

  test('is closed unless the operator opens it, and then not announced', async () => {
    const closed = await startApp({ database: app.database })
    try {
      const reply = await client(closed.url).post('/api/oauth/register', { redirect_uris: [REDIRECT] })
      expect([reply.status, reply.body.error]).toEqual([403, 'access_denied'])
    } finally {
      await closed.close()
    }
    const { body } = await client(app.url).get('/.well-known/oauth-authorization-server')
    expect(body.registration_endpoint).toBe(`${app.url}/api/oauth/register`)
  })

  test('forgets clients that nobody allowed anything within thirty days', async () => {
    const used = (await register({ client_name: 'Used', redirect_uris: [REDIRECT] })).body.client_id
    const idle = (await register({ client_name: 'Idle', redirect_uris: [REDIRECT] })).body.client_id
    await connect(app, await app.person(), { id: used, secret: null, redirect_uri: REDIRECT })
    clock.advance(31 * 86_400_000)
    const cron = client(app.url, { authorization: `Bearer ${app.runtime.settings.cronSecret}` })
    await cron.post('/api/cron/housekeeping')
    const left = await app.database.query<{ id: string }>('select id from oauth_clients')
    expect(left.map(({ id }) => id)).toContain(used)
    expect(left.map(({ id }) => id)).not.toContain(idle)
  })
})
