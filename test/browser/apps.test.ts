import { createHash, randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '#test/app.ts'
import { client, type Client } from '#test/client.ts'
import { colleagueOf } from '#test/colleague.ts'
import { inOrder } from '#test/in-order.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { goOn, startStage, type Stage, type Visitor } from './browser.ts'

inOrder()

let stage: Stage
let ada: Person
let visitor: Visitor
beforeAll(async () => {
  stage = await startStage()
  ada = await stage.app.person('ada@example.test')
  visitor = await stage.visit('/settings/apps')
})
afterAll(() => stage.close())

const CALLBACK = 'http://127.0.0.1/callback'

test('an app is made, each wrong address is told beside it, and its secret is shown once', async () => {
  const { page, complaints } = visitor
  await page.getByRole('button', { name: 'New app' }).click()
  const dialog = page.getByRole('dialog', { name: 'New OAuth app' })
  await dialog.getByLabel('Name').fill('Warehouse')
  await dialog.getByLabel('Redirect URI 1').fill('https://warehouse.example.test/callback')
  await dialog.getByRole('button', { name: 'Add another' }).click()
  await expect.poll(() => focused(page)).toBe('Redirect URI 2')
  // An empty line between the two is left out, and the fault still finds its line.
  await dialog.getByRole('button', { name: 'Add another' }).click()
  await page.keyboard.type('http://warehouse.example.test/callback')
  await dialog.getByRole('radio', { name: 'Confidential' }).check()
  await dialog.getByRole('button', { name: 'Create app' }).click()
  await dialog.getByText('Must be https, or http on this machine (127.0.0.1)').waitFor()
  const wrong = dialog.locator('[aria-invalid=true]')
  await expect.poll(() => wrong.count()).toBe(1)
  await expect.poll(() => wrong.getAttribute('aria-label')).toBe('Redirect URI 3')
  await expect.poll(() => focused(page)).toBe('Redirect URI 3')
  await wrong.fill('http://localhost/callback')
  await page.keyboard.press('Enter')

  const secret = (await page.getByTestId('client-secret').textContent())!
  expect(secret).toMatch(/^rps_/)
  const shown = page.getByRole('dialog', { name: 'Credentials for Warehouse' })
  await shown.getByText(`${stage.app.url}/.well-known/oauth-authorization-server`).waitFor()
  await page.keyboard.press('Escape')
  await page.mouse.click(4, 4)
  await expect.poll(() => shown.isVisible()).toBe(true)
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await expect.poll(() => page.getByText(secret).count()).toBe(0)

  const [app] = await ownApps()
  expect(app.redirect_uris).toEqual(['https://warehouse.example.test/callback', 'http://localhost/callback'])
  await page.getByText(app.id, { exact: true }).waitFor()
  await page.reload()
  await page.getByText('http://localhost/callback').waitFor()
  expect(await page.content()).not.toContain(secret)
  expect(complaints).toEqual([])
})

further('a secret is renewed and the old one ends; a deleted app is gone', async () => {
  const { body: app } = await stage.api.post('/api/oauth/clients', {
    name: 'Ledger',
    redirect_uris: [CALLBACK],
    confidential: true,
  })
  const { page } = await stage.visit('/settings/apps')
  await page.getByRole('button', { name: 'New secret for Ledger' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'New secret for Ledger' }).click()
  const secret = (await page.getByTestId('client-secret').textContent())!
  expect(secret).not.toBe(app.client_secret)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await expect.poll(() => isKnown(app.id, app.client_secret)).toBe(false)
  await expect.poll(() => isKnown(app.id, secret)).toBe(true)

  await page.getByRole('button', { name: 'Delete Ledger' }).click()
  await page.getByText('All its tokens are revoked immediately').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Ledger' }).click()
  await page.getByText('Deleted Ledger').waitFor()
  await expect.poll(() => page.getByRole('heading', { name: 'Ledger' }).count()).toBe(0)
  await expect.poll(() => isKnown(app.id, secret)).toBe(false)
})

further(
  'who edits an app that somebody changed meanwhile loses nothing and overwrites nothing unasked',
  async () => {
    const { body: app } = await stage.api.post('/api/oauth/clients', {
      name: 'Shared',
      redirect_uris: [CALLBACK],
      scopes: ['leads:read'],
    })
    const { page } = await stage.visit('/settings/apps')
    await page.getByRole('button', { name: 'Edit Shared' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Mine')
    await stage.api.patch(`/api/oauth/clients/${app.id}`, { scopes: ['leads:read', 'leads:write'] })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Someone else changed this app').waitFor()
    await expect
      .poll(async () => (await stage.api.get(`/api/oauth/clients/${app.id}`)).body.name)
      .toBe('Shared')
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Mine')
    await dialog.getByRole('button', { name: 'Save mine' }).click()
    await page.getByText('Saved Mine').waitFor()
    const { name, scopes } = (await stage.api.get(`/api/oauth/clients/${app.id}`)).body
    expect({ name, scopes }).toEqual({ name: 'Mine', scopes: ['leads:read', 'leads:write'] })
  },
)

test('a connected app is told in words and is refused as soon as it is disconnected', async () => {
  const program = await connect(ada.browser, 'Assistant')
  const { page } = visitor
  await goOn(page, `${stage.app.url}/settings/connected`)
  const card = page.getByRole('listitem').filter({ hasText: 'Assistant' }).first()
  await card.getByText('Read leads, contacts and pipeline data').waitFor()
  await card.getByText('Set up here').waitFor()
  await expect.poll(async () => (await program.get('/api/crm/leads')).status).toBe(200)
  await page.getByRole('button', { name: 'Disconnect Assistant' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect Assistant' }).click()
  await page.getByText('Disconnected Assistant').waitFor()
  await expect.poll(async () => (await program.get('/api/crm/leads')).status).toBe(401)
  await page.getByText('You have no connected apps').waitFor()
})

further('an administrator sees the apps of the whole team, and whose they are', async () => {
  const colleague = await colleagueOf(stage.app, ada, 'VIEWER')
  await connect(colleague.browser, 'Dialler')
  const { page } = await stage.visit('/settings/connected')
  await page.getByText('You have no connected apps').waitFor()
  await page.getByText('Whole team').click()
  await expect.poll(() => page.url()).toContain('of=team')
  await page.getByRole('heading', { name: 'Dialler' }).waitFor()
  const { body: members } = await stage.api.get('/api/team/members')
  const { name } = members.data.find(({ id }: { id: string }) => id === colleague.user_id)
  await page.getByText(name, { exact: true }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Dialler' }).waitFor()

  const stranger = await stage.stranger()
  await signInAs(stranger.page, colleague)
  await goOn(stranger.page, `${stage.app.url}/settings/connected?of=team`)
  await stranger.page.getByRole('heading', { name: 'Dialler' }).waitFor()
  await expect.poll(() => stranger.page.getByText('Whole team').count()).toBe(0)
  await goOn(stranger.page, `${stage.app.url}/settings/apps`)
  await stranger.page.getByText('Only admins can see this page').waitFor()
})

further('axe finds nothing on the pages of apps', { timeout: 240_000 }, async () => {
  await stage.api.post('/api/oauth/clients', {
    name: 'An app with a rather long name that has to break somewhere '.repeat(3).trim(),
    redirect_uris: [`https://a-very-long-host-name.example.test/${'path/'.repeat(30)}`, CALLBACK],
    confidential: true,
  })
  await connect(ada.browser, 'Everything', 'leads:read leads:write accounts:read forms:read')
  const scenes: Scene[] = [
    [
      '/settings/apps',
      page =>
        page
          .getByText(/\d permissions$/)
          .first()
          .click(),
    ],
    ['/settings/apps', page => page.getByRole('button', { name: 'New app' }).click()],
    ['/settings/connected?of=team', page => page.getByText('4 permissions').click()],
  ]
  expect(await faultsInEveryLook(stage, 'main h3', scenes)).toEqual([])
})

async function focused(page: Page): Promise<string | null> {
  return page.locator(':focus').getAttribute('aria-label')
}

async function ownApps() {
  return (await stage.api.get('/api/oauth/clients')).body.data
}

/** Only a client with the right secret is told anything about a token, be it that it is worth nothing. */
async function isKnown(client_id: string, client_secret: string): Promise<boolean> {
  const program = client(stage.app.url)
  const { status } = await program.post('/api/oauth/introspect', { token: 'x', client_id, client_secret })
  return status === 200
}

/** The whole way as a program and a person go it: ask, consent, exchange. Answers what the program may then do. */
async function connect(person: Client, name: string, scope = 'leads:read'): Promise<Client> {
  const { body: app } = await stage.api.post('/api/oauth/clients', { name, redirect_uris: [CALLBACK] })
  const verifier = randomBytes(32).toString('base64url')
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: app.id,
    redirect_uri: CALLBACK,
    scope,
    state: 'state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const consent = await person.get(`/api/oauth/authorize?${asked}`)
  const answer = new URLSearchParams({
    pending: /name="pending" value="([^"]+)"/.exec(consent.text)![1]!,
    decision: 'allow',
    ...Object.fromEntries(scope.split(' ').map(each => [`scope.${each}`, 'on'])),
  })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const back = await person.raw('POST', '/api/oauth/consent', String(answer), form)
  const program = client(stage.app.url)
  const { body: token } = await program.post('/api/oauth/token', {
    grant_type: 'authorization_code',
    client_id: app.id,
    code: new URL(back.headers.get('location')!).searchParams.get('code'),
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  })
  return client(stage.app.url, { authorization: `Bearer ${token.access_token}` })
}

async function signInAs(page: Page, person: Person): Promise<void> {
  const [name = '', value = ''] = person.browser.headers.cookie!.split(/=(.*)/s)
  await page.context().addCookies([{ name, value, url: stage.app.url }])
}
