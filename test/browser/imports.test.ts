import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { hold, waitingForLocks } from '#test/locks.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { makeLead, startStage, type Stage } from './browser.ts'

/** More than one part of the import. */
const ROWS = 1_250
const BAD_EVERY = 25

let stage: Stage
beforeAll(async () => (stage = await startStage()))
afterAll(() => stage.close())

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 2, name }).waitFor()
const button = (page: Page, name: string) => page.getByRole('button', { name })

async function choose(page: Page, name: string, text: string): Promise<void> {
  const buffer = Buffer.from(text)
  await page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer })
}

/** Every 25th row has an address that is none. */
function longFile(): string {
  const lines = Array.from({ length: ROWS }, (_, at) => {
    const email = at % BAD_EVERY === BAD_EVERY - 1 ? 'nobody at all' : `person${at}@example.test`
    return `Person,Nr ${at},${email},Example ${at % 7},note ${at}`
  })
  return ['First name,Last name,E-mail address,Firma,Remark', ...lines].join('\n')
}

test('a file goes from its columns to a report, through a reload, and gives back the rows with errors', async () => {
  const { page, complaints } = await stage.visit('/leads')
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await page.getByText('Up to 50 MiB and 500,000 rows').waitFor()
  await choose(page, 'fair.csv', longFile())

  await heading(page, 'Map columns')
  const becomes = (column: string) => page.getByRole('combobox', { name: `Field for ${column}` }).inputValue()
  await expect.poll(() => becomes('E-mail address')).toBe('Email')
  await expect
    .poll(() => Promise.all(['First name', 'Last name', 'Firma', 'Remark'].map(becomes)))
    .toEqual(['First name', 'Last name', 'Company', ''])
  await page.getByText('person0@example.test, person1@example.test').waitFor()
  await page.getByRole('combobox', { name: 'Field for Remark' }).click()
  await page.getByRole('option', { name: 'New field…' }).click()
  const dialog = page.getByRole('dialog', { name: 'New field' })
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Remark')
  await button(page, 'Add field').click()
  await expect.poll(() => becomes('Remark')).toBe('Remark')
  await button(page, 'Check rows').click()

  await heading(page, '50 of 1,250 rows have errors')
  const faulty = page.getByRole('row').filter({ hasText: 'nobody at all' })
  await expect.poll(() => faulty.count()).toBe(20)
  await expect.poll(() => faulty.first().getByRole('img', { name: 'Error' }).count()).toBe(1)
  await button(page, 'Continue').click()
  await expect.poll(() => page.url()).toContain('step=options')
  await page.getByLabel('Source').fill('Fair 2026')
  await page.getByRole('radio', { name: /^Skip the row/ }).check()
  await page.getByText('50 rows have errors and will not be imported.').waitFor()
  await button(page, 'Import 1,200 of 1,250 rows').click()

  await page.waitForURL(/step=progress/)
  await page.reload()
  await heading(page, 'Import complete: 1,250 rows')
  const figure = (name: string) =>
    page.locator('dl > div').filter({ hasText: name }).locator('dd').textContent()
  await expect
    .poll(() => Promise.all(['Created', 'Updated', 'Skipped', 'With errors'].map(figure)))
    .toEqual(['1,200', '0', '0', '50'])

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download 50 rows with errors' }).click()
  const lines = (await (await (await download).createReadStream()).toArray()).join('').trim().split(/\r?\n/)
  expect(lines).toHaveLength(51)
  expect(lines[0]).toMatch(/^First name,Last name,E-mail address,Firma,Remark,.*errors/i)
  expect(lines[1]).toContain('nobody at all')

  await page.getByRole('link', { name: '1,200' }).click()
  await page.getByText('1,200 leads').waitFor()
  await page.getByRole('group', { name: 'Source is Fair 2026' }).waitFor()
  expect(complaints).toEqual([])
})

