import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { variables } from '../../src/variables.ts'
import { allScopes, roles, scopesOfRole, type Role, type Scope } from '#platform/scopes.ts'
import { FakeClock } from '#platform/clock.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { expectNone, failuresOf } from '#test/attempts.ts'
import { client, type Client, type Reply } from '#test/client.ts'
import { colleagueOf } from '#test/colleague.ts'
import { rapportHere, startRapport } from '#test/command-line.ts'
import { createDatabase } from '#test/database.ts'
import { connect, makeClient } from '#test/oauth.ts'
import { isRepeatable, readOperations, type Operation } from '#test/operations.ts'
import { expectProblem } from '#test/problem.ts'
import { fillTeam, type Records } from '#test/records.ts'
import { full, oneOfEach, shareOf } from '#test/tier.ts'
import { watchWrites } from '#test/writes.ts'

// Most tests here walk all operations.
vi.setConfig({ testTimeout: full ? 900_000 : 120_000 })

// Without a worker, so that only requests change rows.
const app = await startApp({ role: 'api' })
const operations = await readOperations(app.url)
const team = await fillTeam(app, operations, await app.person())
const writes = await watchWrites(app.database)
const stranger = client(app.url)
const DAY_MS = 86_400_000
const METADATA = `resource_metadata="${app.url}/.well-known/oauth-protected-resource"`
const ONE_BY_ONE = { atOnce: 1 }

afterAll(() => app.close())

const guarded = operations.filter(({ access }) => access !== 'public')
const scoped = guarded.filter(({ access }) => typeof access === 'object' && 'scope' in access)
const forRoles = guarded.filter(({ access }) => typeof access === 'object' && 'role' in access)
const jobRoutes = guarded.filter(({ access }) => access === 'cron')
const unsafe = operations.filter(({ method, access }) => method !== 'GET' && access !== 'cron')

test('the document has operations of every kind of access', () => {
  for (const list of [scoped, forRoles, jobRoutes, unsafe]) expect(list.length).toBeGreaterThan(1)
})

describe('without valid credentials', () => {
  test('each operation is a 401 that says how to sign in, and nothing is read or written', async () => {
    const refusals = await failuresOf(
      guarded,
      async operation => {
        // Broken JSON from a stranger is a 401 like any other: a refused request is not read.
        const bare = operation.method === 'GET' ? [call] : full ? [sendBrokenJson, call] : [sendBrokenJson]
        for (const send of bare) {
          const reply = await send(stranger, operation)
          expectProblem(reply, 401, 'unauthenticated')
          expect(reply.headers.get('www-authenticate')).toBe(`Bearer ${METADATA}`)
        }
      },
      { writes },
    )
    expectNone(refusals)
  })

  test('a wrong key, token, password or cookie is none at all', async () => {
    const wrong: Record<string, string>[] = [
      { authorization: 'Bearer rpk_' + 'A'.repeat(43) },
      { authorization: 'Bearer x' },
      { authorization: 'Bearer ' },
      { authorization: 'Basic YTpi' },
      { cookie: 'rapport_session=eyJhbGciOiJkaXIifQ..x.y.z' },
    ]
    const attempt = async (operation: Operation, turn: number) => {
      for (const headers of shareOf(wrong, turn, wrong.length)) {
        const reply = await call(client(app.url, headers), operation)
        if ('cookie' in headers) expectProblem(reply, 401, 'unauthenticated')
        else {
          expectProblem(reply, 401, 'invalid_token')
          expect(reply.headers.get('www-authenticate')).toBe(`Bearer error="invalid_token", ${METADATA}`)
        }
      }
    }
    expectNone(await failuresOf(guarded, attempt, { writes }))
  })
})

