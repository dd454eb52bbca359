import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '#test/app.ts'
import { colleagueOf } from '#test/colleague.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { makeLead, QUIET, startStage, undo, type Stage } from './browser.ts'
import { arrives, sentAtOnce, thread, written } from './inbox-mail.ts'

let stage: Stage
let ada: Person
let bob: Person
beforeAll(async () => {
  stage = await startStage()
  ada = await stage.app.person('ada@example.test')
  bob = await colleagueOf(stage.app, ada, 'MEMBER')
  await stage.app.database.query(`update users set name = 'Bob Builder' where id = $1`, [bob.user_id])
})
afterAll(() => stage.close())

const PHONE = { width: 390, height: 800 }

/** Conversations with these labels alone in the list. */
async function listed(label: string, names: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) {
    const id = await written(ada, `${name}${label}`)
    await stage.api.patch(`/api/conversations/${id}`, { labels: [label] })
    ids.push(id)
  }
  return ids
}

const list = (page: Page) => page.getByRole('region', { name: 'Conversations' })
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected conversations' })
const row = (page: Page, name: string) => list(page).getByRole('listitem').getByRole('link', { name })
const box = (page: Page, name: string) => list(page).getByRole('checkbox', { name: `Select ${name}` })
const rows = (page: Page) => list(page).getByRole('listitem').getByRole('link')
const stateOf = async (id: string) => (await stage.api.get(`/api/conversations/${id}`)).body
const states = (ids: readonly string[]) => Promise.all(ids.map(async id => (await stateOf(id)).state))

test('several are selected and closed together, and each is again what it was; by keys they are labelled, given to somebody and snoozed', async () => {
  const ids = await listed('Close', ['Anna', 'Bella', 'Clara', 'Dora'])
  await stage.api.patch(`/api/conversations/${ids[0]}`, { assignee_id: null })
  const { page, complaints } = await stage.visit('/inbox?view=open&label=Close')
  await row(page, 'AnnaClose Hopper').waitFor()
  await row(page, 'AnnaClose Hopper').hover()
  await box(page, 'AnnaClose Hopper').click()
  await bar(page).getByText('1 selected').waitFor()
  await row(page, 'ClaraClose Hopper').click({ modifiers: ['Shift'] })
  await bar(page).getByText('3 selected').waitFor()
  expect(page.url()).not.toContain(ids[2])
  await bar(page).getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => rows(page).count()).toBe(1)
  await expect.poll(() => states(ids)).toEqual(['CLOSED', 'CLOSED', 'CLOSED', 'OPEN'])
  await undo(page, '3 closed')
  await expect.poll(() => states(ids)).toEqual(['OPEN', 'OPEN', 'OPEN', 'OPEN'])
  await expect.poll(() => rows(page).count()).toBe(4)
  expect(await bar(page).count()).toBe(0)

  // The same by keys alone.
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await bar(page).getByText('1 selected').waitFor()
  await page.keyboard.press('Shift+J')
  await page.keyboard.press('Shift+J')
  await bar(page).getByText('3 selected').waitFor()
  await page.keyboard.press('Shift+K')
  await bar(page).getByText('2 selected').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => bar(page).count()).toBe(0)
  await page.keyboard.press('Control+a')
  await bar(page).getByText('4 selected').waitFor()

  await page.keyboard.press('l')
  await page.getByRole('combobox', { name: 'Find or add a label' }).fill('Urgent')
  await page.keyboard.press('Enter')
  await page.getByText('Label “Urgent” added to 4').waitFor()
  await expect.poll(async () => (await stateOf(ids[3]!)).labels).toEqual(['Close', 'Urgent'])
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  await page.getByRole('option', { name: 'Bob Builder' }).click()
  await page.getByText('4 assigned to Bob Builder').waitFor()
  await expect.poll(async () => (await stateOf(ids[3]!)).assignee_id).toBe(bob.user_id)
  await undo(page, '4 assigned to Bob Builder')
  const assignees = () => Promise.all(ids.map(async id => (await stateOf(id)).assignee_id))
  await expect.poll(assignees).toEqual([null, ada.user_id, ada.user_id, ada.user_id])

  await page.keyboard.press('Control+a')
  await bar(page).getByText('4 selected').waitFor()
  await page.keyboard.press('s')
  await page.getByRole('option', { name: /^Tomorrow/ }).click()
  await expect.poll(() => states(ids)).toEqual(['SNOOZED', 'SNOOZED', 'SNOOZED', 'SNOOZED'])
  await page.getByText(/^4 snoozed until tomorrow/).waitFor()
  // Nothing is selected: the keys are those of one conversation again.
  await page.keyboard.press('e')
  expect(await states(ids)).toEqual(['SNOOZED', 'SNOOZED', 'SNOOZED', 'SNOOZED'])
  expect(complaints).toEqual([])
})

