import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { further } from '#test/tier.ts'
import { axeFaults } from './axe.ts'
import { cell, makeLead, QUIET, readLead, rowOf, startStage, type Stage } from './browser.ts'

let stage: Stage
beforeAll(async () => (stage = await startStage()))
afterAll(() => stage.close())

let ids: string[] = []
beforeEach(async () => {
  const old = await stage.api.get('/api/crm/leads?limit=200')
  const alive = old.body.data.map((lead: { id: string }) => lead.id)
  if (alive.length) await stage.api.post('/api/crm/leads/bulk', { ids: alive, trashed: true })
  ids = []
  for (const last_name of ['Adler', 'Brandt', 'Curie', 'Dahl']) {
    ids.push((await makeLead(stage.api, { first_name: 'Eva', last_name, company: `${last_name} AG` })).id)
  }
})

const COMPANY = 2
const STAGE = 4

further('a cell is edited by keyboard and the change is taken back from the toast', async () => {
  const { page } = await stage.visit('/leads')
  await cell(page, 'Eva Dahl', COMPANY).click()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Dahl & Söhne')
  await page.keyboard.press('Enter')
  await cell(page, 'Eva Dahl', COMPANY).filter({ hasText: 'Dahl & Söhne' }).waitFor()
  await expect.poll(async () => (await readLead(stage.api, ids[3]!)).company).toBe('Dahl & Söhne')

  await page.getByRole('button', { name: 'Undo' }).click()
  await cell(page, 'Eva Dahl', COMPANY).filter({ hasText: 'Dahl AG' }).waitFor()
  await expect.poll(async () => (await readLead(stage.api, ids[3]!)).company).toBe('Dahl AG')
})

test('a list that was asked for before an edit and comes after it takes nothing back', async () => {
  const { page } = await stage.visit(QUIET)
  const door = Promise.withResolvers<void>()
  const held: string[] = []
  let holding = false
  // In place before the first list is asked for, so that none that is still under way slips past it later.
  await page.route('**/api/crm/leads?*', async (route, request) => {
    const response = await route.fetch()
    if (holding) {
      held.push(request.url())
      await door.promise
    }
    await route.fulfill({ response })
  })
  await page.goto(new URL('/leads', stage.app.url).href)
  await rowOf(page, 'Eva Dahl').waitFor()
  holding = true
  // The page hears of it and asks for its list again.
  await makeLead(stage.api, { first_name: 'Eva', last_name: 'Engel', company: 'Engel AG' })
  await expect.poll(() => held.length).toBeGreaterThan(0)
  await cell(page, 'Eva Dahl', COMPANY).click()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Dahl & Söhne')
  await page.keyboard.press('Enter')
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.waitFor()
  // Somebody else's change is told by the stream alone.
  await stage.api.patch(`/api/crm/leads/${ids[2]}`, { company: 'Theirs' })
  await cell(page, 'Eva Curie', COMPANY).filter({ hasText: 'Theirs' }).waitFor()

  // Whoever looks hears of every word that was in the cell, and be it for a frame.
  await page.evaluate(`window.shown = new Set()
    new MutationObserver(() => {
      for (const cell of document.querySelectorAll('[role=gridcell]')) window.shown.add(cell.textContent)
    }).observe(document.querySelector('[role=grid]'), { subtree: true, childList: true, characterData: true })`)
  door.resolve()
  await rowOf(page, 'Eva Engel').waitFor()
  const shown = (await page.evaluate('[...window.shown]')) as string[]
  expect(shown).toContain('Dahl & Söhne')
  expect(shown.filter(text => text === 'Dahl AG' || text === 'Curie AG')).toEqual([])

  await undo.click()
  await cell(page, 'Eva Dahl', COMPANY).filter({ hasText: 'Dahl AG' }).waitFor()
  await expect.poll(async () => (await readLead(stage.api, ids[3]!)).company).toBe('Dahl AG')
})

