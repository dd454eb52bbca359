import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '#test/app.ts'
import { colleagueOf } from '#test/colleague.ts'
import { inOrder } from '#test/in-order.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { addFilter, goOn, makeLead, startStage, type Stage, type Visitor } from './browser.ts'

inOrder()

let stage: Stage
let ada: Person
let bob: Person
let visitor: Visitor
let bobsName = ''
let leadId = ''
beforeAll(async () => {
  stage = await startStage()
  ada = await stage.app.person('ada@example.test')
  bob = await colleagueOf(stage.app, ada, 'MEMBER')
  const { body: members } = await stage.api.get('/api/team/members')
  bobsName = members.data.find(({ id }: { id: string }) => id === bob.user_id).name
  leadId = (await makeLead(stage.api, { first_name: 'Grace', last_name: 'Hopper', company: 'Navy' })).id
  await stage.api.patch(`/api/crm/leads/${leadId}`, { company: '<b>Univac</b><img src=x onerror=alert(1)>' })
  await bob.browser.post(`/api/crm/leads/${leadId}/notes`, { text: 'A note' })
  await stage.api.patch(`/api/team/members/${bob.user_id}`, { role: 'VIEWER' })
  await stage.api.post('/api/keys', { name: 'Nightly export', scopes: ['leads:read', 'leads:write'] })
  visitor = await stage.visit('/settings/audit')
})
afterAll(() => stage.close())

test('a change is told in words, with what was before and after, and leads to the lead', async () => {
  const { page, complaints } = visitor
  const entry = page.getByRole('listitem').filter({ hasText: 'changed company of a lead' })
  await entry.getByRole('button', { name: 'Details' }).press('Enter')
  const row = entry.getByRole('row').filter({ hasText: 'Company' })
  await expect
    .poll(() => row.getByRole('cell').allTextContents())
    .toEqual(['Navy', '<b>Univac</b><img src=x onerror=alert(1)>'])
  const role = page.getByRole('listitem').filter({ hasText: 'changed the role of' })
  await role.getByRole('button', { name: 'Details' }).click()
  await expect
    .poll(() => role.getByRole('row').filter({ hasText: 'Role' }).getByRole('cell').allTextContents())
    .toEqual(['MEMBER', 'VIEWER'])
  await entry.getByRole('link', { name: 'Open lead' }).click()
  await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
  expect(complaints).toEqual([])
})

test('filters are in the URL, survive a reload and hold for the export', async () => {
  const { page } = visitor
  await goOn(page, `${stage.app.url}/settings/audit`)
  await addFilter(page, 'Actor', bobsName)
  await expect.poll(() => page.url()).toContain(`actor_id=${bob.user_id}`)
  await addFilter(page, 'Event', 'Note added')
  await expect.poll(() => page.url()).toContain('type=lead.noted')
  const entries = page.locator('main ol > li')
  await expect.poll(() => entries.count()).toBe(1)
  await page.reload()
  await page.getByText('added a note to a lead').waitFor()
  await expect.poll(() => entries.count()).toBe(1)
  await page.getByRole('group', { name: 'Event is Note added' }).waitFor()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines.length).toBe(2)
  expect(lines[0]).toMatch(/^"?at"?,"?type/)
  expect(lines[1]).toContain('lead.noted')
})

further('days are those of the person, and a filter that nothing fits can be reset', async () => {
  const { page } = await stage.visit('/settings/audit?from=2001-01-01&until=2001-01-31')
  await page.getByRole('heading', { name: 'No matches' }).waitFor()
  await page.getByRole('group', { name: /^Date from .*2001 until .*2001$/ }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('created the API key “Nightly export”').waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('')
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(new Date())
  await addFilter(page, 'Date')
  await page.getByLabel('Until').fill(today)
  await expect.poll(() => page.url()).toContain(`until=${today}`)
  await page.getByText('created the API key “Nightly export”').waitFor()
})

further('one entry leads to everything about the same thing', async () => {
  const { page } = await stage.visit('/settings/audit')
  const entry = page.getByRole('listitem').filter({ hasText: 'added a note to a lead' })
  await entry.getByRole('button', { name: 'Details' }).click()
  await entry.getByRole('link', { name: 'All events for this lead' }).click()
  await expect.poll(() => page.url()).toContain(`subject_id=${leadId}`)
  await expect.poll(() => page.locator('main ol > li').count()).toBe(3)
  await page.getByRole('button', { name: 'Remove filter Subject' }).click()
  await page.getByText('created the API key “Nightly export”').waitFor()
})

further('older entries come on demand, and only administrators see any', async () => {
  for (let number = 0; number < 55; number++)
    await stage.api.post(`/api/crm/leads/${leadId}/notes`, { text: `Note ${number}` })
  const { page } = await stage.visit('/settings/audit')
  const entries = page.locator('main ol > li')
  await expect.poll(() => entries.count()).toBe(50)
  await page.getByRole('button', { name: 'Show older' }).click()
  await page.getByText('created the lead “Grace Hopper”').waitFor()

  const { page: other } = await stage.stranger()
  const [name = '', value = ''] = bob.browser.headers.cookie!.split(/=(.*)/s)
  await other.context().addCookies([{ name, value, url: stage.app.url }])
  await other.goto(`${stage.app.url}/settings/audit`)
  await other.getByText('Only admins can see this page').waitFor()
})

further('axe finds nothing in the audit log', { timeout: 240_000 }, async () => {
  const scenes: Scene[] = [
    [
      '/settings/audit?type=lead.changed&type=member.role_changed&type=key.created',
      async page => {
        for (const toggle of await page.getByRole('button', { name: 'Details' }).all()) await toggle.click()
      },
    ],
    [
      '/settings/audit',
      async page => {
        await addFilter(page, 'Event')
        await page.getByRole('option', { name: 'Note added' }).waitFor()
      },
    ],
  ]
  expect(await faultsInEveryLook(stage, 'main h2', scenes)).toEqual([])
})