describe('scopes', () => {
  type Pair = { without: Client; only: Client }
  const withKeyFor = new Map<string, Pair>()
  const withTokenFor = new Map<string, Pair>()
  beforeAll(async () => {
    const zap = await makeClient(team.person)
    const token = async (scopes: Scope[]) =>
      (await connect(app, team.person, zap, { scope: scopes.join(' ') })).api
    for (const [name, scopes] of new Map(scoped.map(operation => [nameOf(operation), scopesOf(operation)]))) {
      const others = allScopes.filter(other => !scopes.includes(other))
      const { key } = team.person
      withKeyFor.set(name, { without: await key(others), only: await key([scopes[0]!]) })
      withTokenFor.set(name, { without: await token(others), only: await token([scopes[0]!]) })
    }
    // The first request of a key or app notes that it was used; after it only a real write changes a row.
    for (const { without, only } of [...withKeyFor.values(), ...withTokenFor.values()])
      for (const caller of [without, only]) await caller.get('/api/crm/leads/outline')
  })

  // Whether a key or a token carries them, scopes are looked at in one place.
  const cases = [
    { by: 'a key', callers: withKeyFor, tried: scoped },
    { by: 'an access token', callers: withTokenFor, tried: oneOfEach(scoped, nameOf) },
  ]
  test.for(cases)('each operation needs its scope, and no other, of $by', async ({ callers, tried }) => {
    const refusals = await failuresOf(
      tried,
      async operation => {
        const scope = scopeOf(operation)
        const refused = await call(callers.get(nameOf(operation))!.without, operation)
        expect(expectProblem(refused, 403, 'insufficient_scope').detail).toContain(scope)
        expect(refused.headers.get('www-authenticate')).toContain(`scope="${scope}"`)
      },
      { writes },
    )
    // That each operation does its work with its scope, the roles below show; here it is that nothing else is asked for.
    const admitted = oneOfEach(tried, kindOf)
    const admissions = await failuresToDo(admitted, operation => callers.get(nameOf(operation))!.only)
    expectNone([...refusals, ...admissions])
  })

  test('an operation that names another scope takes that as well', async () => {
    const either = scoped.filter(operation => scopesOf(operation).length > 1)
    expect(either).not.toEqual([])
    const attempt = async (operation: Operation) => {
      const key = await team.person.key([scopesOf(operation)[1]!])
      const reply = await team.withRecord(operation, () => call(key, operation))
      expect(reply.status, reply.text).toBe(operation.success.status)
    }
    expectNone(await failuresOf(either, attempt, ONE_BY_ONE))
  })

  test('a key that was revoked a moment ago opens nothing', async () => {
    const attempt = async (operation: Operation) => {
      const key = await team.person.key([scopeOf(operation)])
      // The product knows this key by now, and whatever else it may keep in mind for the team.
      const reply = await team.withRecord(operation, () => call(key, operation))
      expect(reply.status, reply.text).toBe(operation.success.status)
      await app.database.query(
        'delete from api_keys where last_used_at = (select max(last_used_at) from api_keys)',
      )
      await writes.forget()
      expectProblem(await call(key, operation), 401, 'invalid_token')
      expect(await writes.made()).toEqual([])
    }
    expectNone(await failuresOf(oneOfEach(scoped, kindOf), attempt, ONE_BY_ONE))
  })

  test('what is for people is refused to a key with every scope', async () => {
    const key = await team.person.key()
    await key.get('/api/crm/leads/outline')
    const attempt = async (operation: Operation) =>
      expectProblem(await call(key, operation), 403, 'person_required')
    expectNone(await failuresOf(forRoles, attempt, { writes }))
  })
})

