import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Step } from '#domains/sequences/contract.ts'
import { inOrder } from '#test/in-order.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook } from './axe.ts'
import { goOn, makeLead, rowOf, startStage, undo, type Stage } from './browser.ts'

inOrder()

const LEAVE = `addEventListener('beforeunload', event => event.stopImmediatePropagation(), true)`

let stage: Stage
let page: Page
let complaints: string[]
beforeAll(async () => {
  stage = await startStage()
  ;({ page, complaints } = await stage.visit('/sequences'))
  // Steps that are not saved ask whether to leave; where a test has failed the others go on.
  await page.addInitScript(LEAVE)
  await page.evaluate(LEAVE)
})
afterAll(() => stage.close())

const card = (name: RegExp) =>
  page.getByRole('list', { name: 'Steps in order' }).getByRole('button', { name, expanded: false })
const steps = () => page.getByRole('list', { name: 'Steps in order' }).getByRole('article')
const toast = (text: string) => page.getByText(text, { exact: true }).waitFor()

test('a sequence is built by keyboard alone, and saved when one says so', async () => {
  await page.getByRole('heading', { name: 'No sequences yet' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('New sequence')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New sequence' })
  await dialog.getByRole('radio', { name: 'Blank' }).press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Spring journey')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Spring journey', level: 1 }).waitFor()
  await page.getByText('only if the previous email was not opened').waitFor()
  await page.getByText('wait 3 days').waitFor()

  // The task goes up past the second mail, and comes back by undo.
  await card(/^Task 3 Task/).press('Alt+ArrowUp')
  await expect.poll(() => steps().nth(1).getAttribute('aria-label')).toContain('Task')
  await page.keyboard.press('Control+z')
  await expect.poll(() => steps().nth(2).getAttribute('aria-label')).toContain('Task')
  await expect.poll(() => page.getByText('Not saved', { exact: true }).count()).toBe(0)

  await page.getByRole('button', { name: 'Add step' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Text message' }).press('Enter')
  await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
  await page.keyboard.type('Hello ')
  await page.getByRole('button', { name: 'Placeholder' }).press('Enter')
  await page.getByRole('menuitem', { name: 'First name' }).press('Enter')
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Text', exact: true }).inputValue())
    .toBe('Hello {{firstName}}')
  await page.getByText('19 characters, sent as 1 text message.').waitFor()
  await page.getByText('Not saved', { exact: true }).waitFor()
  await page.keyboard.press('Control+s')
  await toast('Saved')
  const [made] = (await stage.api.get('/api/outreach/sequences')).body.data
  expect(made.status).toBe('DRAFT')
  // Office hours and a limit are proposed; the API itself proposes nothing.
  expect(made.settings).toMatchObject({
    window: { days: [1, 2, 3, 4, 5], from: '09:00', until: '17:00' },
    daily_cap: 50,
  })
  expect(made.steps.map(({ type }: Step) => type)).toEqual(['email', 'email', 'task', 'sms', 'sms'])
  expect(made.steps[4]).toEqual({ type: 'sms', message: 'Hello {{firstName}}', delay_days: 0 })
  expect(complaints.splice(0)).toEqual([])
})

further('what is wrong with a condition is said at its field, and nothing is saved', async () => {
  const { id } = await make('Conditions', [{ type: 'email', template: 'intro' }], 'DRAFT')
  await open(`/sequences/${id}`)
  await card(/^Email 1/).click()
  const field = page.getByRole('combobox', { name: 'Only if' })
  await field.fill('not previous.slept')
  await page.getByText('At character 5: expected').first().waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await toast('Fix 1 error to save')
  await field.fill('not previous.clicked')
  await page.getByText('Sent only if no link in the previous email was clicked.').waitFor()
  await field.press('Escape')

  // A template that is only named is a warning, and is written from here.
  await page.getByRole('combobox', { name: 'Template' }).fill('Not there')
  await page.getByText('There is no template called Not there yet.').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await toast('Saved')
  await page.getByRole('button', { name: 'Activate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Activate Conditions' })
  await dialog.getByRole('list', { name: 'Fix before activating' }).getByText('Not there').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  const saved = (await stage.api.get(`/api/outreach/sequences/${id}`)).body
  expect(saved.steps[0]).toMatchObject({ template: 'Not there', condition: 'not previous.clicked' })
  expect(complaints.splice(0)).toEqual([])
})

test('what would go out wrong is shown at its step, and activating waits until it is fixed', async () => {
  const first: Step = { type: 'email', template: 'follow_up' }
  const { id } = await make('Too early', [first], 'DRAFT')
  await open(`/sequences/${id}`)
  await steps().first().getByText('Template follow_up has no subject.').waitFor()
  await steps().first().getByText('says “my last email”').waitFor()
  await page.getByRole('button', { name: 'Activate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Activate Too early' })
  const wrong = dialog.getByRole('list', { name: 'Fix before activating' }).getByRole('listitem')
  await expect.poll(() => wrong.count()).toBe(2)
  expect(await wrong.first().textContent()).toMatch(/^Step 1: Template follow_up has no subject/)
  const button = dialog.getByRole('button', { name: 'Activate', exact: true })
  expect(await button.isDisabled()).toBe(true)
  // Somebody puts it right elsewhere.
  await stage.api.patch(`/api/outreach/sequences/${id}`, { steps: [{ type: 'email', template: 'intro' }] })
  await dialog.getByRole('button', { name: 'Activate anyway' }).click()
  await toast('Too early is active')
  expect(complaints.splice(0)).toEqual([])
})

further('the preview shows every step for a lead and marks what is missing', async () => {
  const told: Step[] = [
    { type: 'email', template: 'intro' },
    { type: 'sms', message: 'Hi {{firstName}} of {{company}}', delay_days: 2 },
  ]
  const { id } = await make('Previewed', told, 'DRAFT')
  await makeLead(stage.api, { first_name: 'Noor', email: 'noor@example.test', phone: '+4930123456' })
  await open(`/sequences/${id}`)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.getByRole('button', { name: 'Choose a lead' }).click()
  await page.getByRole('option', { name: 'Noor' }).click()
  const shown = page.getByRole('list', { name: 'What the lead would get' }).getByRole('listitem')
  await shown.last().getByText('No value for {{company}}').waitFor()
  await shown.last().getByText('Hi Noor of').waitFor()
  await shown.first().getByText('A quick question, Noor').waitFor()
  await page.frameLocator('iframe[title="Email of step 1"]').getByText('Hi Noor').waitFor()
  await page.getByText('Plain text').click()
  await shown.first().getByText('Hi Noor').waitFor()
  await expect.poll(() => page.url()).toContain('lead=')
  expect(complaints.splice(0)).toEqual([])
})

test('leads are enrolled after a review that says who is not, and why', async () => {
  const { id: other } = await make('Other', [{ type: 'task', description: 'Wait', delay_days: 9 }])
  const { id } = await make('Reviewed', [
    { type: 'sms', message: 'Hi {{firstName}}', delay_days: 3 },
    { type: 'task', description: 'Call', delay_days: 1 },
  ])
  const person = (first_name: string, number: number) =>
    makeLead(stage.api, { first_name, last_name: 'Reviewed', phone: `+49301234560${number}` })
  await person('Anna', 1)
  const bert = await person('Bert', 2)
  await person('Cora', 3)
  await makeLead(stage.api, { last_name: 'Reviewed', phone: '+493012345604' } as never)
  await stage.api.post('/api/outreach/suppressions', { phone: '+493012345603' })
  await stage.api.post(`/api/outreach/sequences/${other}/enrolments`, { lead_ids: [bert.id] })

  await open('/leads?q=Reviewed')
  await rowOf(page, 'Anna Reviewed').getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Select all 4' }).click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Enrol' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('4 selected leads').waitFor()
  await dialog.getByRole('combobox', { name: 'Sequence' }).click()
  await page.getByRole('option', { name: 'Reviewed', exact: true }).click()
  await dialog.getByRole('button', { name: 'Review' }).click()
  const review = dialog.getByRole('list', { name: 'Review' })
  await review.getByText('3 leads will be enrolled').waitFor()
  await review.getByText('1 of them has no value for {{firstName}}').waitFor()
  await review.getByText('1 of them is also in another sequence').click()
  await review.getByText('in Other').waitFor()
  await review.getByText('1 is on the suppression list').click()
  await review.getByRole('link', { name: 'Cora Reviewed' }).waitFor()
  await dialog.getByRole('button', { name: 'Enrol 3 leads' }).click()
  await dialog.getByText('3 leads are enrolled in Reviewed.').waitFor()
  await dialog.getByRole('link', { name: 'Show leads' }).click()
  await page.getByRole('link', { name: 'Bert Reviewed' }).waitFor()
  await page.getByRole('link', { name: '3 enrolled' }).waitFor()
  await expect.poll(() => page.url()).toContain(`/sequences/${id}?tab=leads`)
  expect(complaints.splice(0)).toEqual([])
})

further('one lead is paused and resumed, and everything is', async () => {
  const { id } = await make('Held', [{ type: 'task', description: 'Call', delay_days: 3 }])
  const lead = await makeLead(stage.api, { first_name: 'Paula', last_name: 'Held' })
  await enrol(id, lead.id)
  await open(`/sequences/${id}?tab=leads`)
  const row = page.getByRole('listitem').filter({ hasText: 'Paula Held' })
  await row.getByText('in 3 days').waitFor()
  await row.getByRole('button', { name: 'More actions for Paula Held' }).click()
  await page.getByRole('menuitem', { name: 'Pause for this lead' }).click()
  await row.getByText('Paused for this lead').waitFor()

  await row.getByRole('link', { name: 'Paula Held' }).click()
  const drawer = page.getByRole('dialog', { name: 'Paula Held' })
  await drawer.getByText('Paused by Ada.').waitFor()
  await drawer.getByRole('button', { name: 'Resume' }).click()
  await drawer.getByText('Resumed by Ada.').waitFor()
  await page.keyboard.press('Escape')
  await row.getByText('in 3 days').waitFor()

  // What happens elsewhere shows without a reload.
  const other = await makeLead(stage.api, { first_name: 'Otto', last_name: 'Held' })
  const enrolment = await enrol(id, other.id)
  const ottos = page.getByRole('listitem').filter({ hasText: 'Otto Held' })
  await ottos.getByText('in 3 days').waitFor()
  await stage.api.post(`/api/outreach/enrolments/${enrolment}/stop`, undefined)
  await ottos.getByText('Stopped manually').waitFor()
  await page.getByRole('link', { name: '1 active' }).waitFor()

  await page.goto(`${stage.app.url}/sequences`)
  await page.getByRole('button', { name: 'Pause everything' }).click()
  const confirm = page.getByRole('dialog', { name: 'Pause all outreach?' })
  await confirm.getByRole('button', { name: 'Pause everything' }).click()
  await page.getByText('All outreach was paused').waitFor()
  await expect.poll(async () => (await stage.api.get('/api/outreach/settings')).body.paused_at).not.toBeNull()
  await page.getByRole('button', { name: 'Resume all outreach' }).click()
  await page.getByText('All outreach was paused').waitFor({ state: 'detached' })
  await expect.poll(async () => (await stage.api.get('/api/outreach/settings')).body.paused_at).toBeNull()

  // The numbers lead to the list behind them.
  const line = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'Held', exact: true }) })
  await line.getByRole('link', { name: '1 active' }).click()
  await row.waitFor()
  await expect.poll(() => page.url()).toContain('active=true')
  expect(complaints.splice(0)).toEqual([])
})

