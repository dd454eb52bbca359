import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { colleagueOf } from '#test/colleague.ts'
import { inOrder } from '#test/in-order.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook } from './axe.ts'
import { goOn, makeLead, readLead, rowOf, startStage, undo, type Stage, type Visitor } from './browser.ts'

inOrder()

let stage: Stage
let visitor: Visitor
let acme: { id: string }
beforeAll(async () => {
  stage = await startStage()
  acme = await make('/api/crm/accounts', { name: 'Acme', domain: 'acme.com', industry: 'Steel' })
  await make('/api/crm/opportunities', {
    name: '=cmd|run',
    account_id: acme.id,
    amount: '1250.50',
    currency: 'EUR',
    stage: 'proposal',
    close_date: '2026-12-01',
  })
  await make('/api/crm/opportunities', { name: 'Support plan', account_id: acme.id, stage: 'negotiation' })
  visitor = await stage.visit('/accounts')
})
afterAll(() => stage.close())

test('an account is made, found and sorted; a domain that is taken is told with the way to its account', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'New account' }).click()
  const dialog = page.getByRole('dialog', { name: 'New account' })
  await dialog.getByLabel('Name').fill('Globex')
  await dialog.getByLabel('Domain').fill('ACME.com')
  await dialog.getByRole('button', { name: 'Create account' }).click()
  await dialog.getByText('already has this domain').waitFor()
  await expect
    .poll(() => dialog.getByRole('link', { name: 'Acme' }).getAttribute('href'))
    .toBe(`/accounts/${acme.id}`)

  await dialog.getByLabel('Domain').fill('globex.com')
  await dialog.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Created Globex').waitFor()
  await page.getByText('2 accounts').waitFor()

  const names = () => page.getByRole('gridcell').getByRole('link').allTextContents()
  await expect.poll(names).toEqual(['Acme', 'Globex'])
  const head = page.getByRole('columnheader', { name: 'Name' })
  await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending')
  await head.getByRole('button').click()
  await expect.poll(names).toEqual(['Globex', 'Acme'])
  await expect.poll(() => page.url()).toContain('sort=-name')

  await page.keyboard.press('/')
  await page.keyboard.type('acm')
  await page.getByText('1 account', { exact: true }).waitFor()
  await expect.poll(() => page.url()).toContain('q=acm')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()
})

test('a lead is linked to the account of its domain with one click, and unlinked by undo', async () => {
  const { page } = visitor
  const lead = await makeLead(stage.api, { first_name: 'Nina', email: 'nina@eu.acme.com' })
  await goOn(page, `${stage.app.url}/leads/${lead.id}`)
  await page.getByText('Acme (same domain)').waitFor()
  await page.getByRole('button', { name: 'Link to Acme' }).click()
  await page.getByText('Linked Nina to Acme').waitFor()
  const fields = page.getByRole('region', { name: 'Fields' })
  await fields.getByRole('link', { name: 'Acme', exact: true }).waitFor()
  // Both are shown at once, and saved a moment later.
  const saved = async () => (await readLead(stage.api, lead.id)).account_id
  await expect.poll(saved).toBe(acme.id)
  await undo(page, /Acme/)
  await page.getByText('Acme (same domain)').waitFor()
  await expect.poll(saved).toBe(null)
})

further('where no account fits, one click makes it; a mailbox anybody can have makes none', async () => {
  const { page } = visitor
  const domain = 'initech-lifts-and-escalators.test'
  const lead = await makeLead(stage.api, { first_name: 'Ines', email: `ines@${domain}` })
  await goOn(page, `${stage.app.url}/leads/${lead.id}`)
  const create = page.getByRole('button', { name: `Create account ${domain}` })
  await create.waitFor()
  const label = `document.querySelector('[title="Create account ${domain}"] .mantine-Button-label')`
  expect(await page.evaluate(`${label}.scrollWidth - ${label}.clientWidth`)).toBe(0)
  await create.click()
  // The timeline names it too, a moment later.
  await page.getByRole('region', { name: 'Fields' }).getByRole('link', { name: domain }).waitFor()
  await undo(page, `Created ${domain}`)
  await create.waitFor()
  const made = async () => (await stage.api.get('/api/crm/accounts?q=initech')).body.data
  await expect.poll(made).toEqual([])

  const private_ = await makeLead(stage.api, { first_name: 'Gil', email: 'gil@gmail.com' })
  await goOn(page, `${stage.app.url}/leads/${private_.id}`)
  await page.getByRole('button', { name: 'Account Empty' }).waitFor()
  await page.waitForLoadState('networkidle')
  await expect.poll(() => page.getByRole('button', { name: /^Create account/ }).count()).toBe(0)
})

