import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccounts } from '#adapters/email/accounts.ts'
import { closeAll, startServer } from '#adapters/email/email.harness.ts'
import { openMailboxServers } from '#adapters/mailbox/servers.ts'
import type { MailboxProvider, MailboxServers, MailLogin } from '#platform/ports/mailbox.ts'
import { IMAP_PASSWORD, IMAP_USER, startImapServer, type ImapServer } from '#test/imap-server.ts'
import { inOrder } from '#test/in-order.ts'
import { memoryMailboxServers } from '#test/mailboxes.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, furtherScene, type Scene } from './axe.ts'
import { goOn, startStage, type Stage, type Visitor } from './browser.ts'

inOrder()

const PATH = '/settings/mailboxes'
const HOST = '127.0.0.1'
const DOMAIN = IMAP_USER.slice(IMAP_USER.indexOf('@') + 1)
const WRONG_PASSWORD = 'not this one'

/** Asks nobody: what its person says is decided here. */
const google: MailboxProvider & { allows: boolean } = {
  allows: false,
  name: 'google',
  imap: { host: 'imap.gmail.com', port: 993, security: 'tls' },
  smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls' },
  async authorizeUrl({ state, redirect_uri }) {
    const answer = google.allows ? 'code=allowed' : 'error=access_denied'
    return `${redirect_uri}?state=${state}&${answer}`
  },
  exchange: async () => ({ ...(await google.refresh('')), address: 'ada@gmail.com' }),
  refresh: async () => ({
    access_token: 'access',
    refresh_token: 'refresh',
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  }),
}

let stage: Stage
let visitor: Visitor
let imap: ImapServer
const ports = { imap: '', smtp: '' }

beforeAll(async () => {
  const outside = { outboundAllowHosts: [HOST] }
  imap = await startImapServer()
  const smtp = await startServer({
    authOptional: false,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (username === IMAP_USER && password === IMAP_PASSWORD) done(null, { user: username })
      else done(Object.assign(new Error('Invalid credentials'), { responseCode: 535 }))
    },
  })
  ports.imap = new URL(imap.url).port
  ports.smtp = new URL(smtp.url).port
  stage = await startStage({
    config: outside,
    ports: {
      mailboxServers: withTokens(openMailboxServers(outside, openAccounts(outside))),
      mailboxProviders: [google],
    },
  })
  visitor = await stage.visit(PATH)
})
afterAll(async () => {
  await stage.close()
  await imap.close()
  await closeAll()
})

