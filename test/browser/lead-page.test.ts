import { afterAll, beforeAll, expect, test } from 'vitest'
import { further } from '#test/tier.ts'
import { goOn, makeLead, readLead, rowOf, startStage, type Stage, type Visitor } from './browser.ts'

let stage: Stage
let visitor: Visitor
beforeAll(async () => {
  stage = await startStage()
  visitor = await stage.visit('/settings/sessions')
})
afterAll(() => stage.close())

test('fields are edited in place and the timeline tells it at once', async () => {
  const { id } = await makeLead(stage.api, { first_name: 'Ada', company: 'Engines' })
  const { page, complaints } = visitor
  await goOn(page, `${stage.app.url}/leads/${id}`)
  await page.getByRole('button', { name: 'Company Engines' }).click()
  await page.getByRole('textbox', { name: 'Company' }).fill('Analytical Engines')
  await page.keyboard.press('Enter')
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('changed company').waitFor()
  await timeline.getByText('Analytical Engines').waitFor()

  await page.getByRole('group', { name: 'Pipeline stage' }).getByRole('button', { name: 'Contacted' }).click()
  await timeline.getByText('changed stage').waitFor()
  await expect
    .poll(() => readLead(stage.api, id))
    .toMatchObject({
      company: 'Analytical Engines',
      pipeline_stage: 'Contacted',
    })
  expect(complaints).toEqual([])
})

test('what happens while a part of the timeline is being loaded is told as well', async () => {
  const { id } = await makeLead(stage.api, { first_name: 'Ada', company: 'Engines' })
  const { page } = visitor
  await goOn(page, `${stage.app.url}/leads/${id}`)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('created this lead').waitFor()
  const door = Promise.withResolvers<void>()
  let isHeld = false
  await page.route('**/timeline?*type=lead.changed*', async route => {
    const response = await route.fetch()
    if (!isHeld) {
      isHeld = true
      await door.promise
    }
    await route.fulfill({ response })
  })
  await timeline.getByText('Changes', { exact: true }).click()
  await expect.poll(() => isHeld).toBe(true)
  await stage.api.patch(`/api/crm/leads/${id}`, { company: 'Later' })
  await page.getByRole('button', { name: 'Company Later' }).waitFor()
  // Time enough to ask for what is new, which would come too early now.
  await page.evaluate('new Promise(done => setTimeout(done, 500))')
  door.resolve()
  await timeline.getByText('changed company').waitFor()
  await page.unrouteAll()
})

test('a note is saved by Ctrl+Enter and shown with who wrote it', async () => {
  const { id } = await makeLead(stage.api, { first_name: 'Ada' })
  const { page } = visitor
  await goOn(page, `${stage.app.url}/leads/${id}`)
  await page.getByLabel('Write a note').waitFor()
  await page.keyboard.press('m')
  await page.keyboard.type('She asked for a prototype.\nBy Friday.')
  await page.keyboard.press('Control+Enter')
  const note = page.getByRole('listitem').filter({ hasText: 'She asked for a prototype.' })
  await note.getByText('You wrote a note').waitFor()
  await expect.poll(() => page.getByLabel('Write a note').inputValue()).toBe('')
  await page.getByText('Notes', { exact: true }).click()
  await expect.poll(() => page.getByText('created this lead').count()).toBe(0)
  await note.waitFor()
})

further('J and K walk through the list the lead was opened from', async () => {
  for (const first_name of ['Third', 'Second', 'First'])
    await makeLead(stage.api, { first_name, source: 'Walk' })
  await makeLead(stage.api, { first_name: 'Elsewhere' })
  const { page } = await stage.visit('/leads?source=Walk')
  await rowOf(page, 'First').getByRole('link').click()
  await page.getByText('1 of 3').waitFor()
  await page.keyboard.press('j')
  await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('heading', { level: 1, name: 'Third' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Next lead' }).isDisabled()).toBe(true)
  await page.reload()
  await page.getByText('3 of 3').waitFor()
  await page.keyboard.press('k')
  await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor()
  await page.keyboard.press('u')
  await page.getByText('3 leads').waitFor()
})

test('a lead goes to the trash, says so at its address, and is restored there', async () => {
  const { id } = await makeLead(stage.api, { first_name: 'Gone', last_name: 'Soon' })
  const { page } = visitor
  await goOn(page, `${stage.app.url}/leads/${id}`)
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByText('Moved Gone Soon to the trash').waitFor()
  await goOn(page, `${stage.app.url}/leads/${id}`)
  await page.getByRole('heading', { name: 'This lead is in the trash' }).waitFor()
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('heading', { level: 1, name: 'Gone Soon' }).waitFor()
})

further('an address of no lead says so', async () => {
  const { page } = await stage.visit('/leads/ffffffffffffffffffffffff')
  await page.getByRole('heading', { name: 'Lead not found' }).waitFor()
})

further('a page that does not exist offers the way back', async () => {
  const { page } = await stage.visit('/nowhere')
  await page.getByRole('link', { name: 'Go to leads' }).click()
  await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor()
})
