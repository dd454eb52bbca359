import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrder } from '#test/in-order.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { goOn, makeLead, QUIET, startStage, undo, type Stage, type Visitor } from './browser.ts'

const DAY_MS = 86_400_000
const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'Europe/Berlin' })

inOrder()

let stage: Stage
let visitor: Visitor
let me = ''
beforeAll(async () => {
  stage = await startStage()
  me = (await stage.api.get('/api/auth/session')).body.user.id
  visitor = await stage.visit('/')
})
afterAll(() => stage.close())

async function makeTask(fields: Record<string, unknown>): Promise<{ id: string }> {
  const { status, body, text } = await stage.api.post('/api/crm/tasks', { assignee_id: me, ...fields })
  if (status !== 201) throw new Error(`The task was not made: ${text}`)
  return body
}

const open = (path: string) => goOn(visitor.page, stage.app.url + path)

const readTask = async (id: string) => (await stage.api.get(`/api/crm/tasks/${id}`)).body

test('a new team finds ways to begin on its home page', async () => {
  const { page, complaints } = visitor
  await page.getByRole('heading', { name: 'No leads yet' }).waitFor()
  await page.getByRole('link', { name: 'Import leads' }).waitFor()
  await page.getByRole('button', { name: 'Create the first lead' }).click()
  await page.getByRole('dialog', { name: 'New lead' }).getByLabel('First name').fill('First')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /^New 1 lead/ }).waitFor()
  expect(complaints).toEqual([])
})

test('the keyboard alone adds a task, checks it off and takes that back', async () => {
  const { page } = visitor
  await open('/tasks')
  await page.getByRole('heading', { name: 'No open tasks' }).waitFor()
  await page.keyboard.press('n')
  await page.keyboard.type('Call the printer')
  await page.keyboard.press('Enter')
  const today = page.getByRole('region', { name: 'Today 1' })
  await today.getByRole('link', { name: 'Call the printer' }).waitFor()

  await page.keyboard.type('Plan the fair')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Upcoming 1' }).getByText('tomorrow').waitFor()

  const box = page.getByRole('checkbox', { name: 'Check off Call the printer' })
  await box.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => today.count()).toBe(0)
  // The next row has the focus: one can go on.
  await expect
    .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
    .toBe('Check off Plan the fair')
  await page.getByText('Done today 1').click()
  await page.getByRole('checkbox', { name: 'Reopen Call the printer' }).waitFor()

  await undo(page, 'Done: Call the printer')
  await today.getByRole('link', { name: 'Call the printer' }).waitFor()
  await expect
    .poll(async () => (await stage.api.get('/api/crm/tasks?q=printer')).body.data)
    .toMatchObject([{ status: 'TODO', assignee_id: me, done_at: null }])
})

test('what was opened of the tasks done today stays open, whatever comes of the lists in between', async () => {
  const { id } = await makeTask({ title: 'Water the plants' })
  await stage.api.patch(`/api/crm/tasks/${id}`, { status: 'DONE' })
  const { page } = visitor
  let isLate = false
  await page.route('**/api/crm/tasks?*status=DONE*', route =>
    isLate ? route.fulfill({ json: { data: [], next_cursor: null } }) : route.fallback(),
  )
  // As somebody who comes there, to whom nothing is opened yet.
  await open('/leads')
  await open('/tasks')
  const done = page.getByText('Done today 1')
  await done.click()
  const reopen = page.getByRole('checkbox', { name: 'Reopen Water the plants' })
  await reopen.waitFor()
  isLate = true
  const soil = await makeTask({ title: 'Buy soil' })
  await done.waitFor({ state: 'detached' })
  isLate = false
  const pots = await makeTask({ title: 'Buy pots' })
  await reopen.waitFor()
  for (const task of [id, soil.id, pots.id]) await stage.api.delete(`/api/crm/tasks/${task}`)
  await page.unrouteAll({ behavior: 'wait' })
})

