import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { SigninRefused, type Attempt, type Profile, type SigninProvider } from '#platform/ports/signin.ts'
import { freePort } from '#test/programs.ts'
import { startGithubLike, type Developer, type GithubLike } from '#test/github-like.ts'
import { startIssuer, walk, type Issuer, type Person } from '#test/issuer.ts'
import { entra } from './entra.ts'
import { github } from './github.ts'
import { google } from './google.ts'

const REDIRECT = 'http://127.0.0.1:3000/api/auth/callback/any'
const TENANT = '1b9e0c3a-5d1c-4a59-9a0e-3c6c7b1f2d10'
const ada: Person = {
  sub: '108-ada',
  email: 'ada@example.org',
  email_verified: true,
  name: 'Ada Lovelace',
  picture: 'https://pictures.example.org/ada.png',
  tid: TENANT,
  oid: 'the-object-id',
}
const developer: Developer = {
  id: 583_231,
  login: 'ada',
  name: 'Ada Lovelace',
  avatar_url: 'https://avatars.example.org/u/583231',
  emails: [
    { email: 'old@example.org', primary: false, verified: true },
    { email: 'ada@example.org', primary: true, verified: true },
  ],
}

let issuer: Issuer
let hub: GithubLike
beforeAll(async () => {
  issuer = await startIssuer()
  hub = await startGithubLike()
})
afterAll(async () => {
  await issuer.close()
  await hub.close()
})
beforeEach(() => {
  Object.assign(issuer, { person: ada, forge: undefined, strangeKey: false })
  Object.assign(hub, { person: developer, tokenError: undefined, emailsStatus: 200, bio: '' })
})

const providers = {
  google: () => google(issuer.credentials),
  entra: () => entra({ ...issuer.credentials, tenant: TENANT }),
  github: () => github(hub.credentials),
}
const all = Object.entries(providers)
const openids = all.filter(([name]) => name !== 'github')

describe.each(all)('%s', (name, make) => {
  test('is known by its name, and its check is content', async () => {
    expect(make().name).toBe(name)
    await make().check()
  })

  test('sends the browser with state and an S256 challenge, never the verifier', async () => {
    const attempt = newAttempt()
    const url = await make().begin(attempt)
    const { verifier, state, redirect_uri } = attempt
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      prompt: 'select_account',
      redirect_uri,
      state,
    })
    expect(url.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(url.href).not.toContain(verifier)
    expect(url.href).not.toContain('a-secret-for-tests')
  })

  test('a person who says no is not refused but has cancelled', async () => {
    issuer.person = undefined
    hub.person = undefined
    const refusal = await signIn(make()).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(SigninRefused)
    expect(refusal).toMatchObject({ code: 'denied', message: expect.stringContaining('cancelled') })
  })

  test('a no that belongs to another attempt is no answer to this one', async () => {
    issuer.person = undefined
    hub.person = undefined
    await expectInvalid(signIn(make(), attempt => ({ ...attempt, state: randomState() })))
  })

  test.for<[string, (attempt: Attempt) => Attempt]>([
    ['state', attempt => ({ ...attempt, state: randomState() })],
    ['verifier', attempt => ({ ...attempt, verifier: randomPKCECodeVerifier() })],
    ['address', attempt => ({ ...attempt, redirect_uri: `${REDIRECT}/other` })],
  ])('a callback is of no use with the %s of another attempt', async ([, exchanged]) => {
    await expectInvalid(signIn(make(), exchanged))
  })

  test.for<[string, (callback: URL) => void]>([
    ['no state', callback => callback.searchParams.delete('state')],
    ['two states', callback => callback.searchParams.append('state', 'x')],
    ['no code', callback => callback.searchParams.delete('code')],
    ['a code of its own making', callback => callback.searchParams.set('code', 'x')],
    ['the name of another issuer', callback => callback.searchParams.set('iss', 'https://evil.example')],
  ])('a callback with %s is refused', async ([, change]) => {
    await expectInvalid(signIn(make(), undefined, change))
  })

  test('a code works once', async () => {
    const provider = make()
    const attempt = newAttempt()
    const callback = await walk(await provider.begin(attempt), REDIRECT)
    await provider.finish(attempt, callback)
    await expectInvalid(provider.finish(attempt, callback))
  })

  test('an address changed by a proxy does not matter', async () => {
    const provider = make()
    const attempt = newAttempt()
    const callback = await walk(await provider.begin(attempt), REDIRECT)
    const inner = new URL(`http://10.0.0.7:8080/elsewhere${callback.search}`)
    expect(await provider.finish(attempt, inner)).toMatchObject({ email: 'ada@example.org' })
  })

  test('an error of the provider itself is no refusal', async () => {
    const provider = make()
    const attempt = newAttempt()
    const callback = new URL(`${REDIRECT}?error=server_error&state=${attempt.state}`)
    if (name !== 'github') callback.searchParams.set('iss', issuer.url)
    await expectSilence(provider.finish(attempt, callback), provider.label)
  })
})

