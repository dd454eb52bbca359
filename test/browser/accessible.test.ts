import { afterAll, beforeAll, expect, test } from 'vitest'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, furtherScene, type Scene } from './axe.ts'
import { makeLead, startStage, type Stage } from './browser.ts'

let stage: Stage
let leadId = ''
beforeAll(async () => {
  stage = await startStage()
  await stage.api.patch('/api/crm/leads/settings', {
    custom_fields: [
      { key: 'size', label: 'Team size', kind: 'number' },
      { key: 'tier', label: 'Tier', kind: 'choice', options: ['Gold', 'Silver'] },
    ],
  })
  const { body: session } = await stage.api.get('/api/auth/session')
  for (let number = 0; number < 8; number++) {
    const lead = await makeLead(stage.api, {
      first_name: 'Person',
      last_name: String(number),
      email: `person${number}@example.test`,
      website: 'https://example.test',
      owner_id: number % 2 ? session.user.id : null,
      pipeline_stage: number % 3 ? 'New' : 'Won',
    })
    leadId = lead.id
  }
  await stage.api.post(`/api/crm/leads/${leadId}/notes`, { text: 'A note' })
  await stage.api.patch(`/api/crm/leads/${leadId}`, { company: 'Example', status: 'WORKING' })
  await stage.api.post('/api/crm/views', { kind: 'leads', name: 'Mine', query: 'status=NEW' })
  await stage.api.post('/api/keys', { name: 'A key', scopes: ['leads:read', 'leads:write'] })
})
afterAll(() => stage.close())

test('axe finds nothing in filters, dialogs and the palette, in any look', async () => {
  const filled: Scene[1] = page => page.getByText('A note', { exact: true }).waitFor()
  const scenes: Scene[] = [
    // A lead is selected, and the list filtered.
    [
      '/leads?status=NEW&created_after=-30d',
      page => page.getByRole('checkbox', { name: 'Select Person 6' }).click(),
    ],
    ['/leads?pipeline_stage=New', page => page.getByRole('button', { name: 'Stage is New' }).click()],
    ['/leads', page => page.keyboard.press('n').then(() => page.getByRole('dialog').waitFor())],
    ['/leads', page => page.keyboard.press('Control+k').then(() => page.getByRole('combobox').waitFor())],
    ...furtherScene('/leads', page =>
      page.keyboard.press('?').then(() => page.getByRole('dialog').waitFor()),
    ),
    ...furtherScene('/leads?q=zzzzzzzzzz'),
    ...furtherScene('/leads?trashed=true'),
    ...furtherScene('/leads/ffffffffffffffffffffffff'),
    ...furtherScene(`/leads/${leadId}?row=0`, filled),
    ...furtherScene(`/leads/${leadId}`, page => page.getByRole('button', { name: /^Owner/ }).click()),
    ...furtherScene('/settings/keys', page => page.getByRole('button', { name: 'New key' }).click()),
    ...furtherScene('/settings/jobs', page => page.getByText('Housekeeping').click()),
  ]
  expect(await faultsInEveryLook(stage, 'main h1, main h2', scenes)).toEqual([])
}, 300_000)

test('a reader can jump over the navigation, and a page change puts the focus on its heading', async () => {
  const { page } = await stage.visit('/leads')
  await page.getByRole('row').nth(1).waitFor()
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
  await page.getByRole('link', { name: 'Accounts' }).click()
  await expect
    .poll(() => page.evaluate('document.activeElement.tagName + document.activeElement.textContent'))
    .toBe('H1Accounts')
})

further('settings stand in the navigation for whoever opens them, or is at one of them', async () => {
  const { page } = await stage.visit('/leads')
  const settings = page.getByRole('button', { name: 'Settings', exact: true })
  const keys = page.getByRole('link', { name: 'API keys' })
  await settings.waitFor()
  await expect.poll(() => keys.count()).toBe(0)
  await settings.press('Enter')
  await keys.click()
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
  await page.reload()
  await keys.waitFor()
  await settings.press('Enter')
  await keys.waitFor({ state: 'detached' })
  // Whoever comes there by another way sees where they are.
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await page.getByRole('link', { name: 'Members' }).waitFor()
})

test('the chosen colours are there before the first paint and stay after a reload', async () => {
  const { page } = await stage.visit('/leads', { colorScheme: 'light' })
  await page.getByRole('row').nth(1).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('dark')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('dark')
  await page.reload({ waitUntil: 'commit' })
  await expect.poll(() => page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('dark')
})