test('one types on while a task is saved, and what could not be saved comes back', async () => {
  const { page } = visitor
  const field = page.getByLabel('Title of the new task')
  const answers: (() => void)[] = []
  await page.route('**/api/crm/tasks', async route => {
    if (route.request().method() !== 'POST') return route.fallback()
    const { title } = route.request().postDataJSON()
    await new Promise<void>(resolve => answers.push(resolve))
    return title === 'Order tea'
      ? route.fulfill({ status: 409, json: { title: 'Not now' } })
      : route.fallback()
  })
  await field.focus()
  await page.keyboard.type('Order coffee')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Order tea')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Order mi')
  // One after the other, in the order they were written.
  await expect.poll(() => answers.length).toBe(1)
  answers[0]!()
  await page.getByRole('link', { name: 'Order coffee' }).waitFor()
  await expect.poll(() => answers.length).toBe(2)
  await page.keyboard.type('lk')
  await expect.poll(() => field.inputValue()).toBe('Order milk')
  answers[1]!()
  await page.getByText("Couldn't add the task").waitFor()
  await expect.poll(() => field.inputValue()).toBe('Order tea Order milk')
  await undo(page, 'Added: Order coffee')
  await page.getByText('Undone').last().waitFor()
  await page.unrouteAll({ behavior: 'wait' })
})

test('what is late comes first, is put off until next week, and comes back by undo', async () => {
  const due_at = new Date(Date.now() - 2 * DAY_MS).toISOString()
  const name = 'Kookaburra Air and Electrical Services rollout'
  const project = await stage.api.post('/api/crm/projects', { name })
  const { id } = await makeTask({ title: 'Send the offer', due_at, project_id: project.body.id })
  const { page } = visitor
  await page.setViewportSize({ width: 390, height: 844 })
  const link = page.getByRole('link', { name })
  // What does not fit ends in an ellipsis and is told in full by its title.
  await expect.poll(() => link.getAttribute('title')).toBe(name)
  expect(
    await page.evaluate(`getComputedStyle(document.querySelector('[title="${name}"] span')).textOverflow`),
  ).toBe('ellipsis')
  const late = page.getByRole('region', { name: 'Overdue 1' })
  await late.getByText('2 days ago').waitFor()
  await expect.poll(() => page.getByRole('heading', { level: 2 }).first().textContent()).toBe('Overdue1')

  await page.getByRole('button', { name: 'Snooze Send the offer' }).click()
  await page.getByRole('menuitem', { name: 'Next week' }).click()
  await expect.poll(() => late.count()).toBe(0)
  await expect.poll(async () => Date.parse((await readTask(id)).due_at)).toBeGreaterThan(Date.now())
  expect(weekday.format(new Date((await readTask(id)).due_at))).toBe('Monday')
  await undo(page, /Due .*: Send the offer/)
  await late.getByRole('link', { name: 'Send the offer' }).waitFor()
  await expect.poll(async () => (await readTask(id)).due_at).toBe(due_at)
  await page.setViewportSize({ width: 1280, height: 800 })
})

further('a day begins and ends where the person is', async () => {
  await makeTask({ title: 'Seen from two places', due_at: '2030-03-10T09:00:00.000Z' })
  for (const [timezoneId, section] of [
    ['Europe/Berlin', 'Today 1'],
    ['America/Los_Angeles', 'Upcoming 1'],
  ] as const) {
    const { page } = await stage.visit(QUIET, { timezoneId })
    await page.clock.setFixedTime('2030-03-10T02:00:00Z')
    await goOn(page, `${stage.app.url}/tasks?q=two+places`)
    await page.getByRole('region', { name: section }).getByText('Seen from two places').waitFor()
    await page.context().close()
  }
})

further('a task is found by filters that the address keeps, and opened by its address', async () => {
  const { id } = await makeTask({ title: 'Of nobody', assignee_id: null })
  const { page } = await stage.visit('/tasks')
  await page.getByRole('link', { name: 'Send the offer' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Of nobody' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Assignee is Me' }).click()
  await page.getByRole('option', { name: 'Unassigned' }).click()
  await page.getByRole('link', { name: 'Of nobody' }).click()
  await page.getByRole('dialog', { name: 'Task' }).waitFor()
  await expect.poll(() => page.url()).toContain(`assignee_id=none&task=${id}`)
  await page.reload()
  const panel = page.getByRole('dialog', { name: 'Task' })
  await expect.poll(() => panel.getByLabel('Title').inputValue()).toBe('Of nobody')
})