test('saving with leads on the way makes a new version, and they stay or move as one says', async () => {
  const { id } = await make('Versioned', [{ type: 'task', description: 'Call', delay_days: 3 }])
  const lead = await makeLead(stage.api, { first_name: 'Vera', last_name: 'Versioned' })
  const enrolment = await enrol(id, lead.id)
  const version = async () => (await stage.api.get(`/api/outreach/enrolments/${enrolment}`)).body.version
  await open(`/sequences/${id}`)
  await page.getByRole('link', { name: '1 waiting' }).waitFor()
  await card(/^Task 1/).click()
  await page.getByLabel('Wait (days)').fill('5')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as version 2' })
  await dialog.getByText('1 lead is active in this sequence').waitFor()
  await dialog.getByRole('button', { name: 'Save version 2' }).click()
  await toast('Saved as version 2')
  await expect.poll(() => version()).toBe(1)

  await page.getByLabel('Wait (days)').fill('6')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('radio', { name: 'Move all to the new version' }).check()
  await page.getByRole('button', { name: 'Save version 3' }).click()
  await toast('Moved 1 lead to the new version')
  await expect.poll(() => version()).toBe(3)

  await page.getByRole('button', { name: 'More actions for Versioned' }).click()
  await page.getByRole('menuitem', { name: 'Versions' }).click()
  await page.getByText('Step 1: wait 6 days instead of wait 5 days').waitFor()
  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await expect.poll(() => page.getByText('wait 3 days').count()).toBe(1)
  await undo(page, 'Restored version 1')
  expect(complaints.splice(0)).toEqual([])
})