describe.each(openids)('%s, which speaks OpenID', (_name, make) => {
  test('tells who it is', async () => {
    expect(await signIn(make())).toEqual<Profile>({
      subject: '108-ada',
      email: 'ada@example.org',
      email_verified: true,
      name: 'Ada Lovelace',
      image: 'https://pictures.example.org/ada.png',
    })
  })

  test('asks for a nonce and for the address and the name', async () => {
    const attempt = newAttempt()
    const url = await make().begin(attempt)
    expect(url.searchParams.get('nonce')).toBe(attempt.nonce)
    expect(url.searchParams.get('scope')).toBe('openid email profile')
  })

  test('a token for another attempt is refused', async () => {
    await expectInvalid(signIn(make(), attempt => ({ ...attempt, nonce: randomNonce() })))
  })

  test.for<[string, Record<string, unknown>]>([
    ['without a nonce', { nonce: undefined }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another client', { aud: 'another-client' }],
    ['for several clients, one of them us, and of another party', { aud: ['rapport', 'x'], azp: 'x' }],
    ['that has run out', { exp: 1_700_000_000, iat: 1_699_999_000 }],
    ['without a subject', { sub: undefined }],
  ])('a token %s is refused, although its signature is right', async ([, claims]) => {
    issuer.forge = real => ({ ...real, ...claims })
    await expectInvalid(signIn(make()))
  })

  test('a token signed with a key the issuer never published is refused', async () => {
    issuer.strangeKey = true
    await expectInvalid(signIn(make()))
  })

  test('a token signed again by its issuer is fine: what is refused above is refused for its claims', async () => {
    issuer.forge = real => ({ ...real })
    expect(await signIn(make())).toMatchObject({ subject: '108-ada' })
  })

  test.for<[string, Partial<Person>]>([
    ['not verified', { email_verified: false }],
    ['not said to be verified', { email_verified: undefined }],
    ['said to be verified in a word only', { email_verified: 'true' as unknown as boolean }],
  ])('an address that is %s does not count', async ([, change]) => {
    issuer.person = { ...ada, ...change }
    expect(await signIn(make())).toMatchObject({ email: 'ada@example.org', email_verified: false })
  })

  test('without an address there is nothing to verify', async () => {
    issuer.person = { ...ada, email: undefined, name: undefined, picture: undefined }
    expect(await signIn(make())).toEqual<Profile>({
      subject: '108-ada',
      email: undefined,
      email_verified: false,
      name: undefined,
      image: undefined,
    })
  })

  test('asks the issuer about itself once, however many people come at once', async () => {
    const before = discoveries()
    const provider = make()
    await Promise.all([provider.begin(newAttempt()), provider.begin(newAttempt()), signIn(provider)])
    await signIn(provider)
    expect(discoveries() - before).toBe(1)
  })

  test('a wrong secret is named by the check, and tells a person whom to ask', async () => {
    const kind = make().name === 'google' ? google : entra
    const provider = kind({ ...issuer.credentials, clientSecret: 'wrong', tenant: TENANT })
    await expect(provider.check()).rejects.toThrow('rejected the client ID or secret')
    const refusal = await signIn(provider).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'invalid', message: expect.stringContaining('administrator') })
  })

  test('an issuer under the name of another is not believed', async () => {
    const kind = make().name === 'google' ? google : entra
    const provider = kind({
      ...issuer.credentials,
      issuer: issuer.url.replace('127.0.0.1', 'localhost'),
      tenant: TENANT,
    })
    await expectSilence(provider.begin(newAttempt()), provider.label)
  })
})