test("a lead's tasks are added and checked off, and its timeline tells of them", async () => {
  const { page } = visitor
  const lead = await makeLead(stage.api, { first_name: 'Theo' })
  await make('/api/crm/opportunities', { name: 'Pilot', lead_id: lead.id, amount: '900', currency: 'EUR' })
  await goOn(page, `${stage.app.url}/leads/${lead.id}`)
  const deals = page.getByRole('region', { name: 'Opportunities' })
  await deals.getByRole('link', { name: 'Pilot' }).waitFor()
  await deals.getByText('€900 open').waitFor()

  const tasks = page.getByRole('region', { name: 'Tasks' })
  await tasks.getByLabel('Title of the new task').fill('Call Theo')
  await page.keyboard.press('Enter')
  await tasks.getByRole('checkbox', { name: 'Check off Call Theo' }).click()
  await expect.poll(() => tasks.getByRole('checkbox').count()).toBe(0)

  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('created the opportunity Pilot').waitFor()
  await timeline.getByText('added the task Call Theo').waitFor()
  await timeline.getByText('checked off Call Theo').waitFor()
})

test('the page of an account shows its leads, deals and their sum, and is changed in place', async () => {
  const { page } = visitor
  await makeLead(stage.api, { first_name: 'Wile', last_name: 'Coyote', account_id: acme.id })
  await goOn(page, `${stage.app.url}/accounts/${acme.id}`)
  await page.getByRole('region', { name: 'Leads' }).getByRole('link', { name: 'Wile Coyote' }).waitFor()
  const deals = page.getByRole('region', { name: 'Opportunities' })
  await deals.getByRole('link', { name: 'Support plan' }).waitFor()
  await deals.getByText('€1,250.50 open').waitFor()

  await page.getByRole('button', { name: 'Industry Steel' }).click()
  await page.getByRole('textbox', { name: 'Industry' }).fill('Rockets')
  await page.keyboard.press('Enter')
  await page.getByText('Changed industry of Acme').waitFor()
  await page.getByRole('button', { name: 'Industry Rockets' }).waitFor()

  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByText('Moved Acme to the trash').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
  await expect.poll(() => rowOf(page, 'Acme').count()).toBe(0)
  await undo(page, 'Moved Acme to the trash')
  await rowOf(page, 'Acme').waitFor()
})

