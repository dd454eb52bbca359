import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#test/eventually.ts'
import { inOrder } from '#test/in-order.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { goOn, makeLead, startStage, undo, type Stage } from './browser.ts'

inOrder()

/** The workflow of the specification: what follows on a call, by how long it was. */
const example = [
  {
    type: 'condition',
    field: 'durationSec',
    op: '>',
    value: 120,
    then: [
      { type: 'action', action: 'create_task', delay: '2d' },
      { type: 'action', action: 'send_email', template: 'recap' },
      { type: 'action', action: 'update_field', field: 'pipeline_stage', value: 'Engage_Human' },
    ],
    else: [
      { type: 'action', action: 'schedule_call', delay: '1d' },
      { type: 'action', action: 'send_sms', message: 'Pick a time: {{meetingLink}}' },
    ],
  },
]

let stage: Stage
let page: Page
let complaints: string[]
let id = ''

beforeAll(async () => {
  stage = await startStage()
  // Asking for them makes the first ones.
  await stage.api.get('/api/outreach/templates')
  // Their link to a meeting would be empty otherwise.
  await stage.api.patch('/api/outreach/settings', { meeting_url: 'https://meet.example.test/ada' })
  id = (await makeWorkflow({ name: 'After a call', trigger: 'lead.created', nodes: [], status: 'DRAFT' })).id
  ;({ page, complaints } = await stage.visit(`/workflows/${id}`))
  // What is still being saved asks whether to leave.
  page.on('dialog', dialog => void dialog.accept())
})
afterAll(() => stage.close())

const steps = () => page.getByRole('group', { name: 'Workflow steps' })
const step = (name: string | RegExp) => steps().getByRole('button', { name, exact: true })
const panel = (name: string) => page.getByRole('region', { name, exact: true })
/** What is said of the one that has the keyboard. */
const focused = () =>
  page.evaluate(
    `document.activeElement.getAttribute('aria-label') ?? document.activeElement.firstElementChild?.textContent`,
  )

test('the example of the specification is built by pointer and keyboard, and comes out as it is written there', async () => {
  await step(/^Trigger, New Lead Created/).click()
  await choose(panel('Trigger').getByRole('combobox', { name: 'Trigger' }), 'Webhook call_ended')
  await step(/^Trigger, Webhook call_ended/).waitFor()

  // Nobody has done anything wrong yet.
  await expect.poll(() => page.getByRole('button', { name: /to fix$/ }).count()).toBe(0)
  await step('Add first step').click()
  await pick('if')
  await step(/^If.*not set up yet$/).waitFor()
  const condition = panel('If / else')
  expect(await condition.locator('[aria-invalid=true]').count()).toBe(0)
  await condition.getByRole('combobox', { name: 'Field' }).fill('durationSec')
  await page.keyboard.press('Escape')
  await choose(condition.getByRole('combobox', { name: 'Operator' }), 'is more than')
  await condition.getByRole('textbox', { name: 'Value' }).fill('120')
  await step(/^If durationSec > 120/).waitFor()

  await step('Add first step in the Yes branch of If durationSec > 120').click()
  await page.getByRole('option', { name: /^Create task/ }).click()
  await panel('Create task').getByRole('textbox', { name: 'Wait before' }).fill('2')
  await step('Create task, after 2d, in the Yes branch of If durationSec > 120').waitFor()

  // From here on without a pointer.
  await page.keyboard.press('Escape')
  await expect.poll(focused).toContain('Create task, after 2d')
  await addByKeys('send email')
  await page.keyboard.type('recap')
  await back('Send email, template recap, in the Yes branch of If durationSec > 120')
  await addByKeys('update field')
  await page.keyboard.type('Pipeline')
  await page.getByRole('option', { name: 'Pipeline stage' }).waitFor()
  await chooseByKeys('Pipeline stage')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name: 'Engage Human' }).waitFor()
  await chooseByKeys('Engage Human')
  await back('Update field, pipeline_stage = Engage_Human, in the Yes branch of If durationSec > 120')

  await page.keyboard.press('ArrowRight')
  await expect.poll(focused).toBe('Add first step in the No branch of If durationSec > 120')
  await page.keyboard.press('Enter')
  await pick('schedule call')
  await panel('Schedule call').getByRole('textbox', { name: 'Wait before' }).focus()
  await page.keyboard.type('1')
  await back('Schedule call, after 1d, in the No branch of If durationSec > 120')
  await addByKeys('send sms')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Pick a time: {{meetingLink}}')
  await back('Send SMS, pick a time: {{meetingLink}}, in the No branch of If durationSec > 120')

  await saved()
  await expect.poll(() => draft()).toMatchObject({ trigger: 'webhook:call_ended', nodes: example })
  await expect.poll(() => page.url()).toContain(encodeURIComponent('nodes[0].else[1]'))
  expect(complaints.splice(0)).toEqual([])
})