test('a cell is left by Escape, saved by Tab, stays with its lead when the rows move, and takes back what is refused', async () => {
  const { page } = await stage.visit('/leads')
  await cell(page, 'Eva Curie', COMPANY).dblclick()
  await page.keyboard.type('Nonsense')
  await page.keyboard.press('Escape')
  await cell(page, 'Eva Curie', COMPANY).filter({ hasText: 'Curie AG' }).waitFor()

  await page.keyboard.press('Enter')
  await page.keyboard.type('Curie Labs')
  await page.keyboard.press('Tab')
  // The next cell is the e-mail: it is edited at once.
  await page.keyboard.press('Enter')
  await page.keyboard.type('eva@curie.example')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await readLead(stage.api, ids[2]!)).email).toBe('eva@curie.example')
  await expect.poll(async () => (await readLead(stage.api, ids[2]!)).company).toBe('Curie Labs')

  // While it is edited, a row comes above.
  await cell(page, 'Eva Dahl', COMPANY).dblclick()
  const field = page.getByRole('textbox', { name: 'Company of Eva Dahl' })
  await field.fill('Dahl & Söhne')
  const { id } = await makeLead(stage.api, { first_name: 'Zoe', company: 'Zoe AG' })
  await rowOf(page, 'Zoe').waitFor()
  expect(await field.inputValue()).toBe('Dahl & Söhne')
  await page.keyboard.press('Enter')
  await cell(page, 'Eva Dahl', COMPANY).filter({ hasText: 'Dahl & Söhne' }).waitFor()
  await expect.poll(async () => (await readLead(stage.api, ids[3]!)).company).toBe('Dahl & Söhne')
  expect((await readLead(stage.api, id)).company).toBe('Zoe AG')
  // The keys go on from there.
  await page.keyboard.press('Enter')
  await field.waitFor()
  await page.keyboard.press('Escape')

  // What the server refuses. Nothing that is read anew may hide that the page does not take it back by itself.
  await page.route(/\/api\/crm\/leads[/?]/, (route, request) =>
    request.method() === 'GET' ? undefined : route.continue(),
  )
  await cell(page, 'Eva Brandt', 3).dblclick()
  await page.keyboard.type('eva@brandt.-example')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: "Couldn't save" }).waitFor()
  await expect.poll(() => cell(page, 'Eva Brandt', 3).textContent()).toBe('')
})

