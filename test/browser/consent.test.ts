import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { entra } from '#adapters/signin/entra.ts'
import { github } from '#adapters/signin/github.ts'
import { google } from '#adapters/signin/google.ts'
import { startGithubLike, type GithubLike } from '#test/github-like.ts'
import { startIssuer, type Issuer } from '#test/issuer.ts'
import { further, shareOf } from '#test/tier.ts'
import { axeFaults } from './axe.ts'
import { QUIET, startStage, type Stage } from './browser.ts'

const TENANT = '11111111-2222-3333-4444-555555555555'
const SCOPE = 'leads:read leads:write'
let stage: Stage
let issuer: Issuer
let directory: Issuer
let hub: GithubLike
let app: { callback: string; close(): void }

beforeAll(async () => {
  ;[issuer, directory, hub] = await Promise.all([startIssuer(), startIssuer(), startGithubLike()])
  const signin = [
    google(issuer.credentials),
    github(hub.credentials),
    entra({ ...directory.credentials, tenant: TENANT }),
  ]
  stage = await startStage({ config: { oauthRegistration: true }, ports: { signin } })
  app = await startListener()
})
afterAll(async () => {
  app.close()
  await stage.close()
  await Promise.all([issuer.close(), directory.close(), hub.close()])
})

/** The app's own side: where the browser ends up. */
async function startListener() {
  const server = createServer((_, response) => response.end('<title>The app</title>Back in the app'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const callback = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  return { callback, close: () => void server.close() }
}

async function makeApp(confidential: boolean) {
  const body = { name: 'Judge', redirect_uris: [app.callback], confidential }
  const { body: made } = await stage.api.post('/api/oauth/clients', body)
  return made as { id: string; client_secret: string | null }
}

/** The person reads the page and allows it; answers the address the browser is sent to. */
async function allow(page: Page, address: URL): Promise<URL> {
  await page.goto(address.href)
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.waitForURL(`${app.callback}?*`)
  return new URL(page.url())
}

// Everything else is as strict as it comes; without TLS only because both ends are on this machine.
const plainHttp = { [oauth.allowInsecureRequests]: true }

const kinds = [
  ['a public client', false],
  ['a confidential client', true],
] as const

// As a confidential one, openid-client goes the same way below.
describe.for(shareOf<(typeof kinds)[number]>(kinds, 0, 2))(
  'the whole flow by oauth4webapi, as %s',
  ([, confidential]) => {
    test('discovery, authorize in a browser without scripts, token, refresh, introspect, revoke', async () => {
      const made = await makeApp(confidential)
      const client: oauth.Client = { client_id: made.id }
      const proof = made.client_secret ? oauth.ClientSecretBasic(made.client_secret) : oauth.None()
      const url = new URL(stage.app.url)

      const resource = await oauth.processResourceDiscoveryResponse(
        url,
        await oauth.resourceDiscoveryRequest(url, plainHttp),
      )
      const server = new URL(resource.authorization_servers![0]!)
      const as = await oauth.processDiscoveryResponse(
        server,
        await oauth.discoveryRequest(server, { algorithm: 'oauth2', ...plainHttp }),
      )

      const verifier = oauth.generateRandomCodeVerifier()
      const state = oauth.generateRandomState()
      const address = new URL(as.authorization_endpoint!)
      address.search = new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: app.callback,
        response_type: 'code',
        scope: SCOPE,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        resource: resource.resource,
      }).toString()
      const visitor = await stage.visit(QUIET, { javaScriptEnabled: false })
      const landed = await allow(visitor.page, address)

      const answer = oauth.validateAuthResponse(as, client, landed, state)
      const exchanged = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        proof,
        answer,
        app.callback,
        verifier,
        { ...plainHttp, additionalParameters: { resource: resource.resource } },
      )
      const tokens = await oauth.processAuthorizationCodeResponse(as, client, exchanged)
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: SCOPE })

      const leads = (access_token: string) =>
        oauth.protectedResourceRequest(
          access_token,
          'GET',
          new URL('/api/crm/leads', url),
          undefined,
          undefined,
          plainHttp,
        )
      expect((await leads(tokens.access_token)).status).toBe(200)

      const renewed = await oauth.processRefreshTokenResponse(
        as,
        client,
        await oauth.refreshTokenGrantRequest(as, client, proof, tokens.refresh_token!, plainHttp),
      )
      expect(renewed.refresh_token).not.toBe(tokens.refresh_token)

      if (confidential) {
        const told = await oauth.processIntrospectionResponse(
          as,
          client,
          await oauth.introspectionRequest(as, client, proof, renewed.access_token, plainHttp),
        )
        expect(told).toMatchObject({ active: true, client_id: client.client_id, scope: SCOPE })
      }

      await oauth.processRevocationResponse(
        await oauth.revocationRequest(as, client, proof, renewed.refresh_token!, plainHttp),
      )
      const refused = await leads(renewed.access_token).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(oauth.WWWAuthenticateChallengeError)
      const [challenge] = (refused as oauth.WWWAuthenticateChallengeError).cause
      expect(challenge!.parameters).toMatchObject({ error: 'invalid_token' })
      expect(challenge!.parameters.resource_metadata).toBe(
        `${stage.app.url}/.well-known/oauth-protected-resource`,
      )
    })
  },
)

