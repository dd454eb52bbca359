import { afterAll, beforeAll, expect, test } from 'vitest'
import { further } from '#test/tier.ts'
import { cell, goOn, makeLead, rowOf, startStage, type Stage } from './browser.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
  await makeLead(stage.api, { first_name: 'Seen', last_name: 'Only', company: 'Fixed AG' })
  await stage.api.post('/api/crm/tasks', { title: 'Seen too' })
  await stage.app.database.query(`update memberships set role = 'VIEWER'`)
})
afterAll(() => stage.close())

test('a viewer reads everything and is offered nothing that would be refused', async () => {
  const { page, complaints } = await stage.visit('/leads')
  await rowOf(page, 'Seen Only').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'New lead' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('link', { name: 'Members' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'API keys' }).count()).toBe(0)

  await cell(page, 'Seen Only', 2).dblclick()
  await expect.poll(() => page.getByRole('grid').getByRole('textbox').count()).toBe(0)
  await expect.poll(() => page.getByRole('grid').getByRole('checkbox').count()).toBe(0)

  await rowOf(page, 'Seen Only').getByRole('link').click()
  await page.getByText('created this lead').waitFor()
  await expect.poll(() => page.getByLabel('Write a note').count()).toBe(0)
  await expect.poll(() => page.getByRole('button', { name: 'Company Fixed AG' }).isDisabled()).toBe(true)

  await goOn(page, `${stage.app.url}/settings/keys`)
  await page.getByRole('heading', { name: 'Only admins can see this page' }).waitFor()
  expect(complaints).toEqual([])
})

further('a viewer sees the day, the tasks and the imports, and no way to change them', async () => {
  const { page, complaints } = await stage.visit('/')
  await page.getByRole('link', { name: /^New 1 lead/ }).waitFor()
  await goOn(page, `${stage.app.url}/tasks?assignee_id=anyone`)
  await page.getByRole('checkbox', { name: 'Check off Seen too' }).waitFor()
  await expect.poll(() => page.getByRole('checkbox', { name: 'Check off Seen too' }).isDisabled()).toBe(true)
  await expect.poll(() => page.getByPlaceholder('Add a task').count()).toBe(0)
  await expect.poll(() => page.getByRole('button', { name: /^Snooze/ }).count()).toBe(0)
  await goOn(page, `${stage.app.url}/imports`)
  await page.getByRole('heading', { name: 'No imports yet' }).waitFor()
  await expect.poll(() => page.getByLabel('CSV file').count()).toBe(0)
  expect(complaints).toEqual([])
})