further('what a colleague gives one shows at once, and a reminder is told on every page', async () => {
  const { page } = await stage.visit('/leads')
  await page.getByRole('row').nth(1).waitFor()
  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  await page.getByRole('link', { name: 'Send the offer' }).waitFor()
  const { id } = await makeTask({ title: 'From elsewhere' })
  await page.getByRole('region', { name: 'No date 1' }).getByText('From elsewhere').waitFor()

  await page.getByRole('link', { name: 'Leads', exact: true }).click()
  await stage.api.patch(`/api/crm/tasks/${id}`, { remind_at: new Date(Date.now() + 500).toISOString() })
  await page.getByText('Reminder: From elsewhere').waitFor()
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('dialog', { name: 'Task' }).waitFor()
  await expect.poll(() => page.url()).toContain(`/tasks?task=${id}`)
})

test('every number of the home page opens the list behind it, and keeps itself true', async () => {
  const lead = await makeLead(stage.api, { first_name: 'Won', last_name: 'Over', pipeline_stage: 'Won' })
  await stage.api.post('/api/crm/opportunities', {
    name: 'Big deal',
    lead_id: lead.id,
    stage: 'proposal',
    amount: '12500',
    currency: 'EUR',
  })
  const { page, complaints } = visitor
  await open('/')
  const tasks = page.getByRole('region', { name: 'Your tasks' })
  await tasks.getByRole('link', { name: '1 overdue' }).waitFor()
  await tasks.getByRole('checkbox', { name: 'Check off Send the offer' }).click()
  await expect.poll(() => tasks.getByRole('link', { name: '1 overdue' }).count()).toBe(0)
  await page.getByText('Nothing needs attention.').waitFor()

  await makeLead(stage.api, { first_name: 'Second', pipeline_stage: 'Won' })
  await page.getByRole('link', { name: /^Won 2 leads/ }).click()
  await page.getByRole('group', { name: 'Stage is Won' }).waitFor()
  await page.getByText('2 leads').waitFor()

  await page.goBack()
  await page.getByRole('link', { name: /^Proposal 1 deal €12,500/ }).click()
  await expect.poll(() => page.url()).toContain('/opportunities?stage=proposal')
  await page.goBack()
  await tasks.getByRole('link', { name: /due today/ }).click()
  await page.getByRole('heading', { level: 1, name: 'My day' }).waitFor()
  expect(complaints).toEqual([])
})

test('the palette finds records of every kind, and never shows what an older question found', async () => {
  const account = (await stage.api.post('/api/crm/accounts', { name: 'Quillon Works' })).body
  await makeLead(stage.api, { first_name: 'Quill', last_name: 'Writer' })
  await makeTask({ title: 'Quiz at the fair' })
  const { page } = visitor
  await open('/leads')
  await page.getByRole('row').nth(1).waitFor()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search or type a command' })
  await field.fill('quill')
  await page.getByRole('option', { name: /Quill Writer/ }).waitFor()
  await page.getByRole('option', { name: /Quillon Works/ }).waitFor()

  // The answer to the next question never comes: what is shown meanwhile must fit it all the same.
  await page.route('**/api/crm/search?q=quillo*', () => {})
  await field.fill('quillo')
  await expect.poll(() => page.getByRole('option', { name: /Quill Writer/ }).count()).toBe(0)
  await page.getByRole('option', { name: /Quillon Works/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/accounts/${account.id}`)

  await page.keyboard.press('Control+k')
  await field.fill('quiz')
  await page.getByRole('option', { name: /Quiz at the fair/ }).click()
  await page.getByRole('dialog', { name: 'Task' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await field.fill('new task')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.placeholder')).toBe('Add a task')
})

further(
  'axe finds nothing on the home page and the tasks, in any look',
  async () => {
    await makeTask({ title: 'Looked at', due_at: new Date(Date.now() - DAY_MS).toISOString() })
    const scenes: Scene[] = [
      ['/', page => page.getByRole('link', { name: /^Proposal/ }).waitFor()],
      [
        '/tasks',
        async page => {
          await page.getByRole('link', { name: 'Looked at' }).waitFor()
          await page.getByText('Done today').click()
          await page.getByRole('button', { name: 'Snooze Looked at' }).click()
        },
      ],
    ]
    expect(await faultsInEveryLook(stage, 'main h1', scenes)).toEqual([])
  },
  120_000,
)