further(
  'nothing is wrong for readers of any kind, in any look',
  async () => {
    const { id } = await make(
      'Looked at',
      [
        { type: 'email', template: 'intro', ai_personalization: true, delay_days: 4 },
        { type: 'email', template: 'Nobody wrote it', delay_days: 3, condition: 'not previous.opened' },
        { type: 'sms', message: 'Hi {{firstName}}', delay_days: 1 },
      ],
      'DRAFT',
    )
    const { id: running } = await make('Running', [{ type: 'email', template: 'intro', delay_days: 4 }])
    const lead = await makeLead(stage.api, { first_name: 'Lola', email: 'lola@example.test' })
    const enrolment = await enrol(running, lead.id)
    await stage.api.post(`/api/outreach/enrolments/${enrolment}/pause`, undefined)
    const faults = await faultsInEveryLook(stage, 'main h1', [
      ['/sequences'],
      [`/sequences/${id}?preview=true&lead=${lead.id}`],
      [`/sequences/${running}?tab=leads`],
      [`/sequences/${running}?tab=settings`],
      [`/sequences/${id}`, page => page.getByRole('button', { name: /2 Email/ }).click()],
      [
        `/sequences/${running}?tab=leads&enrolment=${enrolment}`,
        page => page.getByRole('dialog').getByText('Paused by Ada.').waitFor(),
      ],
      [
        `/leads/${lead.id}`,
        async page => {
          await page.getByRole('button', { name: 'Enrol' }).click()
          await page.getByRole('dialog').getByRole('combobox', { name: 'Sequence' }).fill('Running')
          await page.getByRole('option', { name: 'Running' }).click()
          await page.getByRole('button', { name: 'Review' }).click()
          await page.getByText('1 is or was already in this sequence').click()
        },
      ],
    ])
    expect(faults).toEqual([])
  },
  180_000,
)

