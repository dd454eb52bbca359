import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrder } from '#test/in-order.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook } from './axe.ts'
import { addFilter, goOn, makeLead, rowOf, startStage, type Stage, undo } from './browser.ts'

inOrder()

let stage: Stage
let page: Page
let complaints: string[]
beforeAll(async () => {
  stage = await startStage()
  ;({ page, complaints } = await stage.visit('/workflows'))
  page.on('dialog', dialog => void dialog.accept())
})
afterAll(() => stage.close())

const toast = (text: string | RegExp) => page.getByText(text, { exact: true }).last().waitFor()
const list = () => page.getByRole('list', { name: 'Workflows', exact: true })
const item = (name: string) => list().getByRole('listitem').filter({ hasText: name }).first()
const choose = async (button: string, entry: string) => {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}
const task = { type: 'action', action: 'create_task', title: 'Call {{fullName}}' }
const broken = { type: 'action', action: 'send_email', template: 'not_written' }
const wait = { type: 'delay', delay: '3d' }

test('a workflow begins with a starter, by keyboard from any page, and as a draft', async () => {
  await page.getByRole('heading', { name: 'No workflows yet' }).waitFor()
  await page.getByRole('button', { name: /^A deal is won/ }).waitFor()
  await open('/leads')
  await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('New workflow')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New workflow' })
  const first = dialog.getByRole('radio').first()
  await expect.poll(() => first.isChecked()).toBe(true)
  await dialog.getByRole('radio', { name: 'Call follow-up' }).press('Tab')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('After each call')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toMatch(/\/workflows\/[0-9a-f]{24}$/)
  await page.getByRole('heading', { level: 1, name: 'After each call' }).waitFor()
  const [made] = (await stage.api.get('/api/crm/workflows')).body.data
  expect(made).toMatchObject({
    name: 'After each call',
    status: 'DRAFT',
    version: 0,
    trigger: 'webhook:call_ended',
  })
  expect(made.nodes).toHaveLength(4)
  expect(complaints.splice(0)).toEqual([])
})

further(
  'what is wrong with an imported workflow is told by its place, and what is exported is imported again',
  async () => {
    await open('/workflows')
    await page.getByRole('button', { name: 'New workflow' }).click()
    await page.getByRole('button', { name: 'Import JSON…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import workflow' })
    const field = dialog.getByLabel('JSON', { exact: true })
    const send = dialog.getByRole('button', { name: 'Import', exact: true })
    await field.fill('{ "name": ')
    await send.click()
    await dialog.getByText('Invalid JSON').waitFor()
    const nodes = [
      wait,
      { type: 'condition', field: 'lead.company', op: 'exists', else: [{ type: 'delay' }] },
    ]
    await field.fill(JSON.stringify({ name: 'From a file', trigger: 'lead.created', nodes }))
    await send.click()
    const faults = dialog.getByRole('list', { name: 'Errors' })
    await faults.getByText('nodes[1].else[0].delay').waitFor()

    await field.fill(JSON.stringify({ name: 'From a file', trigger: 'lead.created', nodes: [wait, task] }))
    await send.click()
    await expect.poll(() => page.url()).toMatch(/\/workflows\/[0-9a-f]{24}$/)
    await open('/workflows')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      choose('More actions for From a file', 'Export JSON'),
    ])
    expect(download.suggestedFilename()).toBe('from-a-file.json')
    const text = await readFile((await download.path())!, 'utf8')
    expect(JSON.parse(text)).toEqual({
      name: 'From a file',
      trigger: 'lead.created',
      filters: [],
      once_per_lead: false,
      nodes: [wait, task],
    })
    const again = await stage.api.post('/api/crm/workflows', JSON.parse(text))
    expect(again.status).toBe(201)
    expect(complaints.splice(0)).toEqual([])
  },
)

