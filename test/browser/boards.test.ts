import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { colleagueOf } from '#test/colleague.ts'
import type { Person } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { further } from '#test/tier.ts'
import { axeFaults, faultsInEveryLook } from './axe.ts'
import { goOn, startStage, type Stage, type Visitor } from './browser.ts'

let stage: Stage
let visitor: Visitor
let me: { id: string; teamId: string }
beforeAll(async () => {
  stage = await startStage()
  me = (await stage.api.get('/api/auth/session')).body.user
  visitor = await stage.visit('/projects')
})
afterAll(() => stage.close())

test('a deal that is dragged to won becomes a project, and its tasks stay where they are put', async () => {
  await makeDeal({ name: 'Seats for Acme', amount: '1200', currency: 'EUR', stage: 'negotiation' })
  const { page, complaints } = visitor
  await open('/pipeline?of=opportunities')
  await column(page, 'Negotiation').getByText('€1,200 · €900 weighted').waitFor()

  await drag(page, card(page, 'Seats for Acme'), column(page, 'Closed won'))
  await cardIn(page, 'Closed won', 'Seats for Acme').waitFor()
  await column(page, 'Closed won').getByText('€1,200 · €1,200 weighted').waitFor()
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('heading', { level: 1, name: 'Seats for Acme' }).waitFor()
  await page.getByRole('link', { name: 'From deal Seats for Acme' }).waitFor()

  await page.getByRole('button', { name: 'Add task to To do' }).click()
  const title = page.getByRole('textbox', { name: 'New task in To do' })
  for (const name of ['Call', 'Plan', 'Ship']) {
    await title.fill(name)
    await title.press('Enter')
    await cardIn(page, 'To do', name).waitFor()
  }
  await title.press('Escape')
  await expect.poll(() => titles(page)).toEqual({ 'To do': ['Call', 'Plan', 'Ship'], Doing: [], Done: [] })

  // Within a column it goes exactly where it is dropped: above the upper half of a card.
  await drag(page, card(page, 'Ship'), card(page, 'Call'), 'top')
  await expect.poll(() => titles(page)).toMatchObject({ 'To do': ['Ship', 'Call', 'Plan'] })
  await drag(page, card(page, 'Call'), column(page, 'Doing'))
  await expect.poll(() => titles(page)).toMatchObject({ 'To do': ['Ship', 'Plan'], Doing: ['Call'] })

  // By keys: to the side, down past the one that stands there, and by the menu.
  await main(page, 'Ship').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(() => titles(page)).toMatchObject({ 'To do': ['Plan'], Doing: ['Ship', 'Call'] })
  await page.getByRole('status').filter({ hasText: 'Ship moved to Doing, position 1 of 2' }).waitFor()
  await expect.poll(() => focused(page)).toBe('Ship')
  await page.keyboard.press('Shift+ArrowDown')
  await expect.poll(() => titles(page)).toMatchObject({ Doing: ['Call', 'Ship'] })
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => focused(page)).toBe('Plan')
  await page.keyboard.press('m')
  await page.getByRole('menuitem', { name: 'Done' }).click()
  await expect.poll(() => titles(page)).toEqual({ 'To do': [], Doing: ['Call', 'Ship'], Done: ['Plan'] })
  await expect.poll(() => focused(page)).toBe('Plan')

  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Task' })
  await panel.getByRole('textbox', { name: 'Title' }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await panel.getByRole('textbox', { name: 'Title' }).fill('Plan it well')
  await panel.getByRole('textbox', { name: 'Title' }).press('Enter')
  await panel.getByRole('button', { name: 'Close' }).click()
  await card(page, 'Plan it well').waitFor()
  const project_id = new URL(page.url()).pathname.split('/').at(-1)!
  await expect
    .poll(() => stored(project_id))
    .toEqual({ 'To do': [], Doing: ['Call', 'Ship'], Done: ['Plan it well'] })
  expect(complaints.splice(0)).toEqual([])
})