describe('entra', () => {
  test.for<[string, Partial<Person>]>([
    ['another directory', { tid: '00000000-0000-4000-8000-000000000000' }],
    ['no directory', { tid: undefined }],
  ])('people of %s stay outside', async ([, change]) => {
    issuer.person = { ...ada, ...change }
    const refusal = await expectInvalid(signIn(providers.entra()))
    expect(refusal.message).toContain('another directory')
  })

  test('a directory is the same in capitals', async () => {
    issuer.person = { ...ada, tid: TENANT.toUpperCase() }
    expect(await signIn(providers.entra())).toMatchObject({ subject: '108-ada' })
  })

  test.for<[unknown, boolean]>([
    [true, true],
    [1, true],
    ['1', true],
    ['true', true],
    [false, false],
    [0, false],
    ['0', false],
    ['false', false],
    [undefined, false],
    [[true], false],
  ])('an address with a verified domain of %j counts: %j', async ([xms_edov, counts]) => {
    issuer.person = { ...ada, email_verified: undefined, xms_edov: xms_edov as boolean }
    expect(await signIn(providers.entra())).toMatchObject({ email_verified: counts })
  })
})

describe('github', () => {
  test('tells who it is, by the number that never changes and the primary address', async () => {
    expect(await signIn(providers.github())).toEqual<Profile>({
      subject: '583231',
      email: 'ada@example.org',
      email_verified: true,
      name: 'Ada Lovelace',
      image: 'https://avatars.example.org/u/583231',
    })
    expect(hub.asked[0]).toMatchObject({ accept: 'application/vnd.github+json', 'user-agent': 'rapport' })
  })

  test('goes by the login where there is no name', async () => {
    hub.person = { ...developer, name: null }
    expect(await signIn(providers.github())).toMatchObject({ name: 'ada' })
  })

  test('takes another verified address where the primary one is not', async () => {
    hub.person = {
      ...developer,
      emails: developer.emails.map(each => ({ ...each, verified: !each.primary })),
    }
    expect(await signIn(providers.github())).toMatchObject({ email: 'old@example.org', email_verified: true })
  })

  test('without a verified address there is none', async () => {
    hub.person = { ...developer, emails: developer.emails.map(each => ({ ...each, verified: false })) }
    expect(await signIn(providers.github())).toMatchObject({ email: undefined, email_verified: false })
  })

  test('where addresses may not be read there is none', async () => {
    hub.emailsStatus = 403
    expect(await signIn(providers.github())).toMatchObject({ email: undefined, email_verified: false })
  })

  test('an error with the status of a yes is a no', async () => {
    hub.tokenError = 'bad_verification_code'
    await expectInvalid(signIn(providers.github()))
  })

  test.for([{ clientSecret: 'wrong' }, { clientId: 'unknown' }])(
    'what is wrong in %j is named by the check, and tells a person whom to ask',
    async wrong => {
      const provider = github({ ...hub.credentials, ...wrong })
      await expect(provider.check()).rejects.toThrow('rejected the client ID or secret')
      const refusal = await signIn(provider).catch((error: unknown) => error)
      expect(refusal).toMatchObject({ code: 'invalid', message: expect.stringContaining('administrator') })
    },
  )

  test('a page that is something else is not taken for it by the check', async () => {
    const page = await startServer(response => response.end('<h1>Welcome</h1>'))
    await expect(github({ ...hub.credentials, issuer: page.url }).check()).rejects.toThrow(
      'returned an unexpected response',
    )
    await page.close()
  })

  test('an answer may be long, and not endless', async () => {
    hub.bio = 'x'.repeat(500 * 1024)
    expect(await signIn(providers.github())).toMatchObject({ subject: '583231' })
    hub.bio = 'x'.repeat(512 * 1024)
    await expectSilence(signIn(providers.github()), 'GitHub')
  })

  test('is at home at github.com and its API at a host of its own', async () => {
    const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async input => {
      const { host, pathname } = new URL(input as string)
      const token = { access_token: 'gho_x', token_type: 'bearer' }
      return Response.json(host === 'github.com' ? token : pathname === '/user' ? { id: 1 } : [])
    })
    const attempt = newAttempt()
    const provider = github({ ...hub.credentials, issuer: 'https://github.com' })
    const url = await provider.begin(attempt)
    await provider.finish(attempt, new URL(`${REDIRECT}?code=x&state=${attempt.state}`))
    const calls = asked.mock.calls.map(([input]) => input)
    asked.mockRestore()
    expect([url.origin + url.pathname, ...calls]).toEqual([
      'https://github.com/login/oauth/authorize',
      'https://github.com/login/oauth/access_token',
      'https://api.github.com/user',
      'https://api.github.com/user/emails?per_page=100',
    ])
  })

  test('is found as well where its address ends in a slash', async () => {
    expect(await signIn(github({ ...hub.credentials, issuer: `${hub.url}/` }))).toMatchObject({
      subject: '583231',
    })
  })
})

