import { afterAll, beforeAll, expect, test } from 'vitest'
import { further } from '#test/tier.ts'
import { goOn, makeLead, rowOf, startStage, type Stage } from './browser.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
  await makeLead(stage.api, { first_name: 'Nina', pipeline_stage: 'New', source: 'Fair' })
  await makeLead(stage.api, { first_name: 'Will', pipeline_stage: 'Won', source: 'Web' })
  await makeLead(stage.api, { first_name: 'Lou', pipeline_stage: 'Lost', source: 'Web' })
})
afterAll(() => stage.close())

test('a filter is told in words, saved as a view, changed, reset and saved again', async () => {
  const { page } = await stage.visit('/leads')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Stage', exact: true }).click()
  await page.getByRole('option', { name: 'New' }).click()
  await page.getByRole('option', { name: 'Won' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('group', { name: 'Stage is New or Won' }).waitFor()
  await page.getByText('2 leads').waitFor()
  await expect.poll(() => page.url()).toContain('pipeline_stage=New&pipeline_stage=Won')

  await page.getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as view' })
  await dialog.getByLabel('Name').fill('Hopeful')
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('heading', { level: 1, name: 'Hopeful' }).waitFor()
  await expect.poll(() => page.getByText('Unsaved changes').count()).toBe(0)

  await page.getByRole('columnheader', { name: 'Company' }).getByRole('button').click()
  await page.getByText('Unsaved changes').waitFor()
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect.poll(() => page.getByText('Unsaved changes').count()).toBe(0)

  await page.getByRole('button', { name: 'Remove filter Stage' }).click()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Phone' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => page.getByText('Unsaved changes').count()).toBe(0)
  const { body } = await stage.api.get('/api/crm/views')
  expect(body.data).toMatchObject([{ name: 'Hopeful', query: '' }])
  expect(body.data[0].columns.map(({ key }: { key: string }) => key)).not.toContain('phone')
})

further('a view is one click away in the navigation and survives a reload', async () => {
  await stage.api.post('/api/crm/views', {
    kind: 'leads',
    name: 'From the web',
    query: 'source=Web&sort=last_name',
  })
  const { page } = await stage.visit('/leads')
  await page.getByRole('link', { name: 'From the web' }).click()
  await page.getByRole('group', { name: 'Source is Web' }).waitFor()
  await page.getByText('2 leads').waitFor()
  await page.reload()
  await rowOf(page, 'Lou').waitFor()
  await expect.poll(() => page.getByText('Unsaved changes').count()).toBe(0)
})

further('a deleted view comes back by undo', async () => {
  await stage.api.post('/api/crm/views', { kind: 'leads', name: 'Short-lived', query: 'status=NEW' })
  const { page } = await stage.visit('/leads')
  await page.getByRole('link', { name: 'Short-lived' }).click()
  await page.getByRole('button', { name: 'More actions for the view Short-lived' }).click()
  await page.getByRole('menuitem', { name: 'Delete view' }).click()
  await expect.poll(() => page.getByRole('link', { name: 'Short-lived' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'Short-lived' }).waitFor()
})

further('columns are moved and widened by keyboard on the head of the table', async () => {
  const { page } = await stage.visit('/leads')
  await rowOf(page, 'Nina').waitFor()
  const heads = () => page.getByRole('columnheader').allTextContents()
  const before = await heads()
  await page.getByRole('grid').focus()
  for (const key of ['ArrowUp', 'ArrowRight', 'Alt+ArrowRight']) await page.keyboard.press(key)
  await expect.poll(heads).toEqual([before[0], before[1], before[3], before[2], ...before.slice(4)])
  const width = async () => (await page.getByRole('columnheader', { name: 'Company' }).boundingBox())!.width
  // The columns take their places within a few frames.
  let narrow = 0
  await expect.poll(async () => narrow === (narrow = await width())).toBe(true)
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(width).toBe(narrow + 16)
})

test('a menu or list that is opened by keyboard gives the focus back, the first time too, and one Escape closes a dialog that begins with a list', async () => {
  const { page } = await stage.visit('/leads')
  const inFocus = () => page.evaluate('document.activeElement.textContent')
  const opened = [
    ['Filter', 'menu'],
    ['Filter', 'menu'],
    ['Columns', 'dialog'],
    ['Columns', 'dialog'],
  ] as const
  for (const [name, role] of opened) {
    const list = page.getByRole(role)
    await page.getByRole('button', { name, exact: true }).press('Enter')
    // Who presses Escape looks at the list: by then it has the focus.
    const hasFocus = `document.querySelector('[role="${role}"]')?.contains(document.activeElement) ?? false`
    await expect.poll(() => page.evaluate(hasFocus)).toBe(true)
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
    await expect.poll(inFocus).toBe(name)
  }

  await goOn(page, `${stage.app.url}/meetings`)
  await page.getByRole('button', { name: 'New meeting' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New meeting' })
  const list = dialog.getByRole('combobox', { name: 'Lead' })
  await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('combobox')
  expect(await list.getAttribute('aria-expanded')).toBe('false')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})