test('the list of steps has the keyboard as soon as it is shown, however late that is', async () => {
  await page.evaluate(`{
    const hidden = new CSSStyleSheet()
    hidden.replaceSync('[role=dialog][aria-label="Add step"] { display: none }')
    document.adoptedStyleSheets.push(hidden)
  }`)
  await page.keyboard.press('a')
  const list = page.locator('[role=dialog][aria-label="Add step"]')
  await list.waitFor({ state: 'attached' })
  // Some frames go by before there is anything to see.
  await page.evaluate('new Promise(done => setTimeout(done, 100))')
  await page.evaluate('void document.adoptedStyleSheets.pop()')
  await expect.poll(focused).toBe('Add step')
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
})

test('arrow keys go along the tree; steps are doubled, moved, cut, pasted and removed, and all of it is taken back', async () => {
  await step(/^Send SMS/).focus()
  const ways = ['ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowUp']
  const seen: unknown[] = []
  for (const way of ways) {
    const before = await focused()
    await page.keyboard.press(way)
    await expect.poll(focused).not.toBe(before)
    seen.push(String(await focused()).split(',')[0])
  }
  expect(seen).toEqual([
    'Schedule call',
    'Create task',
    'Send email',
    'Create task',
    'If durationSec > 120',
    'Trigger',
  ])

  const before = await draft()
  await step(/^Send email/).focus()
  await page.keyboard.press('Control+d')
  await expect.poll(() => step(/^Send email/).count()).toBe(2)
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Control+x')
  await expect.poll(() => step(/^Send email/).count()).toBe(1)
  await step(/^Schedule call/).focus()
  await page.keyboard.press('Control+v')
  await step('Send email, template recap, in the No branch of If durationSec > 120').waitFor()
  await page.keyboard.press('Delete')
  await undo(page, 'Removed Send email')
  await step('Send email, template recap, in the No branch of If durationSec > 120').waitFor()

  await step(/^Schedule call/).focus()
  for (let edit = 0; edit < 6; edit++) await page.keyboard.press('Control+z')
  await saved()
  await expect.poll(async () => (await draft()).nodes).toEqual(before.nodes)
  await page.keyboard.press('Control+Shift+Z')
  await expect.poll(() => step(/^Send email/).count()).toBe(2)
  await page.keyboard.press('Control+z')
  await expect.poll(() => step(/^Send email/).count()).toBe(1)
  expect(complaints.splice(0)).toEqual([])
})

test('what the event brings along is put into a text from a list', async () => {
  await step(/^Create task/).click()
  const title = panel('Create task').getByRole('textbox', { name: 'Title' })
  const before = await title.inputValue()
  await panel('Create task').getByRole('button', { name: 'Placeholder' }).first().click()
  await page.getByRole('menuitem', { name: '{{event.durationSec}}' }).click()
  await expect.poll(() => title.inputValue()).toContain('{{event.durationSec}}')
  await title.fill(before)
  await page.keyboard.press('Escape')
  await saved()
})

test('what is to be mended is counted, leads to its field, and keeps the workflow from being published', async () => {
  await step(/^Send email/).click()
  await panel('Send email').getByRole('combobox', { name: 'Template' }).fill('')
  await step(/error: Template is missing/).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true)
  await panel('Send email').getByRole('button', { name: 'Close panel' }).click()
  await page.getByRole('button', { name: '1 to fix' }).click()
  await page.getByRole('menuitem', { name: '1. Send email: Template is missing.' }).click()
  await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe('true')
  await page.keyboard.type('recap')
  await page.getByRole('button', { name: '1 to fix' }).waitFor({ state: 'detached' })
  await saved()
  expect(complaints.splice(0)).toEqual([])
})

test('a test walks through the draft without doing anything, and publishing says what will be another', async () => {
  await page.getByRole('button', { name: 'Publish' }).click()
  const first = page.getByRole('dialog', { name: 'Publish After a call' })
  await first.getByText('6 steps, triggered by Webhook call_ended.').waitFor()
  await first.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Active v1').waitFor()

  await step(/^Send email/).click()
  await panel('Send email').getByRole('textbox', { name: 'Wait before' }).fill('3')
  await page.getByText('Unpublished changes').waitFor()
  await page.getByRole('button', { name: 'Test run' }).click()
  const tested = panel('Test run')
  const event = tested.getByRole('textbox', { name: 'Event' })
  await event.fill('{ "durationSec": 300')
  await tested.getByText('Invalid JSON').waitFor()
  await event.fill('{ "durationSec": 300 }')
  await tested.getByRole('button', { name: 'Run test' }).click()
  await tested.getByText('Run complete').waitFor()
  const list = tested.getByRole('list', { name: 'Test steps' })
  await list.getByRole('listitem').filter({ hasText: 'Update field' }).getByText('in 5 days').waitFor()
  await step(/^Schedule call.*not run$/).waitFor()
  await step(/^If durationSec > 120, yes immediately$/).waitFor()
  await expect.poll(async () => (await stage.api.get('/api/crm/tasks')).body.data).toEqual([])
  await tested.getByRole('button', { name: 'Close panel' }).click()

  await page.getByRole('button', { name: 'Publish' }).click()
  const second = page.getByRole('dialog', { name: 'Publish After a call' })
  await second.getByText('Changed Send email').waitFor()
  await second.getByText('delay: “3d”').waitFor()
  await second.getByRole('button', { name: 'Publish version 2' }).click()
  await page.getByText('Active v2').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true)
  expect(complaints.splice(0)).toEqual([])
})