describe('roles', () => {
  const tried = [...forRoles.filter(isRepeatable), ...scoped]
  const lowestFirst = roles.toReversed()
  let records: Records
  beforeAll(async () => {
    records = await fillTeam(app, operations, await app.person())
  })

  // A role may do what every lower one may: the wall stands between the lowest that may and the one below it.
  test.for(lowestFirst)('%s is refused what a higher one is needed for', async role => {
    await setRole(records.person, role)
    const above = lowestFirst[lowestFirst.indexOf(role) + 1]
    const refused = tried.filter(operation => !mayDo(role, operation) && (full || mayDo(above!, operation)))
    const attempt = async (operation: Operation) => {
      const reply = await call(records.person.browser, operation, records)
      const { access } = operation
      if (typeof access === 'object' && 'role' in access)
        expect(expectProblem(reply, 403, 'role_too_low').detail).toContain(access.role)
      else expect(expectProblem(reply, 403, 'insufficient_scope').detail).toContain(scopeOf(operation))
    }
    expectNone(await failuresOf(refused, attempt, { writes }))
  })

  test.for(lowestFirst)('%s may do what no lower one may', async role => {
    const below = lowestFirst[lowestFirst.indexOf(role) - 1]
    const allowed = tried.filter(
      operation => mayDo(role, operation) && (full || !below || !mayDo(below, operation)),
    )
    expect(allowed).not.toEqual([])
    const attempt = async (operation: Operation) => {
      const reply = await records.withRecord(operation, async () => {
        await setRole(records.person, role)
        const reply = await call(records.person.browser, operation, records)
        // Some records only somebody higher can make anew.
        await setRole(records.person, 'SUPER_ADMIN')
        return reply
      })
      expect(reply.status, reply.text).toBe(operation.success.status)
    }
    expectNone(await failuresOf(allowed, attempt, ONE_BY_ONE))
  })

  test('every operation is tried on either side of its wall', () => {
    const walls = tried.map(operation => lowestFirst.findIndex(role => mayDo(role, operation)))
    expect(walls.filter(lowest => lowest < 0)).toEqual([])
    for (const lowest of [0, 1, 2, 3]) expect(walls).toContain(lowest)
  })
})

describe('job routes', () => {
  test('take the CRON_SECRET and nothing else', async () => {
    const secret = app.runtime.settings.cronSecret
    const key = await team.person.key()
    await key.get('/api/crm/leads/outline')
    const bearer = (token: string) => client(app.url, { authorization: `Bearer ${token}` })
    const wrong = [secret.slice(0, -1), `${secret}x`, secret.toUpperCase(), '', 'undefined'].map(bearer)
    const refusals = await failuresOf(
      jobRoutes,
      async operation => {
        const { path } = team.request(operation)
        for (const caller of [...wrong, team.person.browser, key])
          expectProblem(await caller.raw(operation.method, path, undefined), 401)
      },
      { writes },
    )
    const admissions = await failuresOf(
      jobRoutes,
      async operation => {
        const right = await bearer(secret).raw(operation.method, team.request(operation).path, undefined)
        expect(right.body).toMatchObject({ job: 'housekeeping', status: 'done' })
      },
      ONE_BY_ONE,
    )
    expectNone([...refusals, ...admissions])
  })

  test('looking at a job route with HEAD runs nothing', async () => {
    const cron = client(app.url, { authorization: `Bearer ${app.runtime.settings.cronSecret}` })
    await writes.forget()
    expect((await cron.raw('HEAD', '/api/cron/housekeeping', undefined)).status).toBe(405)
    expect(await writes.made()).toEqual([])
  })
})

describe('other sites', () => {
  test('no unsafe request with a cookie is taken from them', async () => {
    const { cookie } = team.person.browser.headers as { cookie: string }
    const foreign: Record<string, string>[] = [
      { cookie },
      { cookie, origin: 'https://evil.example' },
      { cookie, origin: 'null' },
      { cookie, 'sec-fetch-site': 'cross-site' },
      { cookie, 'sec-fetch-site': 'same-site', origin: 'http://other.127.0.0.1' },
      { cookie, 'sec-fetch-site': 'none' },
    ]
    const attempt = async (operation: Operation, turn: number) => {
      for (const headers of shareOf(foreign, turn, foreign.length / 2))
        expectProblem(await call(client(app.url, headers), operation), 403, 'cross_origin')
    }
    expectNone(await failuresOf(unsafe, attempt, { writes }))
  })

  test('our own pages are known by Sec-Fetch-Site, or by Origin where a browser does not send that', async () => {
    const { cookie } = team.person.browser.headers as { cookie: string }
    const ours: Record<string, string>[] = [{ 'sec-fetch-site': 'same-origin' }, { origin: app.url }]
    for (const own of ours) {
      const reply = await client(app.url, { cookie, ...own }).post('/api/crm/leads', { first_name: 'Own' })
      expect(reply.status).toBe(201)
    }
  })

  test('a key is no cookie: it may be used from anywhere', async () => {
    const key = await team.person.key()
    const reply = await key.post(
      '/api/crm/leads',
      { first_name: 'Far' },
      { origin: 'https://partner.example' },
    )
    expect(reply.status).toBe(201)
  })
})