test('a denied request, as oauth4webapi sees it', async () => {
  const made = await makeApp(false)
  const server = new URL(stage.app.url)
  const as = await oauth.processDiscoveryResponse(
    server,
    await oauth.discoveryRequest(server, { algorithm: 'oauth2', ...plainHttp }),
  )
  const state = oauth.generateRandomState()
  const { page } = await stage.visit(await authorizePath(made.id, { state }))
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.waitForURL(`${app.callback}?*`)
  const read = () => oauth.validateAuthResponse(as, { client_id: made.id }, new URL(page.url()), state)
  expect(read).toThrow(oauth.AuthorizationResponseError)
  await expect.poll(() => new URL(page.url()).searchParams.get('error')).toBe('access_denied')
})

further('a program registers itself and gets in, by oauth4webapi', async () => {
  const server = new URL(stage.app.url)
  const as = await oauth.processDiscoveryResponse(
    server,
    await oauth.discoveryRequest(server, { algorithm: 'oauth2', ...plainHttp }),
  )
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      as,
      { redirect_uris: [app.callback], client_name: 'Robot', token_endpoint_auth_method: 'none' },
      plainHttp,
    ),
  )
  const verifier = oauth.generateRandomCodeVerifier()
  const challenge = await oauth.calculatePKCECodeChallenge(verifier)
  const path = await authorizePath(client.client_id, { code_challenge: challenge })
  const { page } = await stage.visit(QUIET)
  const landed = await allow(page, new URL(path, stage.app.url))
  const exchanged = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    oauth.None(),
    oauth.validateAuthResponse(as, client, landed, 'xyz'),
    app.callback,
    verifier,
    plainHttp,
  )
  expect((await oauth.processAuthorizationCodeResponse(as, client, exchanged)).scope).toBe(SCOPE)
})

test('the whole flow by openid-client', async () => {
  const made = await makeApp(true)
  const config = await openid.discovery(new URL(stage.app.url), made.id, made.client_secret!, undefined, {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  })
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const expectedState = openid.randomState()
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: app.callback,
    scope: SCOPE,
    state: expectedState,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const { page } = await stage.visit(QUIET)
  const tokens = await openid.authorizationCodeGrant(config, await allow(page, address), {
    pkceCodeVerifier,
    expectedState,
  })
  const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token!)
  expect(await openid.tokenIntrospection(config, renewed.access_token)).toMatchObject({ active: true })
  await openid.tokenRevocation(config, renewed.refresh_token!)
  expect(await openid.tokenIntrospection(config, renewed.access_token)).toEqual({ active: false })
})

async function authorizePath(client_id: string, changes: Record<string, string> = {}): Promise<string> {
  const verifier = oauth.generateRandomCodeVerifier()
  const query = new URLSearchParams({
    client_id,
    redirect_uri: app.callback,
    response_type: 'code',
    scope: SCOPE,
    state: 'xyz',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...changes,
  })
  return `/api/oauth/authorize?${query.toString()}`
}

