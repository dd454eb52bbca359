import { afterAll, beforeAll, expect, test } from 'vitest'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { goOn, makeLead, rowOf, startStage, type Stage } from './browser.ts'

const NARROW = { width: 390, height: 844 }

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
  await makeLead(stage.api, { first_name: 'Nina', company: 'Northgate Lifts', source: 'Fair' })
  await makeLead(stage.api, { first_name: 'Will', company: 'Lift & Co', source: 'Web' })
  await makeLead(stage.api, { first_name: 'Lou', company: 'Harbor HVAC', source: 'Web' })
  await stage.api.post('/api/crm/accounts', { name: 'Lift & Co', industry: 'Lifts' })
  await stage.api.post('/api/crm/accounts', { name: 'Harbor', industry: 'Heating' })
})
afterAll(() => stage.close())

test('leads are filtered on any field by keyboard: counted, told in words, saved, exported and changed alike', async () => {
  const { page, complaints } = await stage.visit('/leads')
  await rowOf(page, 'Nina').waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter')
  await page.getByRole('menuitem', { name: 'Any field' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Filter leads' })
  const fieldAt = (at: number) => dialog.getByLabel('Field', { exact: true }).nth(at)
  await dialog.getByRole('button', { name: 'Apply' }).press('Enter')
  await dialog.getByRole('alert').filter({ hasText: 'Choose a field' }).waitFor()
  await fieldAt(0).pressSequentially('company')
  await page.getByRole('option', { name: 'Company', exact: true }).waitFor()
  await fieldAt(0).press('ArrowDown')
  await fieldAt(0).press('Enter')
  await dialog.getByLabel('Value', { exact: true }).fill('lift')
  await dialog.getByText('2 leads match').waitFor()
  await dialog.getByRole('button', { name: 'Add condition' }).press('Enter')
  await fieldAt(1).pressSequentially('emails opened')
  await page.getByRole('option', { name: 'Emails opened' }).waitFor()
  await fieldAt(1).press('ArrowDown')
  await fieldAt(1).press('Enter')
  await dialog.getByText('0 leads match').waitFor()
  await dialog.getByLabel('How many days').fill('7')
  await dialog.getByRole('button', { name: 'Apply' }).press('Enter')
  await page.getByRole('group', { name: 'Company contains lift' }).waitFor()
  await page.getByText('No leads match these filters').waitFor()
  await page.getByRole('button', { name: 'Remove filter Emails opened' }).click()
  await rowOf(page, 'Will').waitFor()
  await page.getByText('2 leads').waitFor()

  // A click on its words opens it again; a new lead that matches appears by itself.
  await page
    .getByRole('group', { name: 'Company contains lift' })
    .getByRole('button', { name: 'Company' })
    .first()
    .click()
  await expect.poll(() => dialog.getByLabel('Value', { exact: true }).inputValue()).toBe('lift')
  await page.keyboard.press('Escape')
  await makeLead(stage.api, { first_name: 'Nora', company: 'Uplift', source: 'Web' })
  await page.getByText('3 leads').waitFor()

  await page.getByRole('button', { name: 'Save view' }).click()
  const saving = page.getByRole('dialog', { name: 'Save as view' })
  await saving.getByLabel('Name').fill('Lifts')
  await saving.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('heading', { level: 1, name: 'Lifts' }).waitFor()
  const { body } = await stage.api.get('/api/crm/views')
  const filter = JSON.parse(new URLSearchParams(body.data[0].query).get('filter')!)
  expect(filter).toEqual({ field: 'company', op: 'contains', value: 'lift' })

  await page.getByRole('button', { name: 'More actions for leads' }).click()
  const file = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export CSV' }).click()
  const text = await new Response((await (await file).createReadStream()) as never).text()
  expect(text.match(/Nina|Will|Nora|Lou/g)?.toSorted()).toEqual(['Nina', 'Nora', 'Will'])

  const { status } = await stage.api.post('/api/crm/leads/bulk-changes', {
    filter: { filter: JSON.stringify(filter) },
    set: { source: 'Lifts' },
  })
  expect(status).toBe(201)
  await expect
    .poll(async () => (await stage.api.get('/api/crm/leads/outline?source=Lifts')).body.count)
    .toBe(3)
  expect(complaints).toEqual([])
})

test('accounts and opportunities have it too, a group of conditions stays together, and a strange filter is told', async () => {
  const { page } = await stage.visit('/accounts', { viewport: NARROW })
  const filter = {
    or: [
      { field: 'industry', op: 'is', value: 'Lifts' },
      { field: 'owner_id', op: 'is_not_empty' },
    ],
  }
  await goOn(page, `${stage.app.url}/accounts?filter=${encodeURIComponent(JSON.stringify(filter))}`)
  await page.getByRole('group', { name: 'Industry is Lifts or Owner is not empty' }).waitFor()
  await page.getByText('1 account', { exact: true }).waitFor()
  const strange = { not: { field: 'industry', op: 'is', value: 'Lifts' } }
  await goOn(page, `${stage.app.url}/accounts?filter=${encodeURIComponent(JSON.stringify(strange))}`)
  await page
    .getByRole('group', { name: 'Not (Industry is Lifts)' })
    .getByRole('button', { name: 'Not' })
    .first()
    .click()
  await page
    .getByRole('dialog')
    .getByText('This filter still works, but it is too complex to edit here')
    .waitFor()
  await page.getByRole('button', { name: 'Remove it' }).click()
  await page.getByText('2 accounts').waitFor()
  const gone = { field: 'custom.gone', op: 'is', value: 'x' }
  await goOn(page, `${stage.app.url}/opportunities?filter=${encodeURIComponent(JSON.stringify(gone))}`)
  await page.getByText('is not a field of this record').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('No opportunities yet').waitFor()
})

further('axe finds nothing in it, in any look', async () => {
  const scenes: Scene[] = [
    [
      '/leads',
      async page => {
        await page.getByRole('button', { name: 'Filter', exact: true }).click()
        await page.getByRole('menuitem', { name: 'Any field' }).click()
        const dialog = page.getByRole('dialog', { name: 'Filter leads' })
        await dialog.getByRole('button', { name: 'Add group' }).click()
        await dialog.getByRole('button', { name: 'Apply' }).click()
        await dialog.getByRole('alert').first().waitFor()
      },
    ],
  ]
  expect(await faultsInEveryLook(stage, 'main h1', scenes)).toEqual([])
})