further("the leads of an account are one click away, and the table names each lead's account", async () => {
  const { page } = visitor
  await goOn(page, `${stage.app.url}/accounts/${acme.id}`)
  await page.getByRole('link', { name: 'View 1 in Leads' }).click()
  await page.getByRole('group', { name: 'Account is Acme' }).waitFor()
  await page.getByText('1 lead', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Account' }).click()
  await page.keyboard.press('Escape')
  const link = rowOf(page, 'Wile Coyote').getByRole('link', { name: 'Acme' })
  await expect.poll(() => link.getAttribute('href')).toBe(`/accounts/${acme.id}`)
})

further("a field of the team's own is asked for on the page of an account", async () => {
  const { page } = visitor
  await goOn(page, `${stage.app.url}/settings/leads`)
  await page.getByRole('button', { name: 'Add account field' }).click()
  const dialog = page.getByRole('dialog', { name: 'New field' })
  await dialog.getByLabel('Name').fill('Tier')
  await dialog.getByRole('button', { name: 'Add field' }).click()
  await page.getByText('Added Tier').waitFor()
  await goOn(page, `${stage.app.url}/accounts/${acme.id}`)
  await page.getByRole('button', { name: 'Tier Empty' }).click()
  await page.getByRole('textbox', { name: 'Tier' }).fill('Gold')
  await page.keyboard.press('Enter')
  await page.getByText('Changed tier of Acme').waitFor()
  const { body } = await stage.api.get(`/api/crm/accounts/${acme.id}`)
  expect(body.custom).toEqual({ tier: 'Gold' })
})

further('what is in the trash is restored from there', async () => {
  const { page } = visitor
  const gone = await make('/api/crm/accounts', { name: 'Bygone' })
  await stage.api.delete(`/api/crm/accounts/${gone.id}`)
  await goOn(page, `${stage.app.url}/accounts`)
  await page.getByRole('button', { name: 'More actions for accounts' }).click()
  await page.getByRole('menuitem', { name: 'Show trash' }).click()
  await page.getByRole('button', { name: 'Restore Bygone' }).click()
  await page.getByText('Restored Bygone').waitFor()
  await expect.poll(() => rowOf(page, 'Bygone').count()).toBe(0)
  await expect
    .poll(async () => (await stage.api.get(`/api/crm/accounts/${gone.id}`)).body)
    .toMatchObject({ deleted_at: null })
})

test('opportunities are filtered, added up, moved in the list, and exported as they are filtered', async () => {
  const { page } = visitor
  await goOn(page, `${stage.app.url}/opportunities?account_id=${acme.id}`)
  await page.getByRole('group', { name: 'Account is Acme' }).waitFor()
  await page.getByText('2 opportunities').waitFor()
  await page.getByLabel('Totals').getByText('€1,250.50').waitFor()

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Stage' }).click()
  await page.getByRole('option', { name: 'Proposal' }).click()
  await page.keyboard.press('Escape')
  await page.getByText('1 opportunity', { exact: true }).waitFor()
  await expect.poll(() => page.url()).toContain('stage=proposal')

  await page.getByRole('button', { name: 'More actions for opportunities' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export CSV' }).click(),
  ])
  const csv = await readFile((await download.path())!, 'utf8')
  expect(csv.trim().split('\r\n')).toHaveLength(2)
  // What a spreadsheet would run is only text.
  expect(csv).toContain(`'=cmd|run`)
  expect(csv).not.toContain('Support plan')

  await page.getByRole('button', { name: 'Remove filter Stage' }).click()
  await page.getByRole('grid').focus()
  const stageCell = rowOf(page, 'Support plan').getByRole('gridcell').nth(4)
  await stageCell.click()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Qualification' }).click()
  await stageCell.getByText('Qualification').waitFor()
  await undo(page, 'Moved Support plan to Qualification')
  await stageCell.getByText('Negotiation').waitFor()
})

further('a list that comes while a change is being saved takes nothing back', async () => {
  const { page } = await stage.visit(`/opportunities?account_id=${acme.id}`)
  const stageCell = rowOf(page, 'Support plan').getByRole('gridcell').nth(4)
  await stageCell.getByText('Negotiation').waitFor()
  const saving = Promise.withResolvers<void>()
  await page.route('**/api/crm/opportunities/*', async (route, request) => {
    if (request.method() === 'PATCH') await saving.promise
    await route.continue()
  })
  await stageCell.click()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Qualification' }).click()
  await stageCell.getByText('Qualification').waitFor()

  // Whoever looks hears of every word that was in the cell, and be it for a frame.
  await page.evaluate(`window.shown = new Set()
    new MutationObserver(() => {
      for (const row of document.querySelectorAll('[role=row]'))
        if (row.textContent.includes('Support plan'))
          window.shown.add(row.querySelectorAll('[role=gridcell]')[4].textContent)
    }).observe(document.querySelector('[role=grid]'), { subtree: true, childList: true, characterData: true })`)
  // The page hears of it, and its list comes as it is without the change.
  await make('/api/crm/opportunities', { name: 'Training', account_id: acme.id })
  await rowOf(page, 'Training').waitFor()
  expect(await page.evaluate('[...window.shown]')).toEqual(['Qualification'])
  saving.resolve()
  await page.getByText('Moved Support plan to Qualification').waitFor()
  await undo(page, 'Moved Support plan to Qualification')
  await stageCell.getByText('Negotiation').waitFor()
})

further(
  'a view of opportunities that is shared stands in the navigation of a colleague, a private one does not',
  async () => {
    const { page } = visitor
    await goOn(page, `${stage.app.url}/opportunities?stage=proposal`)
    await saveView(page, 'Our proposals', { shared: true })
    await goOn(page, `${stage.app.url}/opportunities?stage=negotiation`)
    await saveView(page, 'Only mine', { shared: false })

    const ada = await stage.app.person('ada@example.test')
    const colleague = await colleagueOf(stage.app, ada, 'MEMBER')
    const other = await stage.stranger()
    const [name = '', value = ''] = colleague.browser.headers.cookie!.split(/=(.*)/s)
    await other.page.context().addCookies([{ name, value, url: stage.app.url }])
    await goOn(other.page, `${stage.app.url}/opportunities`)
    const views = other.page.getByRole('list', { name: 'Views of opportunities' })
    await views.getByRole('link', { name: 'Our proposals' }).click()
    await other.page.getByRole('heading', { level: 1, name: 'Our proposals' }).waitFor()
    await other.page.getByRole('group', { name: 'Stage is Proposal' }).waitFor()
    await expect.poll(() => views.getByRole('link').allTextContents()).toEqual(['Our proposals'])
    await expect
      .poll(() => other.page.getByRole('button', { name: 'More actions for the view Our proposals' }).count())
      .toBe(0)
    await other.page.context().close()
  },
)

further('who only reads sees no button that writes', async () => {
  const ada = await stage.app.person('ada@example.test')
  const reader = await colleagueOf(stage.app, ada, 'VIEWER')
  const { page } = await stage.stranger()
  const [name = '', value = ''] = reader.browser.headers.cookie!.split(/=(.*)/s)
  await page.context().addCookies([{ name, value, url: stage.app.url }])
  await goOn(page, `${stage.app.url}/accounts/${acme.id}`)
  await page.getByRole('region', { name: 'Leads' }).getByRole('link', { name: 'Wile Coyote' }).waitFor()
  for (const label of ['Move to trash', 'Link a lead', 'New lead', 'New opportunity'])
    expect(await page.getByRole('button', { name: label }).count(), label).toBe(0)
  await goOn(page, `${stage.app.url}/accounts`)
  await rowOf(page, 'Acme').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'New account' }).count()).toBe(0)
})