test('a mailbox is connected by its password: a wrong one is told at its field, and nothing typed is lost', async () => {
  const { page, complaints } = visitor
  await page.getByRole('heading', { name: 'No shared mailboxes' }).waitFor()
  await page.getByRole('button', { name: 'Connect a mailbox' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email address').fill('nonsense')
  await page.keyboard.press('Enter')
  await dialog.getByText('Enter an email address').waitFor()
  await dialog.getByLabel('Email address').fill(IMAP_USER)
  await page.keyboard.press('Enter')

  // Nothing is known of its servers: they are asked for.
  const password = dialog.getByLabel('Password', { exact: true })
  await password.fill(WRONG_PASSWORD)
  await chooseServer(page, 'IMAP', ports.imap)
  await chooseServer(page, 'SMTP', ports.smtp)
  await dialog.getByLabel('Import earlier emails (days)').fill('400')
  await page.keyboard.press('Enter')
  await dialog.getByText('Enter a number from 0 to 365').waitFor()
  await dialog.getByLabel('Import earlier emails (days)').fill('7')
  await page.keyboard.press('Enter')
  await dialog.getByText(`The IMAP server ${HOST} rejected the user name or password`).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.labels[0].textContent')).toBe('Password')
  expect(await mailboxes()).toEqual([])

  await expect.poll(() => dialog.getByLabel('SMTP port').inputValue()).toBe(ports.smtp)
  await password.fill(IMAP_PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText(`Connected ${IMAP_USER}`).waitFor()
  await rowOf(page).getByText('Working').waitFor()
  expect(await mailboxes()).toMatchObject([
    { address: IMAP_USER, owner_id: null, visibility: 'team', import_days: 7, kind: 'imap' },
  ])

  // It is not connected twice.
  await page.getByRole('button', { name: 'Connect a mailbox' }).click()
  await dialog.getByLabel('Email address').fill(IMAP_USER.toUpperCase())
  await page.keyboard.press('Enter')
  await dialog.getByText('This mailbox is already connected').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(complaints.splice(0)).toEqual([])
})

further('its name and signature are changed, also when somebody else changes it meanwhile', async () => {
  const { page, complaints } = visitor
  await act(page, 'Edit')
  const dialog = page.getByRole('dialog', { name: `Edit ${IMAP_USER}` })
  await dialog.getByLabel('Sender name').fill('Brightwater')
  await dialog.getByLabel('Default for new conversations').check()
  await dialog.getByLabel('New senders become leads').check()
  const [mailbox] = await mailboxes()
  const theirs = { signature: 'Theirs' }
  expect((await stage.api.patch(`/api/mailboxes/${mailbox!.id}`, theirs)).status).toBe(200)

  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Someone else changed this mailbox. Save again to keep your changes.').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await rowOf(page).getByText('sends as Brightwater').waitFor()
  await rowOf(page).getByText('Default').waitFor()
  expect(await mailboxes()).toMatchObject([
    { name: 'Brightwater', is_default: true, creates_leads: true, ...theirs },
  ])

  // What others change is seen without a reload.
  await stage.api.patch(`/api/mailboxes/${mailbox!.id}`, { name: 'Brightwater Lifts' })
  await rowOf(page).getByText('sends as Brightwater Lifts').waitFor()
  await page.getByRole('button', { name: 'Edit Daily limit' }).click()
  await dialog.getByLabel('Daily limit').fill('0')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Enter a number from 1 to 10,000, or nothing').waitFor()
  await dialog.getByLabel('Daily limit').fill('150')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('region', { name: IMAP_USER }).getByText('150 emails').waitFor()
  expect(await mailboxes()).toMatchObject([{ daily_limit: 150 }])
  expect(complaints.splice(0)).toEqual([])
})

test('its signature is formatted, previewed as it is sent, saved and tested', async () => {
  const { page, complaints } = visitor
  const [{ id }] = (await mailboxes()) as [{ id: string }]
  await stage.api.patch(`/api/mailboxes/${id}`, { name: 'Brightwater Lifts' })
  await goOn(page, `${stage.app.url}/settings/sessions`)
  await goOn(page, stage.app.url + PATH)
  await rowOf(page).getByRole('link').click()
  await expect.poll(() => new URL(page.url()).search).toBe(`?id=${id}`)
  const part = page.getByRole('region', { name: 'Signature' })
  const field = part.getByLabel(`Signature of ${IMAP_USER}`)
  await field.fill('sales')
  await field.press('Control+a')
  await part.getByRole('button', { name: 'Bold' }).click()
  await expect.poll(() => field.inputValue()).toBe('**sales**')
  await field.press('End')
  await part.getByRole('button', { name: 'Sender’s name' }).click()
  await expect.poll(() => field.inputValue()).toBe('**sales**{{senderName}}')
  const preview = page.frameLocator('iframe[title="Preview of the signature"]')
  await preview.locator('strong').getByText('sales').waitFor()
  await preview.getByText('Brightwater Lifts').waitFor()
  await part.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved the signature').waitFor()
  expect(await mailboxes()).toMatchObject([{ signature: '**sales**{{senderName}}' }])
  await part.getByRole('button', { name: 'Send me a test' }).click()
  await page.getByText('Sent a test to ada@example.test').waitFor()
  expect(complaints.splice(0)).toEqual([])
})

test('the records of its domain are checked, and a missing one is there to copy', async () => {
  const { page, complaints } = visitor
  const health = page.getByRole('region', { name: IMAP_USER })
  await health.getByText('SPF is missing').waitFor()
  await health.getByText('DKIM not found').waitFor()
  await health.getByRole('button', { name: 'Show DNS record for DMARC' }).click()
  await health.getByText(`_dmarc.${DOMAIN}`, { exact: true }).waitFor()
  await health.getByText(`v=DMARC1; p=none; rua=mailto:${IMAP_USER}`).waitFor()
  await health.getByRole('button', { name: 'Copy Value' }).waitFor()
  await health.getByRole('button', { name: 'Hide DNS record for DMARC' }).click()
  await health.getByText(`_dmarc.${DOMAIN}`, { exact: true }).waitFor({ state: 'detached' })
  expect(complaints.splice(0)).toEqual([])
})

test('one that stopped working says why and what to do, and is disconnected', async () => {
  const { page, complaints } = visitor
  await rowOf(page).getByText('Working').waitFor()
  await act(page, 'Edit')
  const dialog = page.getByRole('dialog', { name: `Edit ${IMAP_USER}` })
  await dialog.getByRole('button', { name: 'Password and servers' }).click()
  await dialog.getByLabel('New password').fill(WRONG_PASSWORD)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/^The \w+ server \S+ rejected the user name or password/).waitFor()
  await page.keyboard.press('Escape')

  await imap.close()
  await act(page, 'Check now')
  await rowOf(page).getByText('Not working').waitFor()
  await page.getByText(/^The IMAP server \S+ cannot be used/).waitFor()
  await page.getByRole('button', { name: `Change sign-in of ${IMAP_USER}` }).click()
  await dialog.getByLabel('New password').waitFor()
  await page.keyboard.press('Escape')

  await act(page, 'Disconnect…')
  const question = page.getByRole('dialog', { name: `Disconnect ${IMAP_USER}?` })
  await question.getByText('Conversations keep all their emails and files').waitFor()
  await question.getByRole('button', { name: `Disconnect ${IMAP_USER}` }).click()
  await page.getByRole('heading', { name: 'No shared mailboxes' }).waitFor()
  expect(await mailboxes()).toEqual([])
  expect(complaints.splice(0)).toEqual([])
})

further('a provider that is not allowed to give access says so', async () => {
  const { page, complaints } = visitor
  google.allows = false
  await connectAtGoogle(page)
  await page.getByRole('alert').getByText('access was not allowed').waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  expect(complaints.splice(0)).toEqual([])
})

test('a mailbox at a provider is connected there, and what came of it is told once', async () => {
  const { page, complaints } = visitor
  google.allows = true
  await connectAtGoogle(page)
  const told = page.getByRole('status').getByText('ada@gmail.com is connected. The team can read')
  await told.waitFor()
  await expect.poll(() => new URL(page.url()).search).toMatch(/^\?id=[0-9a-f]{24}$/)
  expect(await mailboxes()).toMatchObject([{ address: 'ada@gmail.com', kind: 'google', import_days: 0 }])
  await goOn(page, `${stage.app.url}/settings/sessions`)
  await goOn(page, stage.app.url + PATH)
  await page.getByText('You, Google, the team can read it').first().waitFor()
  await expect.poll(() => told.count()).toBe(0)
  expect(complaints.splice(0)).toEqual([])
})

further('axe finds nothing in the list and its dialogs, in any look', async () => {
  await makeMailboxes()
  const open = (name: string) => (page: Page) => page.getByRole('button', { name }).click()
  const scenes: Scene[] = [
    [PATH],
    [`${PATH}?failed=refused`],
    [PATH, open('Connect a mailbox')],
    [
      PATH,
      async page => {
        await open('Connect a mailbox')(page)
        await page.getByLabel('Email address').fill('ada@brightwater.example')
        await page.getByRole('radio', { name: 'Only me' }).check()
        await page.getByRole('button', { name: 'Continue' }).click()
        await page.getByLabel('IMAP server').waitFor()
      },
    ],
    [`${PATH}?id=650000000000000000000001`],
    [`${PATH}?id=650000000000000000000002`, open('Change sign-in of accounts@brightwater.example')],
    ...furtherScene(`${PATH}?id=650000000000000000000001`, async page => {
      await page.getByRole('button', { name: 'More actions for hello@brightwater.example' }).click()
      await page.getByRole('menuitem', { name: 'Disconnect…' }).click()
      await page.getByRole('dialog').waitFor()
    }),
  ]
  expect(await faultsInEveryLook(stage, 'main h1, main h2', scenes)).toEqual([])
})

further('members connect only their own, and viewers only look', async () => {
  await stage.app.database.query(`update memberships set role = 'MEMBER'`)
  const { page, complaints } = await stage.visit(PATH)
  await page.getByText('hello@brightwater.example').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'More actions for hello@' }).count()).toBe(0)
  await page.getByText('Ask an admin to reconnect it.').waitFor()
  await page.getByRole('button', { name: 'Connect a mailbox' }).click()
  await page.getByText('This connects your own address.').waitFor()
  await expect.poll(() => page.getByRole('radio').count()).toBe(0)

  await stage.app.database.query(`update memberships set role = 'VIEWER'`)
  await page.reload()
  await page.getByText('hello@brightwater.example').waitFor()
  await expect.poll(() => page.getByRole('main').getByRole('button').count()).toBe(0)
  await stage.app.database.query(`update memberships set role = 'SUPER_ADMIN'`)
  expect(complaints).toEqual([])
})