test('what cannot be changed is named and stays selected, and the open conversation is not closed instead', async () => {
  const ids = await listed('Full', ['Anna', 'Bella', 'Clara'])
  const { page, complaints } = await stage.visit(QUIET)
  // Before the page that is tried is loaded: of one that is there, the browser lets the next requests pass.
  let bulk = (route: Route) => route.fallback()
  await page.route('**/api/conversations/bulk', route => bulk(route))
  await page.goto(`${stage.app.url}/inbox/${ids[2]}?view=open&label=Full`)
  await row(page, 'BellaFull Hopper').waitFor()
  await thread(page).waitFor()
  await row(page, 'BellaFull Hopper').hover()
  await box(page, 'BellaFull Hopper').click()
  await row(page, 'AnnaFull Hopper').hover()
  await box(page, 'AnnaFull Hopper').click()
  bulk = async route => {
    const asked = route.request().postDataJSON() as { ids: string[] }
    const answer = await route.fetch({ postData: JSON.stringify({ ...asked, ids: [ids[1]] }) })
    const body = (await answer.json()) as object
    const at = asked.ids.indexOf(ids[0]!)
    await route.fulfill({ json: { ...body, failed: [{ at, detail: 'Its lead was erased.' }] } })
  }
  await page.keyboard.press('e')
  await page
    .getByRole('alert')
    .filter({ hasText: '1 could not be changed: AnnaFull Hopper. Its lead was erased.' })
    .waitFor()
  await bar(page).getByText('1 selected').waitFor()
  expect(await box(page, 'AnnaFull Hopper').isChecked()).toBe(true)
  await expect.poll(() => states(ids)).toEqual(['OPEN', 'CLOSED', 'OPEN'])
  await page.getByText('1 closed').waitFor()
  expect(page.url()).toContain(ids[2])

  bulk = route => route.abort()
  await page.keyboard.press('e')
  await page.getByRole('alert').filter({ hasText: "Couldn't reach the server" }).waitFor()
  await bar(page).getByText('1 selected').waitFor()
  expect(await states(ids)).toEqual(['OPEN', 'CLOSED', 'OPEN'])
  expect(complaints.filter(each => !/ERR_FAILED/.test(each))).toEqual([])
})

further('on a phone, "Select" in the menu shows the boxes, and a tap selects', async () => {
  await listed('Phone', ['Anna', 'Bella'])
  const { page, complaints } = await stage.visit('/inbox?view=open&label=Phone', {
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
  })
  await list(page).getByRole('button', { name: 'List actions' }).tap()
  await page.getByRole('menuitem', { name: 'Select', exact: true }).tap()
  await bar(page).getByText('None selected').waitFor()
  await row(page, 'AnnaPhone Hopper').tap()
  await box(page, 'BellaPhone Hopper').tap()
  await bar(page).getByText('2 selected').waitFor()
  await bar(page).getByRole('button', { name: 'Clear selection' }).tap()
  await list(page).getByRole('button', { name: 'List actions' }).waitFor()
  await row(page, 'AnnaPhone Hopper').tap()
  await page.getByRole('heading', { level: 1, name: 'AnnaPhone Hopper' }).waitFor()
  expect(complaints).toEqual([])
})

