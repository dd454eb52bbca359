import { afterAll, beforeAll, expect, test } from 'vitest'
import { further } from '#test/tier.ts'
import { startLine } from './line.ts'
import { cell, makeLead, readLead, rowOf, startStage, type Stage } from './browser.ts'

let stage: Stage
beforeAll(async () => (stage = await startStage()))
afterAll(() => stage.close())

const COMPANY = 2

test('an edit in one tab appears in the other, and so do new and deleted leads', async () => {
  await makeLead(stage.api, { first_name: 'Mary', last_name: 'Shared', company: 'Before' })
  const first = await stage.visit('/leads')
  const second = await stage.tab(first, '/leads')
  await cell(second.page, 'Mary Shared', COMPANY).waitFor()

  await cell(first.page, 'Mary Shared', COMPANY).dblclick()
  await first.page.keyboard.type('After')
  await first.page.keyboard.press('Enter')
  await cell(second.page, 'Mary Shared', COMPANY).filter({ hasText: 'After' }).waitFor()

  const { id } = await makeLead(stage.api, { first_name: 'Newly', last_name: 'Arrived' })
  await rowOf(second.page, 'Newly Arrived').waitFor()
  await stage.api.delete(`/api/crm/leads/${id}`)
  await expect.poll(() => rowOf(second.page, 'Newly Arrived').count()).toBe(0)
  expect(second.complaints).toEqual([])
})

further('the timeline grows while it is read', async () => {
  const { id } = await makeLead(stage.api, { first_name: 'Watched' })
  const { page } = await stage.visit(`/leads/${id}`)
  await page.getByText('created this lead').waitFor()
  await stage.api.post(`/api/crm/leads/${id}/notes`, { text: 'Written elsewhere' })
  await page.getByText('Written elsewhere').waitFor()
  await stage.api.patch(`/api/crm/leads/${id}`, { company: 'Changed elsewhere' })
  await page.getByRole('button', { name: 'Company Changed elsewhere' }).waitFor()
})

test('a tab that lost the stream says so, and catches up with what it missed', async () => {
  const { id } = await makeLead(stage.api, { first_name: 'Missed', last_name: 'Nothing', company: 'Before' })
  await using line = await startLine(stage.app.url)
  const { page } = await stage.visit('/healthz')
  await page.goto(`${line.url}/leads`)
  await rowOf(page, 'Missed Nothing').waitFor()
  // One change arrives, so that there is a place to resume from.
  await stage.api.patch(`/api/crm/leads/${id}`, { company: 'Seen' })
  await cell(page, 'Missed Nothing', COMPANY).filter({ hasText: 'Seen' }).waitFor()

  line.cut()
  await page.getByText('Reconnecting').first().waitFor()
  await stage.api.patch(`/api/crm/leads/${id}`, { company: 'Unseen' })
  line.mend()
  await cell(page, 'Missed Nothing', COMPANY).filter({ hasText: 'Unseen' }).waitFor()
  await expect.poll(() => page.getByText('Reconnecting').count()).toBe(0)
})

further('undo asks first when somebody has changed the field again', async () => {
  const { id } = await makeLead(stage.api, { first_name: 'Twice', last_name: 'Changed', company: 'Before' })
  const { page } = await stage.visit('/leads')
  await cell(page, 'Twice Changed', COMPANY).dblclick()
  await page.keyboard.type('Mine')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
  await stage.api.patch(`/api/crm/leads/${id}`, { company: 'Theirs' })
  await cell(page, 'Twice Changed', COMPANY).filter({ hasText: 'Theirs' }).waitFor()

  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Twice Changed has changed since.').waitFor()
  await expect.poll(async () => (await readLead(stage.api, id)).company).toBe('Theirs')
  await page.getByRole('button', { name: 'Undo anyway' }).click()
  await expect.poll(async () => (await readLead(stage.api, id)).company).toBe('Before')
})

further('many leads changed elsewhere at once all arrive', async () => {
  const ids: string[] = []
  for (let number = 0; number < 60; number++) {
    ids.push((await makeLead(stage.api, { first_name: 'Crowd', last_name: String(number) })).id)
  }
  const { page } = await stage.visit('/leads?q=Crowd')
  await page.getByText('60 leads').waitFor()
  await stage.api.post('/api/crm/leads/bulk', { ids, set: { company: 'Moved AG' } })
  await expect.poll(() => page.getByRole('gridcell', { name: 'Moved AG' }).count()).toBeGreaterThan(15)
  await expect
    .poll(() => page.getByRole('gridcell', { name: 'Moved AG' }).count())
    .toBe(await page.locator('[data-row]').count())
})