/** Somebody wants to connect a mailbox of their own, and is sent to its provider. */
async function connectAtGoogle(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect a mailbox' }).click()
  await page.getByLabel('Email address').fill('ada@gmail.com')
  await page.getByRole('radio', { name: 'Only me' }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Import earlier emails (days)').fill('0')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
}

/** Who signs in with a token comes to a mailbox that is only here. */
function withTokens(real: MailboxServers): MailboxServers {
  const memory = memoryMailboxServers()
  const at = ({ secret }: MailLogin) => (secret.kind === 'token' ? memory : real)
  return {
    ...real,
    find: login => at(login).find(login),
    read: (login, from, limit) => at(login).read(login, from, limit),
    watch: (login, news) => at(login).watch(login, news),
  }
}

async function mailboxes(): Promise<Record<string, unknown>[]> {
  return (await stage.api.get('/api/mailboxes')).body.data
}

function rowOf(page: Page) {
  return page.getByRole('listitem').filter({ hasText: IMAP_USER })
}

async function act(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${IMAP_USER}` }).click()
  await page.getByRole('menuitem', { name }).click()
}

async function chooseServer(page: Page, name: 'IMAP' | 'SMTP', port: string): Promise<void> {
  await page.getByLabel(`${name} server`).fill(HOST)
  await page.getByRole('combobox', { name: `${name} encryption` }).click()
  await page.getByRole('option', { name: 'None' }).click()
  await page.getByLabel(`${name} port`).fill(port)
}

/** One that works, and one that does not, which nothing reads. */
async function makeMailboxes(): Promise<void> {
  const ids = ['650000000000000000000001', '650000000000000000000002']
  const server = (host: string, port: number) => JSON.stringify({ host, port, security: 'tls' })
  await stage.app.database.query(
    `insert into mailboxes (team_id, id, kind, visibility, address, is_default, creates_leads, username, imap, smtp, secret, import_days,
         state, note, failing_since, checked_at, created_at, updated_at)
       select team_id, each.id, 'imap', 'team', each.address, false, false, each.address, $3, $4, 'sealed', 30, each.state, each.note,
         case when each.note is not null then now() end, now(), now(), now()
       from memberships, (values ($1, 'hello@brightwater.example', 'OK', null),
         ($2, 'accounts@brightwater.example', 'FAILING', 'The server rejected the password')) as each (id, address, state, note)`,
    [...ids, server('imap.brightwater.example', 993), server('smtp.brightwater.example', 465)],
  )
}