further('two people who move cards of one board at once lose none, and see the same in the end', async () => {
  const { body: project } = await stage.api.post('/api/crm/projects', { name: 'Shared' })
  const names = Array.from({ length: 12 }, (_, number) => `Card ${number}`)
  for (const title of names) await stage.api.post('/api/crm/tasks', { title, project_id: project.id })
  const path = `/projects/${project.id}`
  const one = await stage.visit(path)
  const two = await visitAs(await colleague('MEMBER'), path)
  await Promise.all([card(one.page, 'Card 0').waitFor(), card(two.page, 'Card 0').waitFor()])

  // Each goes its own way over the same cards, by keys, faster than the server answers.
  const keys = ['Shift+ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowUp', 'Shift+ArrowLeft']
  async function moveAbout({ page }: Visitor, step: number) {
    for (let turn = 0; turn < 12; turn++) {
      await main(page, names[(turn * step) % names.length]!).focus()
      for (let press = 0; press < 3; press++)
        await page.keyboard.press(keys[(turn + press * step) % keys.length]!)
    }
  }
  await Promise.all([moveAbout(one, 5), moveAbout(two, 7)])

  await expect
    .poll(async () => {
      const onScreens = [await titles(one.page), await titles(two.page)].map(each => JSON.stringify(each))
      const inDatabase = JSON.stringify(await stored(project.id))
      return onScreens.every(each => each === inDatabase)
    })
    .toBe(true)
  const all = Object.values(await titles(one.page)).flat()
  expect(all.toSorted()).toEqual(names.toSorted())
  expect(all).not.toEqual(names)
  expect([...one.complaints, ...two.complaints]).toEqual([])
})

test('a move the server refuses is taken back, and said so', async () => {
  const { body: project } = await stage.api.post('/api/crm/projects', { name: 'Refused' })
  await stage.api.post('/api/crm/tasks', { title: 'Stays', project_id: project.id })
  await makeDeal({ name: 'Stays too', stage: 'proposal' })
  const { page } = visitor
  await open(`/projects/${project.id}`)
  await page.route('**/api/crm/tasks/*/move', route => route.fulfill({ status: 500, body: '' }))
  await drag(page, card(page, 'Stays'), column(page, 'Done'))
  await page.getByRole('alert').filter({ hasText: "Couldn't move the task" }).waitFor()
  await expect.poll(() => titles(page)).toEqual({ 'To do': ['Stays'], Doing: [], Done: [] })

  await page.route('**/api/crm/opportunities/*', route =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  )
  await open('/pipeline?of=opportunities')
  await drag(page, card(page, 'Stays too'), column(page, 'Qualification'))
  await page.getByRole('alert').filter({ hasText: "Couldn't reach the server" }).waitFor()
  await cardIn(page, 'Proposal', 'Stays too').waitFor()
  await expect.poll(() => column(page, 'Qualification').locator('[data-card]').count()).toBe(0)
  await page.unrouteAll({ behavior: 'wait' })
  visitor.complaints.splice(0)
})

further('a member cannot reopen a closed deal, and an administrator is asked', async () => {
  const { id } = await makeDeal({ name: 'Long lost', stage: 'closed_lost' })
  const member = await visitAs(await colleague('MEMBER'), '/pipeline?of=opportunities')
  await drag(member.page, card(member.page, 'Long lost'), column(member.page, 'Proposal'))
  await member.page.getByText('Only admins can reopen it').waitFor()
  await cardIn(member.page, 'Closed lost', 'Long lost').waitFor()
  // Closed by somebody else a moment ago: then it is the server who says so.
  const { id: late } = await makeDeal({ name: 'Closing now', stage: 'negotiation' })
  await cardIn(member.page, 'Negotiation', 'Closing now').waitFor()
  await member.page.route('**/api/live*', route => route.abort())
  await member.page.reload()
  await cardIn(member.page, 'Negotiation', 'Closing now').waitFor()
  await stage.api.patch(`/api/crm/opportunities/${late}`, { stage: 'closed_won' })
  await drag(member.page, card(member.page, 'Closing now'), column(member.page, 'Proposal'))
  await member.page.getByRole('button', { name: 'Save mine' }).click()
  await member.page.getByRole('alert').filter({ hasText: "Couldn't move Closing now" }).waitFor()
  await cardIn(member.page, 'Closed won', 'Closing now').waitFor()
  await member.page.context().close()

  const { page } = await stage.visit('/pipeline?of=opportunities')
  await main(page, 'Long lost').focus()
  await page.keyboard.press('m')
  await page.getByRole('menuitem', { name: 'Proposal' }).click()
  await page.getByRole('dialog', { name: 'Reopen Long lost?' }).waitFor()
  await page.getByRole('button', { name: 'Reopen Long lost' }).click()
  await cardIn(page, 'Proposal', 'Long lost').waitFor()
  await expect
    .poll(async () => (await stage.api.get(`/api/crm/opportunities/${id}`)).body.stage)
    .toBe('proposal')
})

