import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { Person } from '#test/app.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { goOn, makeLead, startStage, undo, type Stage, type Visitor } from './browser.ts'
import { arrives, reply, sentAtOnce, thread } from './inbox-mail.ts'

let stage: Stage
let visitor: Visitor
let ada: Person
let account_id: string
beforeAll(async () => {
  stage = await startStage()
  ada = await stage.app.person('ada@example.test')
  account_id = await made('/api/crm/accounts', { name: 'Engines' })
  await made('/api/outreach/templates', {
    name: 'Introduction',
    subject: 'Plans for {{firstName}}',
    body: 'Dear {{firstName}},\n\nsee **our** plans.\n\n{{senderName}}',
  })
  await person('Emmy', '2026-03-01T10:00:00Z')
  await person('Grace', '2026-03-02T10:00:00Z')
  await made('/api/crm/opportunities', { name: 'Engine for Lise', lead_id: await lead('Lise') })
  visitor = await stage.visit('/settings/sessions')
})
afterAll(() => stage.close())

async function made(path: string, body: object): Promise<string> {
  const { status, body: answer, text } = await stage.api.post(path, body)
  expect(status, text).toBe(201)
  return answer.id
}

async function lead(first_name: string, fields: object = {}): Promise<string> {
  const email = `${first_name.toLowerCase()}@example.test`
  return (await makeLead(stage.api, { first_name, last_name: 'Noether', email, ...fields })).id
}

/** Somebody of the account, who has written. */
async function person(first_name: string, at: string): Promise<void> {
  await lead(first_name, { account_id })
  const from = `${first_name.toLowerCase()}@example.test`
  await arrives(ada, { from, at, subject: 'Plans', text: `This is ${first_name}. Have you plans?` })
}

const panel = (page: Page) => page.getByRole('region', { name: 'Conversations' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'New message' })
const text = (page: Page) => dialog(page).getByLabel('Message')

test('one of the people of an account is written to from its page: with a template, and tomorrow', async () => {
  const { page, complaints } = visitor
  await goOn(page, `${stage.app.url}/accounts/${account_id}`)
  await panel(page).getByRole('link', { name: 'Grace Noether' }).waitFor()
  expect(await panel(page).getByRole('link').allInnerTexts()).toEqual(['Grace Noether', 'Emmy Noether'])
  await page.keyboard.press('r')
  // Whoever was spoken to last is chosen; here it is to be another one.
  const choice = dialog(page).getByRole('combobox', { name: 'Lead' })
  await expect.poll(() => choice.inputValue()).toMatch(/^Grace Noether/)
  await choice.fill('emmy')
  await page.getByRole('option', { name: /^Emmy Noether/ }).click()
  await dialog(page).getByRole('button', { name: 'Draft a reply' }).waitFor()
  await dialog(page).getByRole('button', { name: 'Templates' }).click()
  await page.getByRole('combobox', { name: 'Find a template' }).fill('intro')
  await page.getByRole('option', { name: 'Introduction' }).click()
  await expect.poll(() => text(page).inputValue()).toMatch(/^Dear Emmy,\n\nsee our plans\.\n\n\S+/)
  expect(await dialog(page).getByLabel('Subject').inputValue()).toBe('Plans for Emmy')
  await dialog(page).getByRole('button', { name: 'Send later' }).click()
  await page
    .getByRole('menuitem', { name: /^Tomorrow/ })
    .first()
    .click()
  await dialog(page).waitFor({ state: 'detached' })
  await panel(page).getByText('Waiting for reply').waitFor()
  await panel(page).getByRole('link', { name: 'Emmy Noether' }).click()
  await thread(page).getByText('Dear Emmy').waitFor()
  await thread(page)
    .getByText(/tomorrow/i)
    .first()
    .waitFor()
  expect(complaints.splice(0)).toEqual([])
})

further(
  'the first message to the lead of a deal is taken back, and its text is in the conversation',
  async () => {
    const { data } = (await stage.api.get('/api/crm/opportunities?q=Lise')).body
    const { page, complaints } = visitor
    await goOn(page, `${stage.app.url}/opportunities/${data[0].id}`)
    await panel(page).getByText('None yet.').waitFor()
    await panel(page).getByRole('button', { name: 'Write' }).click()
    await text(page).fill('May I come?')
    await dialog(page).getByLabel('Subject').fill('A visit')
    await page.keyboard.press('Control+Enter')
    await panel(page).getByRole('link', { name: 'Lise Noether' }).waitFor()
    await undo(page, 'Message to Lise Noether')
    await page.waitForURL('**/inbox/*')
    await expect.poll(() => reply(page).inputValue()).toBe('May I come?')
    await reply(page).press('Control+Enter')
    await sentAtOnce(stage, 'lise@example.test', 'May I come?')
    expect(complaints.splice(0)).toEqual([])
  },
)

further('what would hold a first message is said before it is written', async () => {
  await stage.api.post('/api/outreach/suppressions', { email: 'otto@example.test' })
  const id = await lead('Otto')
  const { page } = await stage.visit(`/leads/${id}`)
  await page.getByText('otto@example.test is on the suppression list').waitFor()
  await page.goto(`${stage.app.url}/inbox`)
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  await page.keyboard.press('c')
  await dialog(page).getByText('Another address').click()
  await dialog(page).getByLabel('Email address or phone number').fill('otto@example.test')
  await dialog(page).getByText('otto@example.test is on the suppression list').waitFor()
  expect(await dialog(page).getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
})

further(
  'axe finds nothing in what is written from an account or a deal, in any look',
  async () => {
    const { data } = (await stage.api.get('/api/crm/opportunities?q=Lise')).body
    const write = (page: Page) =>
      panel(page)
        .getByRole('button', { name: 'Write' })
        .click()
        .then(() => text(page).waitFor())
    const scenes: Scene[] = [
      [`/accounts/${account_id}`, write],
      [`/opportunities/${data[0].id}`, write],
    ]
    expect(await faultsInEveryLook(stage, 'main h1, main h2', scenes)).toEqual([])
  },
  300_000,
)
