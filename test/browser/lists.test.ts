import { afterAll, beforeAll, expect, test } from 'vitest'
import { cell, goOn, rowOf, startStage, undo, type Stage, type Visitor } from './browser.ts'

const MANY = 350

let stage: Stage
let visitor: Visitor
beforeAll(async () => {
  stage = await startStage()
  const { body } = await stage.api.post('/api/crm/accounts', { name: 'Aachen AG' })
  await stage.app.database.query(
    `insert into accounts (team_id, id, name, custom, created_at, updated_at)
     select team_id, 'b' || lpad(n::text, 23, '0'), 'Row ' || lpad(n::text, 3, '0'), '{}', created_at, created_at
     from accounts, generate_series(1, ${MANY}) as n where id = '${body.id}'`,
  )
  await stage.api.post('/api/crm/opportunities', { name: 'Rollout', amount: '100', currency: 'EUR' })
  visitor = await stage.visit('/settings/sessions')
})
afterAll(() => stage.close())

async function account(id: string) {
  return (await stage.api.get(`/api/crm/accounts/${id}`)).body
}

async function deal() {
  return (await stage.api.get('/api/crm/opportunities')).body.data[0]
}

test('any list says how long it is, is jumped through, loads what it shows, and again what could not be loaded', async () => {
  const { page } = visitor
  await goOn(page, `${stage.app.url}/accounts`)
  await page.getByText(`${MANY + 1} accounts`).waitFor()
  await rowOf(page, 'Row 001').waitFor()
  let isCut = true
  await page.route('**/api/crm/accounts?*cursor=*', route => (isCut ? route.abort() : route.continue()))
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  await page.getByRole('grid').focus()
  await page.keyboard.press('Control+End')
  await page.getByRole('alert').filter({ hasText: "Couldn't load more" }).waitFor()
  isCut = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await rowOf(page, `Row ${MANY}`).waitFor()
  // What lies between is not loaded.
  const blocks = asked.flatMap(url => new URL(url).searchParams.get('cursor') ?? [])
  expect(new Set(blocks).size).toBe(1)
  await page.getByRole('grid').focus()
  await page.keyboard.press('Shift+ArrowUp')
  await page.keyboard.press('o')
  await page.getByRole('heading', { level: 1, name: /^Row 3/ }).waitFor()
  await page.goBack()
  await rowOf(page, `Row ${MANY}`).waitFor()
  await page.unrouteAll()
})

test('cells are edited in every list, by keyboard and taken back', async () => {
  const { page } = visitor
  await goOn(page, `${stage.app.url}/accounts?q=Row+00`)
  const id = 'b' + '1'.padStart(23, '0')
  await rowOf(page, 'Row 001').waitFor()
  await cell(page, 'Row 001', 1).click()
  await page.keyboard.press('Enter')
  await page.keyboard.type('row.example')
  // Industry is next to it.
  await page.keyboard.press('Tab')
  await expect.poll(async () => (await account(id)).domain).toBe('row.example')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Shipping')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await account(id)).industry).toBe('Shipping')
  // A key acts on what is shown: on a busy machine, that may come after the server has it.
  await cell(page, 'Row 001', 2).getByText('Shipping').waitFor()
  await page.keyboard.press('Delete')
  await page.getByText('Cleared industry of Row 001').waitFor()
  await expect.poll(async () => (await account(id)).industry).toBe(null)
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await account(id)).industry).toBe('Shipping')
})

test('an amount that is none is said in the cell and changes nothing; a column stays as wide as it is drawn', async () => {
  const { page } = visitor
  await goOn(page, `${stage.app.url}/opportunities`)
  await rowOf(page, 'Rollout').waitFor()
  await cell(page, 'Rollout', 3).click()
  await page.keyboard.press('Enter')
  const field = page.getByRole('textbox', { name: 'Amount of Rollout' })
  await field.fill('a lot')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'Enter an amount' }).waitFor()
  await field.fill('1,250.50')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await deal()).amount).toBe('1250.50')
  await undo(page, 'Changed the amount of Rollout')
  await expect.poll(async () => Number((await deal()).amount)).toBe(100)

  const head = page.getByRole('columnheader', { name: 'Amount' })
  await head.waitFor()
  const before = (await head.boundingBox())!
  const y = before.y + before.height / 2
  await page.mouse.move(before.x + before.width, y)
  await page.mouse.down()
  await page.mouse.move(before.x + before.width + 60, y, { steps: 4 })
  await page.mouse.up()
  await expect
    .poll(async () => Math.round((await head.boundingBox())!.width))
    .toBe(Math.round(before.width) + 60)
  await page.reload()
  await expect
    .poll(async () => Math.round((await head.boundingBox())!.width))
    .toBe(Math.round(before.width) + 60)
})
