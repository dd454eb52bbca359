import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type Person } from '#test/app.ts'
import { client, type Reply } from '#test/client.ts'
import {
  authorizeQuery,
  CALLBACK,
  CHALLENGE,
  connect,
  consent,
  FORM,
  getCode,
  landed,
  makeClient,
  tokenRequest,
  VERIFIER,
  type Asking,
  type OauthClient,
} from '#test/oauth.ts'
import { watchWrites } from '#test/writes.ts'
import { FakeClock } from '#platform/clock.ts'

/** Every way to be refused, each with the exact status and word, and whether the browser is sent back to the client. */
const clock = new FakeClock()
// Without a worker, so that only requests change rows.
const app = await startApp({ role: 'api', clock })
afterAll(() => app.close())

const writes = await watchWrites(app.database)
const ada = await app.person('ada@example.test')
const zap = await makeClient(ada, {
  redirect_uris: [CALLBACK, 'http://127.0.0.1:7000/cb', `${CALLBACK}?x=1`],
})
const narrow = await makeClient(ada, { scopes: ['leads:read'] })
const server = await makeClient(ada, { confidential: true })
let person: Person
beforeEach(async () => {
  person = await app.person()
})

const stranger = client(app.url)

describe('a fault in the client or its redirect_uri is shown, and never redirects', () => {
  const rows: [string, Asking][] = [
    ['no client_id', { client_id: undefined }],
    ['an empty client_id', { client_id: '' }],
    ['a client_id nobody has', { client_id: 'f'.repeat(24) }],
    ['a client_id twice', { client_id: [zap.id, zap.id] }],
    ['two client_ids', { client_id: [zap.id, narrow.id] }],
    ['a client_id in capitals', { client_id: zap.id.toUpperCase() }],
    ['no redirect_uri', { redirect_uri: undefined }],
    ['an empty redirect_uri', { redirect_uri: '' }],
    ['the redirect_uri twice', { redirect_uri: [CALLBACK, CALLBACK] }],
    ['a registered and a foreign redirect_uri', { redirect_uri: [CALLBACK, 'https://evil.example/'] }],
    ['a foreign redirect_uri', { redirect_uri: 'https://evil.example/callback' }],
    ['a slash more', { redirect_uri: `${CALLBACK}/` }],
    ['a path below', { redirect_uri: `${CALLBACK}/../callback` }],
    ['another case', { redirect_uri: 'https://APP.example.test/callback' }],
    ['a port more', { redirect_uri: 'https://app.example.test:443/callback' }],
    ['http instead of https', { redirect_uri: 'http://app.example.test/callback' }],
    ['another query', { redirect_uri: `${CALLBACK}?x=2` }],
    ['a fragment', { redirect_uri: `${CALLBACK}#here` }],
    ['a subdomain', { redirect_uri: 'https://evil.app.example.test/callback' }],
    ['a longer host', { redirect_uri: 'https://app.example.test.evil.example/callback' }],
    ['a user name', { redirect_uri: 'https://app.example.test@evil.example/callback' }],
    ['a backslash', { redirect_uri: 'https://app.example.test\\@evil.example/callback' }],
    ['an encoded letter', { redirect_uri: 'https://app.example.test/%63allback' }],
    ['white space around it', { redirect_uri: ` ${CALLBACK}` }],
    ['loopback with another path', { redirect_uri: 'http://127.0.0.1:7000/other' }],
    ['loopback at a port that there is none', { redirect_uri: 'http://127.0.0.1:99999/cb' }],
    ['another loopback address', { redirect_uri: 'http://127.0.0.2:7000/cb' }],
    ['a host that begins like loopback', { redirect_uri: 'http://127.0.0.1.evil.example:7000/cb' }],
    ['a user name that looks like loopback', { redirect_uri: 'http://127.0.0.1:7000@evil.example/cb' }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
    ['another client’s redirect_uri', { client_id: narrow.id, redirect_uri: 'http://127.0.0.1:7000/cb' }],
  ]
  test.for(rows)('%s', async ([, changes]) => {
    for (const browser of [person.browser, stranger]) {
      await writes.forget()
      const reply = await browser.get(authorizeQuery(zap, changes))
      expect(reply.status).toBe(400)
      expect(reply.headers.get('location')).toBeNull()
      expect(reply.headers.get('content-type')).toContain('text/html')
      expect(reply.text).not.toContain('evil.example')
      expect(await writes.made()).toEqual([])
    }
  })

  test('loopback may differ in its port', async () => {
    const path = authorizeQuery(zap, { redirect_uri: 'http://127.0.0.1:51234/cb' })
    expect(landed(await consent(person, path)).host).toBe('127.0.0.1:51234')
  })
})

describe('every other fault of an authorization request goes back to the client', () => {
  const rows: [string, Asking, string][] = [
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['response_type=token', { response_type: 'token' }, 'unsupported_response_type'],
    ['response_type=code token', { response_type: 'code token' }, 'unsupported_response_type'],
    ['response_type twice', { response_type: ['code', 'code'] }, 'invalid_request'],
    ['no state', { state: undefined }, 'invalid_request'],
    ['an empty state', { state: '' }, 'invalid_request'],
    ['a state of 1,001 characters', { state: 'x'.repeat(1001) }, 'invalid_request'],
    ['two states', { state: ['a', 'b'] }, 'invalid_request'],
    ['no code_challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a code_challenge of 42 characters', { code_challenge: CHALLENGE.slice(1) }, 'invalid_request'],
    ['a code_challenge of 44 characters', { code_challenge: `${CHALLENGE}A` }, 'invalid_request'],
    ['a code_challenge with padding', { code_challenge: `${CHALLENGE}=` }, 'invalid_request'],
    ['a code_challenge in plain base64', { code_challenge: `+${CHALLENGE.slice(1)}` }, 'invalid_request'],
    ['two code_challenges', { code_challenge: [CHALLENGE, CHALLENGE] }, 'invalid_request'],
    ['no code_challenge_method', { code_challenge_method: undefined }, 'invalid_request'],
    ['code_challenge_method=plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['code_challenge_method=s256', { code_challenge_method: 's256' }, 'invalid_request'],
    ['code_challenge_method=S512', { code_challenge_method: 'S512' }, 'invalid_request'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['an empty scope', { scope: ' ' }, 'invalid_scope'],
    ['an unknown scope', { scope: 'leads:read everything' }, 'invalid_scope'],
    ['a scope that only looks known', { scope: '__proto__' }, 'invalid_scope'],
    ['two scope parameters', { scope: ['leads:read', 'leads:write'] }, 'invalid_request'],
    ['a resource elsewhere', { resource: 'https://other.example/' }, 'invalid_target'],
    ['a resource that only begins like us', { resource: `${app.url}.evil.example/` }, 'invalid_target'],
    ['a resource with a fragment', { resource: `${app.url}/#x` }, 'invalid_target'],
    ['two resources', { resource: [app.url, app.url] }, 'invalid_request'],
    ['a request object', { request: 'eyJ' }, 'request_not_supported'],
    ['a request_uri', { request_uri: 'https://evil.example/r' }, 'request_uri_not_supported'],
    ['response_mode=fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['prompt=login', { prompt: 'login' }, 'invalid_request'],
    ['a parameter of another’s twice', { extra: ['1', '2'] }, 'invalid_request'],
  ]
  test.for(rows)('%s', async ([, changes, error]) => {
    for (const browser of [person.browser, stranger]) {
      await writes.forget()
      const reply = await browser.get(authorizeQuery(zap, changes))
      expect(reply.status).toBe(302)
      const to = landed(reply)
      expect(to.origin + to.pathname).toBe(CALLBACK)
      const state = 'state' in changes ? [changes.state].flat()[0] || undefined : 'a state'
      expect(to.said).toEqual({
        error,
        error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
        iss: app.url,
        ...(state !== undefined && !Array.isArray(changes.state) && { state }),
      })
      expect(await writes.made()).toEqual([])
    }
  })

  test('a scope the client may not ask for', async () => {
    const to = landed(await person.browser.get(authorizeQuery(narrow, { scope: 'leads:read leads:write' })))
    expect(to.said).toMatchObject({ error: 'invalid_scope', state: 'a state', iss: app.url })
  })

  test('the person says no', async () => {
    const reply = await consent(person, authorizeQuery(zap), { decision: 'deny' })
    expect([reply.status, landed(reply).origin + landed(reply).pathname]).toEqual([302, CALLBACK])
    expect(landed(reply).said).toMatchObject({ error: 'access_denied', state: 'a state', iss: app.url })
    expect(landed(reply).said.code).toBeUndefined()
  })

  test('a redirect_uri with a query of its own keeps it', async () => {
    const path = authorizeQuery(zap, { redirect_uri: `${CALLBACK}?x=1`, scope: 'nothing' })
    expect(landed(await person.browser.get(path)).said).toMatchObject({ x: '1', error: 'invalid_scope' })
  })
})

type Refused = { status: number; error: string }
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  stranger.post(path, body, headers)
const raw = (body: string, headers: Record<string, string>) =>
  stranger.raw('POST', '/api/oauth/token', body, headers)
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})
const invalidRequest = { status: 400, error: 'invalid_request' }
const invalidGrant = { status: 400, error: 'invalid_grant' }
const invalidClient = { status: 401, error: 'invalid_client' }

/** The answer is RFC 6749's, is not to be kept, and nothing was written. */
async function expectRefusal(ask: () => Promise<Reply>, { status, error }: Refused): Promise<Reply> {
  await writes.forget()
  const reply = await ask()
  expect([reply.status, reply.body?.error], reply.text).toEqual([status, error])
  expect(Object.keys(reply.body)).toEqual(['error', 'error_description'])
  expect(reply.headers.get('content-type')).toContain('application/json')
  expect(reply.headers.get('cache-control')).toBe('no-store')
  expect(reply.headers.get('location')).toBeNull()
  if (status === 401) expect(reply.headers.get('www-authenticate')).toMatch(/^Basic /)
  expect(await writes.made()).toEqual([])
  return reply
}

describe('an exchange of a code is refused', () => {
  type Changes = Record<string, unknown>
  const rows: [string, OauthClient, Changes, Refused][] = [
    ['without grant_type', zap, { grant_type: undefined }, invalidRequest],
    [
      'grant_type=password',
      zap,
      { grant_type: 'password' },
      { status: 400, error: 'unsupported_grant_type' },
    ],
    [
      'grant_type=client_credentials',
      zap,
      { grant_type: 'client_credentials' },
      { status: 400, error: 'unsupported_grant_type' },
    ],
    [
      'grant_type=constructor',
      zap,
      { grant_type: 'constructor' },
      { status: 400, error: 'unsupported_grant_type' },
    ],
    ['a grant_type that is no text', zap, { grant_type: ['authorization_code'] }, invalidRequest],
    ['without code', zap, { code: undefined }, invalidRequest],
    ['an empty code', zap, { code: '' }, invalidRequest],
    ['a code that is a number', zap, { code: 7 }, invalidRequest],
    ['a code nobody has', zap, { code: 'rpc_nothing' }, invalidGrant],
    ['without redirect_uri', zap, { redirect_uri: undefined }, invalidRequest],
    ['another redirect_uri of the client', zap, { redirect_uri: `${CALLBACK}?x=1` }, invalidGrant],
    ['a foreign redirect_uri', zap, { redirect_uri: 'https://evil.example/' }, invalidGrant],
    ['without code_verifier', zap, { code_verifier: undefined }, invalidRequest],
    ['a verifier of 42 characters', zap, { code_verifier: 'x'.repeat(42) }, invalidRequest],
    ['a verifier of 129 characters', zap, { code_verifier: 'x'.repeat(129) }, invalidRequest],
    ['a verifier with other characters', zap, { code_verifier: `${VERIFIER}+` }, invalidRequest],
    ['a wrong verifier of 43 characters', zap, { code_verifier: 'x'.repeat(43) }, invalidGrant],
    ['a wrong verifier of 128 characters', zap, { code_verifier: 'x'.repeat(128) }, invalidGrant],
    ['the challenge in the place of the verifier', zap, { code_verifier: CHALLENGE }, invalidGrant],
    ['without client_id', zap, { client_id: undefined }, invalidRequest],
    ['a client nobody knows', zap, { client_id: 'f'.repeat(24) }, invalidClient],
    ['another client’s code', zap, { client_id: narrow.id }, invalidGrant],
    ['a secret of a public client', zap, { client_secret: 'rps_something' }, invalidClient],
    ['no secret of a confidential client', server, { client_secret: undefined }, invalidClient],
    ['a wrong secret', server, { client_secret: `${server.secret}x` }, invalidClient],
    ['the hash of the secret', server, { client_secret: 'a'.repeat(64) }, invalidClient],
    ['another resource', zap, { resource: `${app.url}/api` }, { status: 400, error: 'invalid_target' }],
  ]
  test.for(rows)('%s', async ([, by, changes, refused]) => {
    const code = await getCode(person, by)
    await expectRefusal(() => post('/api/oauth/token', tokenRequest(by, code, changes)), refused)
    // It did no harm: the right request still works.
    expect((await post('/api/oauth/token', tokenRequest(by, code))).status).toBe(200)
  })

  test('after sixty seconds, and not before', async () => {
    const [early, late] = [await getCode(person, zap), await getCode(person, zap)]
    clock.advance(59_999)
    expect((await post('/api/oauth/token', tokenRequest(zap, early))).status).toBe(200)
    clock.advance(1)
    await expectRefusal(() => post('/api/oauth/token', tokenRequest(zap, late)), invalidGrant)
  })

  test('a second time, and the tokens of the first end', async () => {
    const code = await getCode(person, zap)
    const { body } = await post('/api/oauth/token', tokenRequest(zap, code))
    const again = await post('/api/oauth/token', tokenRequest(zap, code))
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
    const api = client(app.url, { authorization: `Bearer ${body.access_token}` })
    expect((await api.get('/api/crm/leads')).status).toBe(401)
  })

  test('a second time long after it ran out: the tokens end all the same', async () => {
    const code = await getCode(person, zap)
    const { body } = await post('/api/oauth/token', tokenRequest(zap, code))
    clock.advance(600_000)
    expect((await post('/api/oauth/token', tokenRequest(zap, code))).body.error).toBe('invalid_grant')
    const api = client(app.url, { authorization: `Bearer ${body.access_token}` })
    expect((await api.get('/api/crm/leads')).status).toBe(401)
  })
})

describe('a token request that cannot be read is refused', () => {
  const fields = () => new URLSearchParams({ ...tokenRequest(zap, 'rpc_x') } as Record<string, string>)
  const json = { 'content-type': 'application/json' }
  const rows: [string, () => Promise<Reply>, Refused][] = [
    ['no body', () => raw('', json), invalidRequest],
    ['broken JSON', () => raw('{"grant_type":', json), invalidRequest],
    ['a JSON list', () => raw('[]', json), invalidRequest],
    ['a JSON word', () => raw('"authorization_code"', json), invalidRequest],
    ['a parameter twice in a form', () => raw(`${fields().toString()}&code=other`, FORM), invalidRequest],
    [
      'no UTF-8',
      () => stranger.raw('POST', '/api/oauth/token', new Uint8Array([0x67, 0xff]), FORM),
      invalidRequest,
    ],
    [
      'another kind of body',
      () => raw('<xml/>', { 'content-type': 'application/xml' }),
      { status: 415, error: 'invalid_request' },
    ],
    [
      'a body that is too large',
      () => raw(`grant_type=${'x'.repeat(1024 * 1024)}`, FORM),
      { status: 413, error: 'invalid_request' },
    ],
    [
      'HTTP Basic and a secret in the body',
      () => post('/api/oauth/token', tokenRequest(server, 'rpc_x'), basic(server.id, server.secret!)),
      invalidRequest,
    ],
    [
      'HTTP Basic for another client',
      () => post('/api/oauth/token', { ...tokenRequest(zap, 'rpc_x') }, basic(server.id, server.secret!)),
      invalidRequest,
    ],
    [
      'HTTP Basic that is none',
      () => post('/api/oauth/token', tokenRequest(zap, 'rpc_x'), { authorization: 'Basic ???' }),
      invalidClient,
    ],
    [
      'a bearer in the place of Basic',
      () => post('/api/oauth/token', tokenRequest(zap, 'rpc_x'), { authorization: 'Bearer x' }),
      invalidClient,
    ],
    [
      'a wrong secret by Basic',
      () => {
        const { client_secret: _, ...rest } = tokenRequest(server, 'rpc_x') as Record<string, unknown>
        return post('/api/oauth/token', rest, basic(server.id, 'wrong'))
      },
      invalidClient,
    ],
  ]
  test.for(rows)('%s', async ([, ask, refused]) => {
    await expectRefusal(ask, refused)
  })

  test('GET is no way to get a token', async () => {
    const reply = await stranger.get('/api/oauth/token')
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })
})

describe('a refresh is refused', () => {
  type Changes = Record<string, unknown>
  const rows: [string, Changes, Refused][] = [
    ['without refresh_token', { refresh_token: undefined }, invalidRequest],
    ['a token nobody has', { refresh_token: 'rpr_nothing' }, invalidGrant],
    ['another client’s token', { client_id: narrow.id }, invalidGrant],
    ['a client nobody knows', { client_id: 'nobody' }, invalidClient],
    ['more than was granted', { scope: 'leads:read accounts:read' }, { status: 400, error: 'invalid_scope' }],
    ['a scope that does not exist', { scope: 'leads:everything' }, { status: 400, error: 'invalid_scope' }],
    ['no scope at all', { scope: ' ' }, { status: 400, error: 'invalid_scope' }],
    ['another resource', { resource: 'https://other.example' }, { status: 400, error: 'invalid_target' }],
    ['with a secret nobody gave it', { client_secret: 'x' }, invalidClient],
  ]
  test.for(rows)('%s', async ([, changes, refused]) => {
    const { refresh_token } = await connect(app, person, zap)
    const right = { grant_type: 'refresh_token', refresh_token, client_id: zap.id }
    await expectRefusal(() => post('/api/oauth/token', { ...right, ...changes }), refused)
    expect((await post('/api/oauth/token', right)).status).toBe(200)
  })

  test('an access token or a code in its place', async () => {
    const { access_token } = await connect(app, person, zap)
    const code = await getCode(person, zap)
    for (const refresh_token of [access_token, code]) {
      const asked = { grant_type: 'refresh_token', refresh_token, client_id: zap.id }
      await expectRefusal(() => post('/api/oauth/token', asked), invalidGrant)
    }
  })
})

describe('revocation and introspection are refused', () => {
  const rows: [string, string, () => Record<string, unknown>, Refused][] = [
    ['revoke without a token', 'revoke', () => ({ client_id: zap.id }), invalidRequest],
    ['revoke without a client', 'revoke', () => ({ token: 'x' }), invalidRequest],
    ['revoke by nobody', 'revoke', () => ({ token: 'x', client_id: 'nobody' }), invalidClient],
    [
      'revoke with a wrong secret',
      'revoke',
      () => ({ token: 'x', client_id: server.id, client_secret: 'x' }),
      invalidClient,
    ],
    ['introspect by a public client', 'introspect', () => ({ token: 'x', client_id: zap.id }), invalidClient],
    [
      'introspect without the secret',
      'introspect',
      () => ({ token: 'x', client_id: server.id }),
      invalidClient,
    ],
    [
      'introspect without a token',
      'introspect',
      () => ({ client_id: server.id, client_secret: server.secret }),
      invalidRequest,
    ],
  ]
  test.for(rows)('%s', async ([, path, body, refused]) => {
    await expectRefusal(() => post(`/api/oauth/${path}`, body()), refused)
  })

  test('another client’s token is not revoked', async () => {
    const { refresh_token, access_token, api } = await connect(app, person, zap)
    for (const token of [refresh_token, access_token])
      await expectRefusal(() => post('/api/oauth/revoke', { token, client_id: narrow.id }), invalidGrant)
    expect((await api.get('/api/crm/leads')).status).toBe(200)
  })
})

describe('a bearer is refused', () => {
  test('that is none of ours, or for something else', async () => {
    const { refresh_token } = await connect(app, person, zap)
    const code = await getCode(person, zap)
    for (const wrong of ['x', 'rpa_', 'rpa_nothing', refresh_token, code, server.secret!]) {
      const reply = await client(app.url, { authorization: `Bearer ${wrong}` }).get('/api/crm/leads')
      expect([reply.status, reply.body.code]).toEqual([401, 'invalid_token'])
      expect(reply.headers.get('www-authenticate')).toMatch(
        /^Bearer error="invalid_token", resource_metadata=/,
      )
    }
  })

  test('with too little scope, and is told which is missing', async () => {
    const { api } = await connect(app, person, zap, { scope: 'leads:read' })
    const reply = await api.post('/api/crm/leads', { first_name: 'No' })
    expect([reply.status, reply.body.code]).toEqual([403, 'insufficient_scope'])
    expect(reply.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="leads:write"',
    )
  })

  test('even with the person’s own cookie beside it', async () => {
    const { cookie } = person.browser.headers as { cookie: string }
    const reply = await client(app.url, { cookie, authorization: 'Bearer rpa_nothing' }).get('/api/crm/leads')
    expect(reply.status).toBe(401)
  })
})