describe('a provider that does not answer', () => {
  const at = {
    google: (url: string, timeoutMs = 1_500) => google({ ...issuer.credentials, issuer: url }, { timeoutMs }),
    entra: (url: string, timeoutMs = 1_500) =>
      entra({ ...issuer.credentials, issuer: url, tenant: TENANT }, { timeoutMs }),
    github: (url: string, timeoutMs = 1_500) => github({ ...hub.credentials, issuer: url }, { timeoutMs }),
  }

  test.for(Object.entries(at))('because it is down is named: %s', async ([, make]) => {
    const provider = make(`http://127.0.0.1:${await freePort()}`)
    await expectSilence(provider.check(), provider.label)
    await expectSilence(provider.finish(...callbackOf()), provider.label)
  })

  test.for(Object.entries(at))('because it hangs is left after its time: %s', async ([, make]) => {
    const silent = await startServer(() => {})
    // It would answer in no time.
    const provider = make(silent.url, 300)
    const failure = await expectSilence(provider.check(), provider.label)
    expect(failure.message).toContain('within 0.3 seconds')
    await expectSilence(provider.finish(...callbackOf()), provider.label)
    await silent.close()
  })

  test.for(Object.entries(at))('because it is broken is named as well: %s', async ([, make]) => {
    const broken = await startServer(response => response.writeHead(503).end('{}'))
    const provider = make(broken.url)
    const failure = await expectSilence(provider.finish(...callbackOf()), provider.label)
    expect(failure.message).toContain('503')
    await broken.close()
  })

  test('is asked again by the next person', async () => {
    const port = await freePort()
    const provider = at.google(`http://127.0.0.1:${port}`)
    await expectSilence(provider.begin(newAttempt()), 'Google')
    const late = await startIssuer({ port, person: ada })
    expect(await signIn(google({ ...late.credentials }))).toMatchObject({ subject: '108-ada' })
    expect(await signIn(provider)).toMatchObject({ subject: '108-ada' })
    await late.close()
  })

  test('for its keys alone refuses nobody', async () => {
    const late = await startIssuer({ person: ada })
    const provider = google(late.credentials)
    const attempt = newAttempt()
    const callback = await walk(await provider.begin(attempt), REDIRECT)
    late.withoutKeys = true
    await expectSilence(provider.finish(attempt, callback), 'Google')
    await late.close()
  })

  test('is never asked without TLS outside this machine', async () => {
    const provider = google({ ...issuer.credentials, issuer: 'http://issuer.example' })
    const failure = await expectSilence(provider.begin(newAttempt()), 'Google')
    expect(failure.message).toContain('HTTPS')
  })
})

function newAttempt(): Attempt {
  return {
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    redirect_uri: REDIRECT,
  }
}

/** All the way round: what the attempt or the callback turned into in between is the case of a test. */
async function signIn(
  provider: SigninProvider,
  exchanged: (attempt: Attempt) => Attempt = attempt => attempt,
  change: (callback: URL) => void = () => {},
): Promise<Profile> {
  const attempt = newAttempt()
  const callback = await walk(await provider.begin(attempt), REDIRECT)
  change(callback)
  return await provider.finish(exchanged(attempt), callback)
}

function callbackOf(): [Attempt, URL] {
  const attempt = newAttempt()
  return [attempt, new URL(`${REDIRECT}?${new URLSearchParams({ code: 'x', state: attempt.state })}`)]
}

function discoveries(): number {
  return issuer.requests.filter(path => path === '/.well-known/openid-configuration').length
}

async function expectInvalid(result: Promise<unknown>): Promise<SigninRefused> {
  const refusal = await result.catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(SigninRefused)
  expect(refusal).toMatchObject({ code: 'invalid' })
  return refusal as SigninRefused
}

async function expectSilence(result: Promise<unknown>, label: string): Promise<Error> {
  const failure = await result.catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(failure).not.toBeInstanceOf(SigninRefused)
  expect((failure as Error).message).toMatch(
    new RegExp(`^${label} (?:did not answer|is (?:unavailable|not a valid OpenID issuer))`),
  )
  return failure as Error
}

async function startServer(answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => answer(response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