further(
  'a list is as long as it says, loads what one moves to, and draws only what is in sight',
  async () => {
    const { page } = visitor
    const numbers = Array.from({ length: 120 }, (_, at) => String(at).padStart(3, '0'))
    await Promise.all(numbers.map(number => make('/api/crm/accounts', { name: `Number ${number}` })))
    await goOn(page, `${stage.app.url}/accounts?q=Number`)
    await page.getByText('120 accounts').waitFor()
    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+End')
    await rowOf(page, 'Number 119').waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBeLessThan(60)
    await page.keyboard.press('o')
    await page.getByRole('heading', { level: 1, name: 'Number 119' }).waitFor()
    // Whoever comes back is where they were.
    await page.goBack()
    await rowOf(page, 'Number 119').waitFor()
  },
)

further('the lists and the page of an account hold in every look', async () => {
  const scenes = [
    ['/accounts?industry=Rockets', async (page: Page) => page.getByRole('link', { name: 'Acme' }).waitFor()],
    [
      `/accounts/${acme.id}`,
      async (page: Page) => page.getByRole('link', { name: 'Support plan' }).waitFor(),
    ],
    ['/opportunities', async (page: Page) => page.getByLabel('Totals').waitFor()],
  ] as const
  expect(
    await faultsInEveryLook(
      stage,
      'main h1',
      scenes.map(([path, act]) => [path, act]),
    ),
  ).toEqual([])
  expect(visitor.complaints).toEqual([])
})

async function make(path: string, body: unknown): Promise<{ id: string }> {
  const answer = await stage.api.post(path, body)
  if (answer.status !== 201) throw new Error(`Not made: ${answer.text}`)
  return answer.body
}

async function saveView(page: Page, name: string, { shared }: { shared: boolean }): Promise<void> {
  await page.getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as view' })
  await dialog.getByLabel('Name').fill(name)
  if (shared) await dialog.getByLabel('Share with the team').check()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
}