describe('ways in that have ended', () => {
  const clock = new FakeClock()
  let timed: TestApp
  let person: Person
  beforeAll(async () => {
    timed = await startApp({ role: 'api', clock })
  })
  // Some of these tests last longer than a session.
  beforeEach(async () => {
    person = await timed.person()
  })
  afterAll(() => timed.close())

  const leads = '/api/crm/leads'

  test('a revoked key fails at its next request', async () => {
    const { body } = await person.browser.post('/api/keys', { name: 'Short', scopes: ['leads:read'] })
    const key = client(timed.url, { authorization: `Bearer ${body.key}` })
    expect((await key.get(leads)).status).toBe(200)
    expect((await person.browser.delete(`/api/keys/${body.id}`)).status).toBe(204)
    expectProblem(await key.get(leads), 401, 'invalid_token')
  })

  test('a key works until the moment it runs out, and not one longer', async () => {
    const { body } = await person.browser.post('/api/keys', {
      name: 'Day',
      scopes: ['leads:read'],
      expires_in_days: 1,
    })
    const key = client(timed.url, { authorization: `Bearer ${body.key}` })
    clock.advance(DAY_MS - 1)
    expect((await key.get(leads)).status).toBe(200)
    clock.advance(1)
    expectProblem(await key.get(leads), 401, 'invalid_token')
  })

  test('signing out ends the session at once, everywhere the cookie was copied to', async () => {
    const someone = await timed.person()
    expect((await someone.browser.get(leads)).status).toBe(200)
    expect((await someone.browser.post('/api/auth/signout')).status).toBe(204)
    expectProblem(await someone.browser.get(leads), 401, 'unauthenticated')
    expect((await someone.browser.get('/api/auth/session')).body).toEqual({ user: null })
  })

  test('a session ends thirty days after it was last used', async () => {
    const someone = await timed.person()
    clock.advance(29 * DAY_MS)
    expect((await someone.browser.get(leads)).status).toBe(200)
    clock.advance(29 * DAY_MS)
    expect((await someone.browser.get(leads)).status).toBe(200)
    clock.advance(30 * DAY_MS)
    expectProblem(await someone.browser.get(leads), 401)
  })

  test('who leaves the team, or loses a role, notices at the next request', async () => {
    const someone = await timed.person()
    expect((await someone.browser.get('/api/keys')).status).toBe(200)
    await timed.database.query("update memberships set role = 'MEMBER' where user_id = $1", [someone.user_id])
    expectProblem(await someone.browser.get('/api/keys'), 403, 'role_too_low')
    await timed.database.query('delete from memberships where user_id = $1', [someone.user_id])
    expectProblem(await someone.browser.get(leads), 401)
  })
})

describe('one-time sign-in links', () => {
  test('opening the page uses nothing up; of fifty presses of the button one signs in', async () => {
    const link = new URL(await app.signIn('link@example.test')).pathname
    for (let look = 0; look < 3; look++) expect((await stranger.get(link)).status).toBe(200)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const tries = await Promise.all(Array.from({ length: 50 }, () => stranger.raw('POST', link, '', form)))
    expect(tries.map(({ status }) => status).toSorted()).toEqual([
      302,
      ...Array.from({ length: 49 }, () => 404),
    ])
    const [won] = tries.filter(({ status }) => status === 302)
    const cookie = won!.headers.get('set-cookie')!
    expect(cookie).toMatch(/^rapport_session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/)
    const session = await client(app.url, { cookie: cookie.split(';')[0]! }).get('/api/auth/session')
    expect(session.body.user).toMatchObject({ email: 'link@example.test', role: 'SUPER_ADMIN' })
    expect((await stranger.get(link)).status).toBe(404)
  })

  test('another site cannot sign a visitor in by a form of its own', async () => {
    const link = new URL(await app.signIn('victim@example.test')).pathname
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign) {
      const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers }
      expectProblem(await stranger.raw('POST', link, '', form), 403, 'cross_origin')
    }
    expect((await stranger.raw('POST', link, undefined)).status).toBe(302)
  })
})

