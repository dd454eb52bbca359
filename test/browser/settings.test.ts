import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Locator } from 'playwright-core'
import { client } from '#test/client.ts'
import { further } from '#test/tier.ts'
import { goOn, makeLead, readLead, startStage, undo, type Stage, type Visitor } from './browser.ts'

let stage: Stage
let visitor: Visitor
beforeAll(async () => {
  stage = await startStage()
  visitor = await stage.visit('/settings/sessions')
})
afterAll(() => stage.close())

const PHONE = { width: 390, height: 844 }
const WIDE = { width: 1280, height: 800 }

test('a key is shown once, works, and is refused after it is revoked; its table fits a phone', async () => {
  const { page } = visitor
  await page.setViewportSize(PHONE)
  await goOn(page, `${stage.app.url}/settings/keys`)
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  await dialog.getByLabel('Name').fill('Nightly export')
  await dialog.getByLabel('A service').check()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Enter a service name').waitFor()
  await dialog.getByLabel('Service name').fill('Billing')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = (await page.getByTestId('api-key').textContent())!
  expect(key).toMatch(/^rpk_/)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await expect.poll(() => page.getByText(key).count()).toBe(0)
  await page.getByRole('cell', { name: /Billing Service$/ }).waitFor()
  const region = 'document.querySelector(\'[aria-label="API keys"]\')'
  const hidden = await page.evaluate(`${region}.scrollWidth - ${region}.clientWidth`)
  expect(hidden).toBe(0)
  await page.setViewportSize(WIDE)

  const program = client(stage.app.url, { authorization: `Bearer ${key}` })
  await expect.poll(async () => (await program.get('/api/crm/leads')).status).toBe(200)
  await page.getByRole('button', { name: 'Revoke Nightly export' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke Nightly export' }).click()
  await page.getByText('Revoked Nightly export').waitFor()
  await expect.poll(async () => (await program.get('/api/crm/leads')).status).toBe(401)
})

test('stages are added, moved by keyboard, renamed with their leads and deleted', async () => {
  const { id } = await makeLead(stage.api, { first_name: 'Stay', pipeline_stage: 'Engage_AI' })
  const { page } = visitor
  await goOn(page, `${stage.app.url}/settings/leads`)
  const stages = async () => (await stage.api.get('/api/crm/leads/settings')).body.pipeline_stages
  await page.getByLabel('New stage name').fill('Waiting')
  await page.keyboard.press('Enter')
  await expect.poll(stages).toContain('Waiting')

  await page.getByRole('button', { name: 'Move Waiting up' }).press('Enter')
  await expect.poll(async () => (await stages()).at(-2)).toBe('Waiting')

  await page.getByRole('button', { name: 'Rename Engage AI' }).click()
  await page.getByLabel('New name for Engage AI').fill('Assisted')
  await page.keyboard.press('Enter')
  await page.getByText('Renamed Engage AI to Assisted').waitFor()
  await expect.poll(() => stages()).not.toContain('Engage_AI')
  await expect.poll(async () => (await readLead(stage.api, id)).pipeline_stage).toBe('Assisted')

  await page.getByRole('button', { name: 'Delete Assisted' }).click()
  await page.getByText('These stages still have leads: Assisted (1)').waitFor()
  await page.getByRole('button', { name: 'Delete Waiting' }).click()
  await expect.poll(stages).not.toContain('Waiting')
  await undo(page, 'Deleted Waiting')
  await expect.poll(stages).toContain('Waiting')
})

further("a field of one's own becomes a column and is filled in the table", async () => {
  const { id } = await makeLead(stage.api, { first_name: 'Custom', last_name: 'Case' })
  const { page } = await stage.visit('/settings/leads')
  await page.getByRole('button', { name: 'Add field' }).click()
  const dialog = page.getByRole('dialog', { name: 'New field' })
  await dialog.getByLabel('Name').fill('Team size')
  await dialog.getByLabel('Type').click()
  await page.getByRole('option', { name: 'Number' }).click()
  await dialog.getByRole('button', { name: 'Add field' }).click()
  await page.getByText('Added Team size').waitFor()

  await page.getByRole('link', { name: 'Leads', exact: true }).click()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Team size' }).click()
  await page.keyboard.press('Escape')
  const row = page.getByRole('row').filter({ hasText: 'Custom Case' })
  await row.getByRole('gridcell').last().dblclick()
  await page.keyboard.type('42')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await readLead(stage.api, id)).custom).toEqual({ team_size: 42 })
})

test('the settings unfold in sight, however many views stand above them', async () => {
  for (const name of ['One', 'Two', 'Three', 'Four'])
    await stage.api.post('/api/crm/views', { kind: 'leads', name, query: 'status=NEW' })
  const viewport = { width: 1280, height: 720 }
  const { page } = await stage.visit('/leads', { viewport })
  await page.getByRole('link', { name: 'Four' }).waitFor()
  const settings = page.getByRole('button', { name: 'Settings' })
  const bottomOf = async (place: Locator) => {
    const { y, height } = (await place.boundingBox())!
    return y + height
  }
  expect(await bottomOf(settings)).toBeLessThan(viewport.height)
  await settings.click()
  const last = page.getByRole('link', { name: 'Jobs and schedule' })
  await expect.poll(() => bottomOf(last)).toBeLessThan(viewport.height)
  await expect.poll(async () => (await settings.boundingBox())!.y).toBeGreaterThan(0)
})

further('the schedule tells what runs by itself', async () => {
  const { page } = await stage.visit('/settings/jobs')
  await page.getByText('No failed jobs').waitFor()
  await page.getByText('Housekeeping').click()
  await page.getByText('No runs yet.').filter({ visible: true }).waitFor()
})

test('how long data is kept is chosen in days, with what that removes, and can be undone', async () => {
  const { page } = visitor
  await goOn(page, `${stage.app.url}/settings/retention`)
  const mails = page.getByLabel('Service emails (days)')
  await mails.fill('6')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Must be a whole number from 7 to 3650').waitFor()
  await mails.fill('30')
  const audit = page.getByLabel('Audit log (days)')
  await expect.poll(() => audit.getAttribute('placeholder')).toBe('For ever')
  await audit.fill('365')
  await page.getByRole('button', { name: 'Save' }).click()
  const kept = async () => (await stage.api.get('/api/team/retention')).body
  await expect.poll(kept).toMatchObject({ mails: 30, events: 365 })
  await undo(page, 'Saved data retention')
  await expect.poll(kept).toMatchObject({ mails: 90, events: null })
})