further('the list says what sets each off, and filters stay in the address', async () => {
  const { id } = await make('Overdue', [task], { trigger: 'task.overdue' })
  const draft = { name: 'Overdue', trigger: 'task.overdue', filters: [], once_per_lead: true, nodes: [task] }
  await stage.api.put(`/api/crm/workflows/${id}/draft`, draft)
  await open('/workflows')
  await item('Overdue').getByText('Task Overdue').waitFor()
  await item('Overdue').getByText('Unpublished changes').waitFor()
  await item('After each call').getByText('Never published').waitFor()
  await page.getByRole('searchbox', { name: 'Search workflows' }).fill('over')
  await addFilter(page, 'Status', 'Active')
  await expect.poll(() => page.url()).toMatch(/\?q=over&status=ACTIVE$/)
  await expect.poll(() => list().getByRole('link').count()).toBe(1)

  await choose('More actions for Overdue', 'Pause')
  await toast('Paused Overdue')
  await page.getByRole('heading', { name: 'No workflows match these filters' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Undo' }).click()
  await item('Overdue').getByText('Active').waitFor()

  await choose('More actions for Overdue', 'Duplicate')
  await expect.poll(() => page.url()).toMatch(/\/workflows\/[0-9a-f]{24}$/)
  const [copy] = (await stage.api.get('/api/crm/workflows?q=Copy')).body.data
  expect(copy).toMatchObject({ name: 'Copy of Overdue', status: 'DRAFT', has_draft: true })

  await open('/workflows')
  await choose('More actions for Copy of Overdue', 'Move to trash')
  await toast('Moved Copy of Overdue to the trash')
  await page.getByRole('button', { name: 'Trash', exact: true }).click()
  await page.getByRole('button', { name: 'Restore Copy of Overdue' }).click()
  await toast('Restored Copy of Overdue')
  await page.getByRole('heading', { name: 'Trash is empty' }).waitFor()
  expect(complaints.splice(0)).toEqual([])
})

test('a run that fails is found from the home page, tried again once mended, and told on the lead', async () => {
  const lead = await makeLead(stage.api, {
    first_name: 'Grace',
    last_name: 'Hopper',
    email: 'g@example.test',
  })
  const { id } = await make('Recap', [broken])
  await open(`/workflows/${id}/runs`)
  await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
  // What begins appears without a reload.
  await stage.api.post(`/api/crm/workflows/${id}/start`, { lead_ids: [lead.id] })
  const row = rowOf(page, 'Grace Hopper')
  await row.getByText('Failed').waitFor()
  await row.getByText('There is no template called not_written.').waitFor()

  await open('/')
  await page.getByRole('link', { name: '1 run of Recap failed' }).click()
  await row.getByText('Failed').waitFor()
  await expect.poll(() => page.url()).toContain('status=FAILED&from=')

  await stage.api.post('/api/outreach/templates', { name: 'not_written', subject: 'Hi', body: 'Hello' })
  await choose('More actions for the run for Grace Hopper', 'Retry from failed step')
  await toast('Retrying from failed step')
  await page.getByRole('heading', { name: 'No runs match these filters' }).waitFor()
  await page.getByRole('button', { name: 'Show all runs' }).click()
  await row.getByText('Done').waitFor()

  await row.getByRole('link', { name: 'Grace Hopper', exact: true }).click()
  const entry = page.getByRole('listitem').filter({ hasText: 'Workflow Recap could not finish a run' })
  await entry.getByText('There is no template called not_written.').waitFor()
  await page.getByText('You retried').waitFor()
  await entry.getByRole('link', { name: 'a run' }).click()
  await expect.poll(() => page.url()).toMatch(/\/workflows\/runs\/[0-9a-f]{24}$/)
  expect(complaints.splice(0)).toEqual([])
})

further('a run is paused, goes on and is cancelled, each by name', async () => {
  const { id } = await make('Patience', [wait, task])
  const lead = await makeLead(stage.api, { first_name: 'Alan', last_name: 'Turing' })
  const other = await makeLead(stage.api, { first_name: 'Edsger', last_name: 'Dijkstra' })
  await stage.api.post(`/api/crm/workflows/${id}/start`, { lead_ids: [lead.id, other.id] })
  await open(`/workflows/${id}/runs?lead=${lead.id}`)
  const row = rowOf(page, 'Alan Turing')
  await row.getByText('in 3 days').waitFor()
  await expect.poll(() => rowOf(page, 'Edsger Dijkstra').count()).toBe(0)
  await choose('More actions for the run for Alan Turing', 'Pause')
  await row.getByText('when resumed').waitFor()
  await choose('More actions for the run for Alan Turing', 'Resume')
  await row.getByText('Running').waitFor()
  await choose('More actions for the run for Alan Turing', 'Cancel…')
  const dialog = page.getByRole('dialog', { name: 'Cancel the run for Alan Turing?' })
  await dialog.getByRole('button', { name: 'Cancel run' }).click()
  await row.getByText('Cancelled').waitFor()
  await page.getByRole('button', { name: 'Remove filter Lead' }).click()
  await rowOf(page, 'Edsger Dijkstra').waitFor()
  await addFilter(page, 'Status', 'Running')
  await expect.poll(() => page.url()).toMatch(/runs\?status=RUNNING$/)
  await expect.poll(() => row.count()).toBe(0)
  expect(complaints.splice(0)).toEqual([])
})

further('it is started by hand for leads one chooses, for a view, and from the page of a lead', async () => {
  const { id } = await make('By hand', [wait])
  await makeLead(stage.api, { first_name: 'Barbara', last_name: 'Liskov', company: 'Hand AG' })
  await makeLead(stage.api, { first_name: 'Donald', last_name: 'Knuth', company: 'Hand AG' })
  const view = { kind: 'leads', name: 'Of Hand AG', query: 'company=Hand+AG', columns: null, shared: true }
  expect((await stage.api.post('/api/crm/views', view)).status).toBe(201)
  await open(`/workflows/${id}/runs`)
  await page.getByRole('button', { name: 'Start manually' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Start By hand manually' })
  await dialog.getByRole('button', { name: 'Add a lead' }).click()
  await page.getByRole('option', { name: 'Barbara Liskov' }).click()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: 'Start for 1 lead' }).click()
  await toast('Started By hand for 1 lead')
  await rowOf(page, 'Barbara Liskov').getByText('Running').waitFor()

  await page.getByRole('button', { name: 'Start manually' }).click()
  await dialog.getByText('All leads in a view').click()
  await dialog.getByRole('combobox', { name: 'View' }).click()
  await page.getByRole('option', { name: 'Of Hand AG' }).click()
  await dialog.getByText('2 leads in this view').waitFor()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('By hand starts now for 2 leads').waitFor()
  await dialog.getByRole('button', { name: 'Start for 2 leads' }).click()
  await toast('Starting By hand for 2 leads')
  await rowOf(page, 'Donald Knuth').waitFor()
  await expect.poll(() => rowOf(page, 'Barbara Liskov').count()).toBe(2)

  await rowOf(page, 'Donald Knuth').getByRole('link', { name: 'Donald Knuth', exact: true }).click()
  await page.getByRole('button', { name: 'Run workflow' }).click()
  const asked = page.getByRole('dialog', { name: 'Run workflow' })
  await asked.getByRole('combobox', { name: 'Workflow' }).click()
  await page.getByRole('option', { name: 'By hand' }).click()
  await asked.getByRole('button', { name: 'Continue' }).click()
  await asked.getByRole('button', { name: 'Start for Donald Knuth' }).click()
  await toast('Started By hand for 1 lead')
  const begun = page.getByRole('listitem').filter({ hasText: 'started By hand for this lead' })
  await expect.poll(() => begun.count()).toBe(2)
  expect(complaints.splice(0)).toEqual([])
})

further('versions tell what changed in words, and an older one becomes the draft', async () => {
  const { id } = await make('Grown', [wait])
  await stage.api.patch(`/api/crm/workflows/${id}`, { nodes: [{ ...wait, delay: '4d' }, task] })
  await open(`/workflows/${id}/runs`)
  await page.getByRole('link', { name: 'Versions' }).click()
  await expect.poll(() => page.url()).toContain('?tab=versions')
  const newest = page.getByRole('listitem').filter({ hasText: 'used for new runs' })
  await newest.getByText('What changed').click()
  await newest.getByText('delay: “3d” → “4d”').waitFor()
  await newest.getByText('Added Create task').waitFor()
  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await toast('Draft reset to version 1')
  const read = async () => (await stage.api.get(`/api/crm/workflows/${id}`)).body.draft
  await expect.poll(() => read()).toMatchObject({ name: 'Grown', nodes: [wait] })
  await undo(page, 'Draft reset to version 1')
  await expect.poll(read).toBeNull()
  expect(complaints.splice(0)).toEqual([])
})

further('the list, the runs and the versions are accessible in every look', async () => {
  const { data } = (await stage.api.get('/api/crm/workflows?q=Patience')).body
  const runs = `/workflows/${data[0].id}/runs`
  const faults = await faultsInEveryLook(stage, 'main h1', [
    ['/workflows'],
    [runs],
    [`${runs}?tab=versions`],
    ['/workflows', page => page.getByRole('button', { name: 'New workflow' }).click()],
  ])
  expect(faults).toEqual([])
})

further('whoever only reads sees everything and changes nothing', async () => {
  await stage.app.database.query(`update memberships set role = 'VIEWER'`)
  const { data } = (await stage.api.get('/api/crm/workflows?q=Patience')).body
  const { page, complaints } = await stage.visit('/workflows')
  await page.getByRole('button', { name: 'More actions for Patience' }).click()
  await page.getByRole('menuitem', { name: 'Export JSON' }).waitFor()
  await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['Open', 'Runs', 'Export JSON'])
  await page.getByRole('menuitem', { name: 'Runs' }).click()
  await rowOf(page, 'Edsger Dijkstra').waitFor()
  await expect.poll(() => page.url()).toContain(data[0].id)
  await expect.poll(() => page.getByRole('button', { name: 'More actions for the run' }).count()).toBe(0)
  await expect.poll(() => page.getByRole('button', { name: 'Start manually' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

async function make(name: string, nodes: object[], more: object = {}): Promise<{ id: string }> {
  const { status, body, text } = await stage.api.post('/api/crm/workflows', {
    name,
    trigger: 'meeting.booked',
    nodes,
    ...more,
  })
  if (status !== 201) throw new Error(`The workflow was not made: ${text}`)
  return body
}

async function open(path: string): Promise<void> {
  await goOn(page, stage.app.url + path)
}