describe('who sits at the browser', () => {
  further(
    'A signs out, B signs in: the page that A left open gives nothing, and a new one is for B',
    async () => {
      const made = await makeApp(false)
      const verifier = oauth.generateRandomCodeVerifier()
      const code_challenge = await oauth.calculatePKCECodeChallenge(verifier)
      const path = await authorizePath(made.id, { code_challenge })
      const { page } = await stage.stranger()
      const signInAs = async (email: string) => {
        await page.goto(await stage.app.signIn(email))
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.waitForURL(`${stage.app.url}/`)
      }
      await signInAs('a@example.test')
      const left = await page.context().newPage()
      await left.goto(stage.app.url + path)
      await left.getByText('a@example.test').waitFor()

      await page.getByRole('button', { name: /A's team/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL(/\/signin/)
      await signInAs('b@example.test')

      await left.getByRole('button', { name: 'Allow', exact: true }).click()
      await left.getByText('signed in as someone else').waitFor()
      await expect.poll(() => new URL(left.url()).origin).toBe(stage.app.url)

      const landed = await allow(left, new URL(path, stage.app.url))
      const reply = await fetch(`${stage.app.url}/api/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          grant_type: 'authorization_code',
          code: landed.searchParams.get('code'),
          redirect_uri: app.callback,
          client_id: made.id,
          code_verifier: verifier,
        }),
      })
      const { user_id } = (await reply.json()) as { user_id: string }
      const [owner] = await stage.app.database.query<{ email: string }>(
        'select email from users where id = $1',
        [user_id],
      )
      expect(owner!.email).toBe('b@example.test')
    },
  )

  test('a person who is not signed in comes through Google to the consent page and on to the app', async () => {
    const made = await makeApp(false)
    issuer.person = { sub: 'g1', email: 'gina@example.test', email_verified: true, name: 'Gina Google' }
    const { page, complaints } = await stage.stranger()
    await page.goto(stage.app.url + (await authorizePath(made.id)))
    await page.getByRole('link', { name: 'Continue with Google' }).click()
    await page.getByText('gina@example.test').waitFor()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${app.callback}?*`)
    expect(complaints).toEqual([])
  })

  further.for([
    ['GitHub', 'hubert@example.test'],
    ['Microsoft', 'mia@example.test'],
  ] as const)('%s signs a person in', async ([label, email]) => {
    hub.person = {
      id: 7,
      login: 'hubert',
      name: null,
      avatar_url: '',
      emails: [{ email, primary: true, verified: true }],
    }
    directory.person = { sub: 'm1', email, xms_edov: true, tid: TENANT, name: 'Mia' }
    const { page, complaints } = await stage.stranger()
    await page.goto(`${stage.app.url}/leads`)
    await page.getByRole('link', { name: `Continue with ${label}` }).click()
    await page.waitForURL('**/leads')
    await page.getByRole('heading', { name: 'No leads yet' }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('the consent page', () => {
  test('cannot be put into a frame of another site', async () => {
    const made = await makeApp(false)
    const path = await authorizePath(made.id)
    const { page } = await stage.visit(QUIET)
    const answered = page.waitForResponse(reply => reply.url().includes('/api/oauth/authorize'))
    await page.goto(app.callback)
    await page.setContent(`<iframe src="${stage.app.url}${path}"></iframe>`)
    await answered
    const inside = page.frames().find(frame => frame !== page.mainFrame())!
    await expect.poll(() => inside.url()).toBe('chrome-error://chromewebdata/')
    await expect.poll(() => inside.getByRole('button').count()).toBe(0)
  })

  test('is answered by the keyboard alone: untick, then allow', async () => {
    const made = await makeApp(false)
    const { page } = await stage.visit(await authorizePath(made.id))
    const write = page.getByRole('checkbox', { name: 'Create, change and delete leads' })
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate('document.activeElement.name')) === 'scope.leads:write') break
    }
    await page.keyboard.press('Space')
    await expect.poll(() => write.isChecked()).toBe(false)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${app.callback}?*`)
    const { body } = await stage.api.get('/api/oauth/grants')
    const grant = body.data.find((grant: { client: { id: string } }) => grant.client.id === made.id)
    expect(grant.scopes).toEqual(['leads:read'])
  })

  test('weighs Deny and Allow the same', async () => {
    const made = await makeApp(false)
    const { page } = await stage.visit(await authorizePath(made.id))
    const looks = await page.evaluate<Record<string, unknown>[]>(`
      [...document.querySelectorAll('.choices button')].map(button => {
        const { backgroundColor, color, font } = getComputedStyle(button)
        const { width, height } = button.getBoundingClientRect()
        return { backgroundColor, color, font, width, height }
      })`)
    const [deny, allow] = looks
    expect(deny!.backgroundColor).toMatch(/^rgb/)
    expect(deny).toEqual(allow)
  })

  const looks = ['light', 'dark'].flatMap(colorScheme => [1280, 390].map(width => ({ colorScheme, width })))
  test.for(shareOf(looks, 3, 4))(
    'and its neighbours are accessible, $colorScheme at $width px',
    async ({ colorScheme, width }) => {
      const made = await makeApp(false)
      const options = { colorScheme: colorScheme as 'light' | 'dark', viewport: { width, height: 844 } }
      await stage.api.post('/api/auth/teams', { name: 'A second team with a rather long name' })
      const { page } = await stage.visit(await authorizePath(made.id), options)
      const stranger = await stage.stranger(options)
      const email = `axe-${colorScheme}-${width}@example.test`
      await stage.api.post('/api/team/invitations', { email, role: 'MEMBER' })
      await expect.poll(() => stage.app.mail.lastTo(email)?.to).toBe(email)
      const invitation = /https?:\S+invitation\S+/.exec(stage.app.mail.lastTo(email)!.text)![0]
      const check = async (name: string, page: Page) => {
        expect(await axeFaults(page), name).toEqual([])
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        expect(overflow, `${name} is wider than the window`).toBeLessThanOrEqual(0)
      }
      await check('consent', page)
      for (const [name, address] of [
        ['sign-in', `${stage.app.url}/signin`],
        ['invitation', invitation],
        ['fault', `${stage.app.url}/api/oauth/authorize`],
      ] as const) {
        await stranger.page.goto(address)
        await check(name, stranger.page)
      }
    },
  )
})