further('a viewer has no link to sequences, and the page says why', async () => {
  await stage.app.database.query(`update memberships set role = 'VIEWER'`)
  const visitor = await stage.visit('/leads')
  await visitor.page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()
  await expect.poll(() => visitor.page.getByRole('link', { name: 'Sequences' }).count()).toBe(0)
  await rowOf(visitor.page, 'Lola').waitFor()
  await expect.poll(() => visitor.page.getByRole('grid').getByRole('checkbox').count()).toBe(0)
  await visitor.page.goto(`${stage.app.url}/sequences`)
  await visitor.page.getByRole('heading', { name: 'Your role does not include outreach' }).waitFor()
  expect(visitor.complaints).toEqual([])
})

async function open(path: string): Promise<void> {
  await goOn(page, stage.app.url + path)
}

async function make(name: string, steps: Step[], status = 'ACTIVE'): Promise<{ id: string }> {
  const {
    body,
    status: answer,
    text,
  } = await stage.api.post('/api/outreach/sequences', { name, steps, status })
  if (answer !== 201) throw new Error(`The sequence was not made: ${text}`)
  return body
}

async function enrol(sequence: string, lead: string): Promise<string> {
  const { body } = await stage.api.post(`/api/outreach/sequences/${sequence}/enrolments`, {
    lead_ids: [lead],
  })
  return body.data[0].id
}