further('what is there already is updated, and the import is deleted by name', async () => {
  const { id } = await makeLead(stage.api, {
    first_name: 'Old',
    email: 'old@example.test',
    company: 'Before',
  })
  const { page } = await stage.visit('/imports')
  await choose(
    page,
    'again.csv',
    'name,email,company\nOld Friend,old@example.test,After\nNew One,new@example.test,\n',
  )
  await heading(page, 'Map columns')
  await page.getByRole('link', { name: 'Duplicates and options' }).click()
  await page.getByRole('radio', { name: /^Update the lead/ }).check()
  await button(page, 'Import 2 rows').click()
  await heading(page, 'Import complete: 2 rows')
  const { body } = await stage.api.get(`/api/crm/leads/${id}`)
  expect(body).toMatchObject({ last_name: 'Friend', company: 'After' })

  await button(page, 'Delete this import').click()
  const dialog = page.getByRole('dialog', { name: 'Delete the import of again.csv?' })
  await dialog.getByRole('button', { name: 'Delete import' }).click()
  await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'again.csv' }).count()).toBe(0)
})

further('an import is cancelled after a question, and what has come in stays', async () => {
  const { page } = await stage.visit('/imports')
  // Between two parts either the cancelling or the next part comes first: of ten parts it loses a few at most.
  const all = 9_500
  const rows = Array.from({ length: all }, (_, at) => `Half Way ${at},half${at}@example.test`)
  await choose(page, 'half.csv', ['name,email', ...rows].join('\n'))
  await heading(page, 'Map columns')
  await page.getByRole('link', { name: 'Duplicates and options' }).click()
  // The first part waits for the table, and the cancelling for the part.
  await using held = await hold(stage.app.database, 'lock table leads in exclusive mode')
  await button(page, 'Import 9,500 rows').click()
  await page.getByRole('progressbar', { name: 'Import of half.csv' }).waitFor()
  await button(page, 'Cancel import').click()
  const dialog = page.getByRole('dialog', { name: 'Cancel the import of half.csv?' })
  await expect.poll(() => waitingForLocks(stage.app.database)).toBe(1)
  await dialog.getByRole('button', { name: 'Cancel import' }).click()
  await expect.poll(() => waitingForLocks(stage.app.database)).toBe(2)
  await held.letGo()
  const report = page.getByRole('heading', { level: 2, name: /^Cancelled after \d,000 of 9,500 rows$/ })
  const done = Number(/after (\d),000/.exec(await report.innerText())![1]) * 1_000
  expect(done).toBeLessThan(all)
  await expect.poll(async () => (await stage.api.get('/api/crm/leads/outline?q=Half')).body.count).toBe(done)
})

test('a file that cannot be imported is refused with a reason, before or after it is sent', async () => {
  const { page } = await stage.visit('/imports')
  await choose(page, 'list.xlsx', 'PK')
  await page.getByRole('alert').filter({ hasText: 'This is a spreadsheet' }).waitFor()
  await choose(page, 'empty.csv', '')
  await page.getByRole('alert').filter({ hasText: 'This file is empty' }).waitFor()
  await choose(page, 'twice.csv', 'a,b\n"never closed,1\n')
  await page.getByRole('alert').filter({ hasNotText: 'empty' }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/imports')
})

further(
  'axe finds nothing on the list and on every step, in any look',
  async () => {
    const uploaded = await stage.api.raw(
      'POST',
      '/api/crm/imports?file_name=looked.csv',
      'First name,E-mail\nAda,ada@example.test\n,nobody at all\n',
      { 'content-type': 'text/csv' },
    )
    const small = await stage.api.raw(
      'POST',
      '/api/crm/imports?file_name=done.csv',
      'email\neva@example.test\n',
      {
        'content-type': 'text/csv',
      },
    )
    const done = `/api/crm/imports/${small.body.id}`
    await stage.api.patch(done, { mapping: ['email'] })
    await stage.api.post(`${done}/start`)
    await expect.poll(async () => (await stage.api.get(done)).body.status).toBe('DONE')
    const at = (step: string) => `/imports/${uploaded.body.id}?step=${step}`
    const scenes: Scene[] = [
      ['/imports', page => page.getByRole('link', { name: 'done.csv' }).waitFor()],
      [at('map'), page => page.getByText('ada@example.test').waitFor()],
      [at('check'), page => page.getByText('nobody at all').waitFor()],
      [at('options'), page => page.getByRole('button', { name: 'Import 1 of 2 rows' }).waitFor()],
      [`/imports/${small.body.id}`, page => heading(page, /^Import complete/)],
    ]
    expect(await faultsInEveryLook(stage, 'main h1', scenes)).toEqual([])
  },
  120_000,
)