further('what others do to leads and deals shows on the pipeline, and a move can be undone', async () => {
  const lead = (await stage.api.post('/api/crm/leads', { first_name: 'Wandering' })).body
  const { page } = await stage.visit('/pipeline')
  await cardIn(page, 'New', 'Wandering').waitFor()
  await stage.api.patch(`/api/crm/leads/${lead.id}`, { pipeline_stage: 'Qualified' })
  await cardIn(page, 'Qualified', 'Wandering').waitFor()
  await drag(page, card(page, 'Wandering'), column(page, 'Contacted'))
  await cardIn(page, 'Contacted', 'Wandering').waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await cardIn(page, 'Qualified', 'Wandering').waitFor()
  await expect
    .poll(async () => (await stage.api.get(`/api/crm/leads/${lead.id}`)).body.pipeline_stage)
    .toBe('Qualified')

  await page.getByText('Opportunities', { exact: true }).last().click()
  await page.getByRole('heading', { level: 2, name: 'Prospecting' }).waitFor()
  await expect.poll(() => page.url()).toContain('of=opportunities')
  await makeDeal({ name: 'Made elsewhere', stage: 'prospecting' })
  await cardIn(page, 'Prospecting', 'Made elsewhere').waitFor()
  await page.getByRole('searchbox', { name: 'Search pipeline' }).fill('elsewhere')
  await expect.poll(() => page.url()).toContain('q=elsewhere')
  await expect.poll(() => page.locator('[data-card]').count()).toBe(1)
})

test('columns are added, renamed and removed', async () => {
  const { body: project } = await stage.api.post('/api/crm/projects', { name: 'Our own way' })
  const { page } = visitor
  await open(`/projects/${project.id}`)
  await page.getByRole('button', { name: 'Add column' }).click()
  const adding = page.getByRole('dialog', { name: 'New column' })
  await adding.getByLabel('Name').fill('In review')
  await adding.getByRole('button', { name: 'Add' }).click()
  await column(page, 'In review').waitFor()
  const act = async (name: string, item: string) => {
    await page.getByRole('button', { name: `Column ${name}` }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  await act('In review', 'Move left')
  await expect.poll(() => names(page)).toEqual(['To do', 'Doing', 'In review', 'Done'])
  await act('Done', 'Rename')
  const renaming = page.getByRole('dialog', { name: 'Rename Done' })
  await renaming.getByLabel('Name').fill('Delivered')
  await renaming.getByRole('button', { name: 'Rename' }).click()
  await column(page, 'Delivered').waitFor()
  await act('Doing', 'Remove')
  const left = ['To do', 'In review', 'Delivered']
  await expect.poll(() => names(page)).toEqual(left)
  await expect.poll(async () => Object.keys(await stored(project.id))).toEqual(left)
})

further('a viewer is offered no change of a board', async () => {
  const { body: project } = await stage.api.post('/api/crm/projects', { name: 'Seen only' })
  await stage.api.post('/api/crm/tasks', { title: 'Only one', project_id: project.id })
  const viewer = await visitAs(await colleague('VIEWER'), `/projects/${project.id}`)
  await card(viewer.page, 'Only one').waitFor()
  await expect
    .poll(() => viewer.page.getByRole('button', { name: /^(Add|Move|Column|More actions for)/ }).count())
    .toBe(0)
})

further(
  'the boards are accessible in every look',
  async () => {
    const { body: project } = await stage.api.post('/api/crm/projects', { name: 'Looked at' })
    const due_at = '2026-01-02T10:00:00.000Z'
    await stage.api.post('/api/crm/tasks', {
      title: 'Overdue and assigned, with a title that needs two lines',
      description: 'More about it',
      project_id: project.id,
      assignee_id: me.id,
      due_at,
    })
    await makeDeal({ name: 'Seen by all', amount: '10', stage: 'proposal', owner_id: me.id })
    const openMenu = async (page: Page) => {
      await main(page, 'Overdue and assigned').first().focus()
      await page.keyboard.press('m')
      await page.getByRole('menuitem', { name: 'Done' }).waitFor()
    }
    // On a phone one column fills the screen, and the buttons above lead to the others.
    const lookAtProposal = async (page: Page) => {
      if (page.viewportSize()!.width < 768) await page.getByRole('button', { name: /^Proposal/ }).click()
      const width = page.viewportSize()!.width
      await expect.poll(async () => (await card(page, 'Seen by all').boundingBox())!.x).toBeLessThan(width)
    }
    const faults = await faultsInEveryLook(stage, 'main h1', [
      ['/pipeline?of=opportunities', lookAtProposal],
      [`/projects/${project.id}`, openMenu],
    ])
    expect(faults).toEqual([])
  },
  60_000,
)

function open(path: string) {
  return goOn(visitor.page, stage.app.url + path)
}

function column(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true })
}