further('a test is walked through step by step, as fast as one likes', async () => {
  const { page } = await stage.visit(`/workflows/${id}`, { reducedMotion: 'no-preference' })
  await page.getByRole('button', { name: 'Test run' }).click()
  await page.getByRole('button', { name: 'Run test' }).click()
  const walk = page.getByRole('group', { name: 'Playback' })
  await walk.getByRole('button', { name: 'Pause' }).click()
  const shown = page.getByRole('list', { name: 'Test steps' }).getByRole('listitem')
  const before = await shown.count()
  expect(before).toBeLessThan(4)
  await walk.getByRole('button', { name: 'Next step' }).click()
  await expect.poll(() => shown.count()).toBe(before + 1)
  await walk.getByText('4×').click()
  await walk.getByRole('button', { name: 'Play' }).click()
  await page.getByText('Run complete').waitFor()
})

test('with somebody else’s edit between nothing typed is lost', async () => {
  await step(/^Create task/).click()
  const now = await draft()
  const nodes = [...now.nodes, { type: 'delay', delay: '1w' }]
  const theirs = { ...now, name: 'After a call, theirs', nodes }
  // What is typed here is on its way before theirs is there, and arrives after it.
  const address = `**/api/crm/workflows/${id}/draft`
  const theirsFirst = Promise.withResolvers<void>()
  await page.route(address, route => theirsFirst.promise.then(() => route.continue()))
  const sent = page.waitForRequest(address)
  await panel('Create task').getByRole('textbox', { name: 'Title' }).fill('Ring back')
  await sent
  expect((await stage.api.put(`/api/crm/workflows/${id}/draft`, theirs)).status).toBe(200)
  theirsFirst.resolve()
  await page.getByText('Someone else changed this workflow').waitFor()
  await page.unroute(address)
  await page.getByRole('button', { name: 'Load theirs' }).click()
  await page.getByRole('heading', { name: 'After a call, theirs', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
  await step(/^Create task, after 2d · Ring back/).waitFor()
  await saved()
  complaints.splice(0)
})

further(
  'a workflow is taken over from JSON, and what is not published is dropped, with a way back',
  async () => {
    const more = page.getByRole('button', { name: /^More actions for/ })
    await more.click()
    await page.getByRole('menuitem', { name: 'Import JSON…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import JSON' })
    await dialog.getByRole('textbox', { name: 'JSON' }).fill('{"nodes": []}')
    await dialog.getByRole('button', { name: 'Import' }).click()
    await dialog.getByText('list of “nodes” is missing').waitFor()
    const other = { trigger: 'lead.created', nodes: [{ type: 'delay', delay: '1w' }] }
    await dialog.getByRole('textbox', { name: 'JSON' }).fill(JSON.stringify(other))
    await dialog.getByRole('button', { name: 'Import' }).click()
    await step(/^Delay, waits 1 week/).waitFor()
    await saved()
    await more.click()
    await page.getByRole('menuitem', { name: 'Discard changes' }).click()
    await step(/^If durationSec > 120/).waitFor()
    await page.getByText('Unpublished changes').waitFor({ state: 'detached' })
    await undo(page, 'Changes discarded')
    await step(/^Delay, waits 1 week/).waitFor()
    await page.keyboard.press('Control+z')
    await step(/^If durationSec > 120/).waitFor()
    await saved()
    expect(complaints.splice(0)).toEqual([])
  },
)

test('a run is shown on the canvas it ran on, with what went in and came out, and can be tried again', async () => {
  const lead = await makeLead(stage.api, { first_name: 'Grace', last_name: 'Hopper' })
  const workflow = await makeWorkflow({
    name: 'Text them',
    trigger: 'lead.created',
    nodes: [
      { type: 'action', action: 'create_task', title: 'Say hello' },
      { type: 'action', action: 'send_sms', message: 'Hello' },
    ],
  })
  const started = await stage.api.post(`/api/crm/workflows/${workflow.id}/start`, { lead_ids: [lead.id] })
  expect(started.status, started.text).toBe(200)
  const run = await eventually(async () => {
    const { data } = (await stage.api.get(`/api/crm/workflows/${workflow.id}/runs`)).body
    expect(data[0]?.status).toBe('FAILED')
    return data[0]
  })
  await goOn(page, `${stage.app.url}/workflows/runs/${run.id}`)
  await step(/^Send SMS, hello, failed /).waitFor()
  await step(/^Create task, say hello, done /).waitFor()
  await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
  const task = page.getByRole('list', { name: 'Run steps' }).getByRole('listitem').first()
  await task.getByText('Input', { exact: true }).click()
  await task.getByText('Say hello', { exact: true }).waitFor()
  await stage.api.patch(`/api/crm/leads/${lead.id}`, { phone: '+493012345678' })
  await page.getByRole('button', { name: 'Retry from failed step' }).click()
  await page.getByText('Retrying from failed step').waitFor()
  await page.getByRole('button', { name: 'Retry from failed step' }).waitFor({ state: 'detached' })
  runId = run.id
  expect(complaints.splice(0)).toEqual([])
})

let runId = ''

further(
  'nothing is wrong with it for those who see, hear or touch it differently',
  async () => {
    const at = (path: string) => `/workflows/${id}?node=${encodeURIComponent(path)}`
    const scenes: Scene[] = [
      [
        at('nodes[0]'),
        async page => {
          await page.getByRole('combobox', { name: 'Field' }).waitFor()
        },
      ],
      [
        `/workflows/${id}`,
        async page => {
          await page.getByRole('button', { name: 'Test run' }).click()
          await page.getByRole('button', { name: 'Run test' }).click()
          await page.getByText('Run complete').waitFor()
        },
      ],
      [
        `/workflows/${id}`,
        async page => {
          await page.getByRole('button', { name: 'Add step after the trigger' }).click()
          await page.getByRole('option', { name: /^If \/ else/ }).waitFor()
        },
      ],
      [`/workflows/runs/${runId}`],
    ]
    expect(await faultsInEveryLook(stage, '[data-stop=trigger]', scenes)).toEqual([])
  },
  60_000,
)

further('whoever may only read sees all of it and is offered no change', async () => {
  await stage.app.database.query(`update memberships set role = 'VIEWER'`)
  const viewer = await stage.visit(`/workflows/${id}`)
  const own = viewer.page.getByRole('group', { name: 'Workflow steps' })
  await own.getByRole('button', { name: /^Send email/ }).click()
  const fields = viewer.page.getByRole('region', { name: 'Send email', exact: true })
  await expect.poll(() => fields.getByRole('combobox', { name: 'Template' }).isDisabled()).toBe(true)
  for (const name of [/^Add /, 'Publish', 'Test run', 'Undo', 'Remove step'])
    await expect.poll(() => viewer.page.getByRole('button', { name }).count()).toBe(0)
  await viewer.page.keyboard.press('Delete')
  await own.getByRole('button', { name: /^Send email/ }).waitFor()
  expect(viewer.complaints).toEqual([])
})

async function makeWorkflow(body: Record<string, unknown>): Promise<{ id: string }> {
  const { status, body: made, text } = await stage.api.post('/api/crm/workflows', body)
  if (status !== 201) throw new Error(`The workflow was not made: ${text}`)
  return made
}

async function draft(): Promise<{ name: string; nodes: unknown[] }> {
  const { draft, name, trigger, filters, once_per_lead, nodes } = (
    await stage.api.get(`/api/crm/workflows/${id}`)
  ).body
  return draft ?? { name, trigger, filters, once_per_lead, nodes }
}

async function saved(): Promise<void> {
  await page.getByText('Saved', { exact: true }).waitFor()
}

async function choose(list: Locator, option: string): Promise<void> {
  await list.click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

async function chooseByKeys(option: string): Promise<void> {
  const chosen = page.locator('[role=option][data-combobox-selected]').filter({ hasText: option })
  for (let key = 0; key < 12 && (await chosen.count()) === 0; key++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

/** The key A, and the step by a few letters of its name. */
async function addByKeys(words: string): Promise<void> {
  await page.keyboard.press('a')
  await pick(words)
}

async function pick(words: string): Promise<void> {
  await page.getByRole('dialog', { name: 'Add step' }).waitFor()
  await expect.poll(() => focused()).toBe('Add step')
  await page.keyboard.type(words)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.closest("section") !== null')).toBe(true)
}

/** From the panel to its step. */
async function back(name: string): Promise<void> {
  await page.keyboard.press('Escape')
  if ((await focused()) !== name) await page.keyboard.press('Escape')
  await expect.poll(focused).toBe(name)
}