test('an email is forwarded with its files to somebody else, and taken back into the dialog', async () => {
  const id = await written(ada, 'Forwarded', {
    subject: 'Plan',
    text: 'The plan is attached.',
    files: [{ name: 'Plan.csv', type: 'text/csv', bytes: Buffer.from('a,b'), content_id: null }],
  })
  await makeLead(stage.api, { first_name: 'Marietta', last_name: 'Blau', email: 'blau@example.test' })
  const { page, complaints } = await stage.visit(`/inbox/${id}`)
  await thread(page).getByRole('button', { name: 'Forward', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Forward email' })
  const to = dialog.getByRole('combobox', { name: 'To', exact: true })
  await expect.poll(() => to.evaluate(e => e === (e as any).ownerDocument.activeElement)).toBe(true)
  const passed = dialog.getByRole('region', { name: 'Forwarded email' })
  await passed.getByText('Plan', { exact: true }).waitFor()
  await passed.getByText('The plan is attached.').waitFor()
  await passed.getByText('Plan.csv').waitFor()

  // What is missing is said where it is missing.
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByText('Enter an email address').waitFor()
  await dialog.getByText('Write a message').waitFor()
  await to.fill('nobody@')
  await dialog.getByLabel('Message').fill('What do you think?')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByText('nobody@ is not an email address.').waitFor()
  await dialog.getByRole('button', { name: 'Remove nobody@' }).click()
  await to.pressSequentially('marietta')
  await page.getByRole('option', { name: /Marietta Blau/ }).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Cc Bcc' }).click()
  await dialog.getByRole('combobox', { name: 'Cc', exact: true }).fill('boss@example.test')

  // Closed by mistake, all of it is there still.
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await thread(page).getByRole('button', { name: 'Forward', exact: true }).click()
  await expect.poll(() => dialog.getByLabel('Message').inputValue()).toBe('What do you think?')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Forwarded to blau@example.test').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await thread(page)
    .getByText(/^Sends in \d+ s$/)
    .waitFor()
  await thread(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => dialog.getByLabel('Message').inputValue()).toBe('What do you think?')
  await dialog.getByRole('button', { name: 'Marietta Blau', exact: true }).waitFor()
  // The answer to the lead is none of it.
  expect(await page.locator('[data-composer] textarea').inputValue()).toBe('')

  await dialog.getByRole('button', { name: 'Send' }).click()
  const mail = await sentAtOnce(stage, 'blau@example.test', 'The plan is')
  expect(mail.text).toContain('What do you think?')
  expect(mail.cc).toEqual(['boss@example.test'])
  expect(mail.attachments?.map(({ name, bytes }) => [name, bytes.toString()])).toEqual([['Plan.csv', 'a,b']])
  // The answer to all is still one to the lead and those of the email.
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('Shift+R')
  expect(await page.getByRole('list', { name: 'Cc addresses' }).count()).toBe(0)
  // Nobody has answered the lead by it.
  expect(await stateOf(id)).toMatchObject({ state: 'OPEN' })
  expect(complaints).toEqual([])
})

further('a refusal leaves the dialog as it is, and the palette forwards the last email', async () => {
  const id = await written(ada, 'Refused')
  const { page } = await stage.visit(`/inbox/${id}`)
  await thread(page).getByRole('button', { name: 'Forward', exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.type('forward')
  await page.getByRole('option', { name: /Forward last email/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Forward email' })
  await dialog.getByRole('combobox', { name: 'To', exact: true }).fill('stop@example.test')
  await dialog.getByLabel('Message').fill('Please look')
  const { status, text } = await stage.api.post('/api/outreach/suppressions', { email: 'stop@example.test' })
  expect(status, text).toBe(201)
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByRole('alert').waitFor()
  expect(await dialog.getByLabel('Message').inputValue()).toBe('Please look')

  await page.route('**/api/conversations/*/messages', route =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 422,
          contentType: 'application/problem+json',
          json: {
            status: 422,
            code: 'invalid',
            title: 'Invalid',
            errors: [{ path: 'to', message: 'must be an email address' }],
          },
        })
      : route.continue(),
  )
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByText('Must be an email address').waitFor()
  const to = dialog.getByRole('combobox', { name: 'To', exact: true })
  expect(await to.getAttribute('aria-invalid')).toBe('true')
})

further('what came from somebody who is no lead yet is forwarded once it is one', async () => {
  await arrives(ada, { from: 'stranger@example.test', from_name: 'Vera Stranger' })
  const { data } = (await stage.api.get('/api/conversations?q=stranger@example.test')).body
  const { page } = await stage.visit(`/inbox/${data[0].id}`)
  await thread(page).getByRole('button', { name: 'Forward', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Forward email' })
  await dialog.getByText('Vera Stranger is not a lead yet.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
})

further(
  'axe finds nothing while conversations are selected and an email is forwarded, in any look',
  async () => {
    const [id] = await listed('Look', ['Anna', 'Bella'])
    await stage.api.post('/api/notifications/read', { all: true })
    const select = async (page: Page) => {
      await row(page, 'AnnaLook Hopper').waitFor()
      await page.keyboard.press('Control+a')
      await bar(page).getByText('2 selected').waitFor()
    }
    const scenes: Scene[] = [
      ['/inbox?view=open&label=Look', select],
      [
        `/inbox/${id}?view=open&label=Look`,
        async page => {
          await select(page)
          await page.keyboard.press('l')
          await page.getByRole('combobox', { name: 'Find or add a label' }).waitFor()
        },
      ],
      [
        `/inbox/${id}?view=open&label=Look`,
        async page => {
          await thread(page).getByRole('button', { name: 'Forward', exact: true }).click()
          const dialog = page.getByRole('dialog', { name: 'Forward email' })
          await dialog.getByRole('button', { name: 'Cc Bcc' }).click()
          await dialog.getByRole('combobox', { name: 'Cc', exact: true }).fill('wrong')
          await dialog.getByRole('button', { name: 'Send' }).click()
          await dialog.getByText('Write a message').waitFor()
        },
      ],
    ]
    expect(await faultsInEveryLook(stage, 'main h1, main h2', scenes)).toEqual([])
  },
  300_000,
)