function card(page: Page, name: string): Locator {
  return page.locator('[data-card]').filter({ hasText: name })
}

function cardIn(page: Page, columnName: string, name: string): Locator {
  return column(page, columnName).locator('[data-card]').filter({ hasText: name })
}

/** What is focused and opened of a card. */
function main(page: Page, name: string): Locator {
  return page.locator('[data-main]').filter({ hasText: new RegExp(`^${name}(?! *\\d)`) })
}

function names(page: Page): Promise<string[]> {
  return page.locator('section[data-column] h2').allInnerTexts()
}

function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(`document.activeElement.querySelector('span')?.textContent`)
}

/** The names on the cards of each column, as they stand on the screen. */
function titles(page: Page): Promise<Record<string, string[]>> {
  return page.evaluate(`(() => {
    const titleOf = card => card.querySelector('[data-main] span').textContent
    const place = card => Number(card.getAttribute('aria-posinset'))
    const cardsOf = column => [...column.querySelectorAll('[data-card]')]
      .toSorted((one, other) => place(one) - place(other)).map(titleOf)
    return Object.fromEntries([...document.querySelectorAll('section[data-column]')]
      .map(column => [column.querySelector('h2').innerText, cardsOf(column)]))
  })()`)
}

/** The same as the database has it. */
async function stored(project_id: string): Promise<Record<string, string[]>> {
  const { body } = await stage.api.get(`/api/crm/projects/${project_id}/board`)
  return Object.fromEntries(
    body.project.columns.map(({ key, name }: { key: string; name: string }) => [
      name,
      body.tasks.filter((task: any) => task.column === key).map((task: any) => task.title),
    ]),
  )
}

/** With the mouse, as a hand would: not in one leap. */
async function drag(page: Page, from: Locator, to: Locator, edge?: 'top'): Promise<void> {
  // One that others have just moved may stand in both columns, or in none, for a moment.
  await expect.poll(() => from.count()).toBe(1)
  await to.scrollIntoViewIfNeeded()
  await from.scrollIntoViewIfNeeded()
  const start = await placeOf(from)
  await page.mouse.move(start.x + 30, start.y + 14)
  await page.mouse.down()
  await page.mouse.move(start.x + 44, start.y + 20, { steps: 3 })
  await to.scrollIntoViewIfNeeded()
  const end = await placeOf(to)
  const x = end.x + end.width / 2
  const y = edge === 'top' ? end.y + 6 : end.y + end.height / 2
  await page.mouse.move(x, y, { steps: 6 })
  await page.mouse.move(x + 2, y, { steps: 2 })
  await page.mouse.up()
}

async function placeOf(shown: Locator) {
  return eventually(async () => {
    const place = await shown.boundingBox()
    if (!place) throw new Error('It is not shown.')
    return place
  })
}

async function makeDeal(fields: Record<string, unknown>): Promise<{ id: string }> {
  const { status, body, text } = await stage.api.post('/api/crm/opportunities', fields)
  if (status !== 201) throw new Error(`The deal was not made: ${text}`)
  return body
}

function colleague(role: 'MEMBER' | 'VIEWER'): Promise<Person> {
  return colleagueOf(stage.app, { team_id: me.teamId } as Person, role)
}

async function visitAs(person: Person, path: string): Promise<Visitor> {
  const visitor = await stage.stranger()
  const [name = '', value = ''] = person.browser.headers.cookie!.split(/=(.*)/s)
  await visitor.page.context().addCookies([{ name, value, url: stage.app.url }])
  await visitor.page.goto(stage.app.url + path)
  return visitor
}