describe('secrets', () => {
  const secrets = {
    SESSION_SECRET: randomBytes(32).toString('hex'),
    CRON_SECRET: randomBytes(16).toString('hex'),
    GOOGLE_CLIENT_SECRET: randomBytes(16).toString('hex'),
    GITHUB_CLIENT_SECRET: randomBytes(16).toString('hex'),
    PAYMENT_WEBHOOK_SECRET: randomBytes(16).toString('hex'),
    VOICE_WEBHOOK_SECRET: randomBytes(16).toString('hex'),
    EMAIL_WEBHOOK_SECRET: randomBytes(16).toString('hex'),
    REALTIME_WEBHOOK_SECRET: randomBytes(16).toString('hex'),
    REALTIME_WEBHOOK_SECRET_2: randomBytes(16).toString('hex'),
  }

  test('none is in the log, in an answer, in a page or in a document, however requests fail', async () => {
    const database = await createDatabase()
    const env = {
      ...secrets,
      NODE_ENV: 'production',
      BASE_URL: 'https://crm.example.test',
      DATABASE_URL: database.url,
      DATA_DIR: '/nonexistent',
      LOG_LEVEL: 'debug',
      GOOGLE_CLIENT_ID: 'google',
      GOOGLE_ISSUER: 'http://127.0.0.1:9',
      GITHUB_CLIENT_ID: 'github',
      GITHUB_ISSUER: 'http://127.0.0.1:9',
    }
    const [product, printed] = await Promise.all([
      startRapport(env),
      rapportHere(['signin-link', '--email', 'a@example.test'], env),
    ])
    try {
      const link = printed.out.trim()
      const token = link.split('/').at(-1)!
      const visitor = client(product.url)
      const signedIn = await visitor.post(new URL(link).pathname)
      const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
      const person = client(product.url, { cookie, 'sec-fetch-site': 'same-origin' })
      const made = await person.post('/api/keys', { name: 'Zap', scopes: ['leads:read', 'leads:write'] })
      const key = made.body.key as string
      const callers = [
        visitor,
        client(product.url, { authorization: `Bearer ${key}` }),
        person,
        client(product.url, { authorization: `Bearer ${secrets.CRON_SECRET}` }),
        client(product.url, { authorization: `Bearer ${key}x` }),
      ]
      const paths = [
        '/api/crm/leads',
        '/api/keys',
        '/api/cron/housekeeping',
        '/api/cron',
        '/docs',
        '/api/openapi.json',
        '/metrics',
        '/nowhere',
        '/signin',
        '/api/auth/signin/google',
        '/api/auth/signin/github',
        '/api/auth/callback/github?code=x&state=y',
        '/api/oauth/token',
      ]
      const replies: Reply[] = []
      const visit = async (caller: Client, paths: string[]) => {
        for (const path of paths)
          replies.push(await caller.get(path), await caller.post(path, { first_name: 7 }))
      }
      await Promise.all(callers.map(caller => visit(caller, paths)))
      // Now with failures that are ours: their traces go to the log and nowhere else.
      await database.query('alter table leads rename to leads_hidden_by_the_test')
      await Promise.all(callers.map(caller => visit(caller, full ? paths : paths.slice(0, 2))))
      expect(replies.some(({ status }) => status === 500)).toBe(true)
      expect(product.said.out + product.said.err).toContain('request failed')
      const password = decodeURIComponent(new URL(database.url.replace(/@[^/]*\//, '@host/')).password)
      const told = [
        product.said.out + product.said.err,
        ...replies.map(({ text, headers }) => text + JSON.stringify([...headers])),
      ].join('\n')
      for (const secret of [...Object.values(secrets), key, token, cookie.split('=')[1]!, password]) {
        expect(secret.length).toBeGreaterThan(15)
        expect(told.split(secret).length - 1, `${secret.slice(0, 4)}… is told`).toBe(0)
      }
      const failures = replies.filter(({ status }) => status >= 500).map(({ text }) => text)
      for (const text of failures) expect(text).not.toMatch(/leads|relation|select|node_modules/)
    } finally {
      await product.stop()
      await database.drop()
    }
  })

  test('none can be in the web app: it names no setting of the server', () => {
    const folders = ['src/web', 'dist/web'].map(
      folder => new URL(`../../${folder}`, import.meta.url).pathname,
    )
    const files = folders.filter(existsSync).flatMap(folder =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile() && /\.(tsx?|js|html|css|json)$/.test(entry.name))
        .map(entry => join(entry.parentPath, entry.name)),
    )
    expect(files.length).toBeGreaterThan(10)
    const names = variables
      .map(({ name }) => name)
      .filter(name => /SECRET|DATABASE|PASSWORD|TOKEN|_KEY/.test(name))
    expect(names).toContain('SESSION_SECRET')
    const telling = files.filter(file => {
      const text = readFileSync(file, 'utf8')
      return names.some(name => text.includes(name)) || /process\.env|rpk_[\w-]{43}/.test(text)
    })
    expect(telling).toEqual([])
  })
})

test('a session that was ended a moment ago is nobody to any operation', async () => {
  const known = guarded.filter(({ access }) => access !== 'cron')
  const attempt = async (operation: Operation) => {
    const { browser, user_id } = await colleagueOf(app, team.person, 'SUPER_ADMIN')
    // Whether it succeeds or not: from then on the session is known.
    await call(browser, operation)
    await app.database.query('delete from sessions where user_id = $1', [user_id])
    await writes.forget()
    expectProblem(await call(browser, operation), 401, 'unauthenticated')
    expect(await writes.made()).toEqual([])
  }
  expectNone(await failuresOf(oneOfEach(known, kindOf), attempt, ONE_BY_ONE))
})

function scopeOf({ access }: Operation): Scope {
  return (access as { scope: Scope }).scope
}

/** The one that it asks for first, and the other that serves as well. */
function scopesOf({ access }: Operation): Scope[] {
  const { scope, or } = access as { scope: Scope; or?: Scope }
  return or ? [scope, or] : [scope]
}

function nameOf(operation: Operation): string {
  return scopesOf(operation).join(' ')
}

/** What the product tells apart when somebody asks: what is needed, and how the body and the answer go. */
function kindOf({ access, method, success, upload }: Operation): string {
  return [JSON.stringify(access), method === 'GET', success.media === 'text/event-stream', upload].join()
}

function mayDo(role: Role, { access }: Operation): boolean {
  const needed = access as { scope: Scope } | { role: Role }
  if ('scope' in needed) return scopesOfRole(role).includes(needed.scope)
  const order = ['VIEWER', 'MEMBER', 'ADMIN', 'SUPER_ADMIN']
  return order.indexOf(role) >= order.indexOf(needed.role)
}

async function setRole(person: Person, role: Role): Promise<void> {
  await app.database.query('update memberships set role = $1 where user_id = $2', [role, person.user_id])
}

/** Those that do not succeed for a caller who may. What only reads does not get into anybody's way. */
async function failuresToDo(
  tried: Operation[],
  callerOf: (operation: Operation) => Client,
): Promise<string[]> {
  const attempt = async (operation: Operation) => {
    const reply = await team.withRecord(operation, () => call(callerOf(operation), operation))
    expect(reply.status, reply.text).toBe(operation.success.status)
  }
  const [reading, writing] = [true, false].map(reads =>
    tried.filter(({ method }) => (method === 'GET') === reads),
  )
  return [...(await failuresOf(reading!, attempt)), ...(await failuresOf(writing!, attempt, ONE_BY_ONE))]
}

async function sendBrokenJson(caller: Client, operation: Operation): Promise<Reply> {
  const { path } = team.request(operation)
  return caller.raw(operation.method, path, '{', { 'content-type': 'application/json' })
}

/** The request that would succeed for who may. A stream is left after its first bytes. */
async function call(caller: Client, operation: Operation, records = team): Promise<Reply> {
  const { path, body } = records.request(operation)
  if (operation.success.media === 'text/event-stream') return glance(caller, path)
  if (operation.upload) return caller.raw(operation.method, path, body as Blob)
  return operation.body
    ? caller.raw(operation.method, path, JSON.stringify(body), { 'content-type': 'application/json' })
    : caller.raw(operation.method, path, undefined)
}

async function glance(caller: Client, path: string): Promise<Reply> {
  const gone = new AbortController()
  const response = await fetch(app.url + path, { headers: caller.headers, signal: gone.signal })
  const text = response.ok ? '' : await response.text()
  gone.abort()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text ? JSON.parse(text) : undefined,
  }
}