test('the keyboard alone creates, finds, edits, selects and restores', async () => {
  const { page } = await stage.visit('/leads')
  const key = (...keys: string[]) =>
    keys.reduce((done, each) => done.then(() => page.keyboard.press(each)), Promise.resolve())
  await rowOf(page, 'Eva Dahl').waitFor()

  await key('n')
  await page.getByRole('dialog', { name: 'New lead' }).waitFor()
  await page.keyboard.type('Zoe')
  await key('Enter')
  await rowOf(page, 'Zoe').waitFor()

  await key('/')
  await page.keyboard.type('Zoe')
  await page.getByText('1 lead', { exact: true }).waitFor()
  // How many there are is known before the rows are: on one that is on its way, Enter does nothing.
  await expect.poll(() => rowOf(page, 'Eva Dahl').count()).toBe(0)
  await rowOf(page, 'Zoe').waitFor()
  await key('Enter')

  // Into the table: stage is the fourth column.
  await key('ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter')
  // It is shown a frame before it takes what is typed.
  await page.getByRole('combobox', { name: 'Stage' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Qual')
  await key('Enter')
  await cell(page, 'Zoe', STAGE).filter({ hasText: 'Qualified' }).waitFor()

  await key('Space')
  await page.getByRole('toolbar', { name: 'Selected leads' }).waitFor()
  await key('Escape')
  await expect.poll(() => page.getByRole('toolbar', { name: 'Selected leads' }).count()).toBe(0)

  await key('o')
  await page.getByRole('heading', { level: 1, name: 'Zoe' }).waitFor()
  await key('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type('trash this')
  await key('Enter')
  await page.getByRole('heading', { name: 'No leads match these filters' }).waitFor()

  await key('Control+z')
  await rowOf(page, 'Zoe').waitFor()
  await key('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await key('Escape', 'g', 'f')
  await page.getByRole('heading', { level: 1, name: 'Fields and stages' }).waitFor()
})

further('many leads change in one step and each gets its own value back', async () => {
  await stage.api.patch(`/api/crm/leads/${ids[0]}`, { pipeline_stage: 'Contacted' })
  const { page } = await stage.visit('/leads')
  await rowOf(page, 'Eva Adler').getByRole('checkbox').click()
  await rowOf(page, 'Eva Curie')
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  const toolbar = page.getByRole('toolbar', { name: 'Selected leads' })
  await toolbar.getByText('3 selected').waitFor()
  await toolbar.getByRole('button', { name: 'Stage' }).click()
  await page.getByRole('option', { name: 'Won' }).click()
  await page.getByText('Changed stage of 3 leads to Won').waitFor()
  const stages = async () => Promise.all(ids.map(async id => (await readLead(stage.api, id)).pipeline_stage))
  await expect.poll(() => stages()).toEqual(['Won', 'Won', 'Won', 'New'])

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone').waitFor()
  await expect.poll(() => stages()).toEqual(['Contacted', 'New', 'New', 'New'])
})

further('selected leads go to the trash, and come back from it', async () => {
  const { page } = await stage.visit('/leads')
  await page.getByRole('checkbox', { name: 'Select all matching leads' }).click()
  await page.getByText('4 selected').waitFor()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByRole('heading', { name: 'No leads yet' }).waitFor()

  await page.getByRole('link', { name: 'Trash' }).click()
  await rowOf(page, 'Eva Brandt').first().getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('link', { name: 'Leads', exact: true }).click()
  await page.getByText('1 lead', { exact: true }).waitFor()
  await rowOf(page, 'Eva Brandt').waitFor()
})

further('a click on the head of a column sorts, and the address remembers it', async () => {
  const { page } = await stage.visit('/leads')
  const names = () => page.getByRole('row').getByRole('link').allTextContents()
  await expect.poll(names).toEqual(['Eva Dahl', 'Eva Curie', 'Eva Brandt', 'Eva Adler'])
  const head = page.getByRole('columnheader', { name: 'Name' })
  await head.getByRole('button').click()
  await expect.poll(names).toEqual(['Eva Adler', 'Eva Brandt', 'Eva Curie', 'Eva Dahl'])
  await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending')
  await expect.poll(() => page.url()).toContain('sort=last_name')
  await page.reload()
  await expect.poll(names).toEqual(['Eva Adler', 'Eva Brandt', 'Eva Curie', 'Eva Dahl'])
})

test('an edit of a field that somebody else has just changed is not forced upon them', async () => {
  const { page } = await stage.visit(QUIET)
  // The page must not hear of it: there is no stream.
  await page.route('**/api/live*', route => route.abort())
  await page.goto(new URL('/leads', stage.app.url).href)
  await cell(page, 'Eva Dahl', COMPANY).click()
  await stage.api.patch(`/api/crm/leads/${ids[3]}`, { company: 'Theirs' })
  await page.keyboard.press('Enter')
  await page.keyboard.type('Mine')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Someone else changed this too' })
  await dialog.getByRole('row', { name: 'Company Mine Theirs' }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Keep theirs' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await cell(page, 'Eva Dahl', COMPANY).filter({ hasText: 'Theirs' }).waitFor()
  expect((await readLead(stage.api, ids[3]!)).company).toBe('Theirs')

  await cell(page, 'Eva Adler', COMPANY).click()
  await cell(page, 'Eva Dahl', COMPANY).click()
  await stage.api.patch(`/api/crm/leads/${ids[3]}`, { company: 'Theirs again' })
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Mine')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Save mine' }).click()
  await expect.poll(async () => (await readLead(stage.api, ids[3]!)).company).toBe('Mine')
})
