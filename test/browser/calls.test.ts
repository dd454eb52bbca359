import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSimulator, type Pace } from '#adapters/voice/simulator.ts'
import type { VoiceLine } from '#platform/ports/voice.ts'
import { inOrder } from '#test/in-order.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { addFilter, goOn, makeLead, readLead, startStage, undo, type Stage, type Visitor } from './browser.ts'

inOrder()

/** It rings, somebody answers, and the agent greets. */
const TO_GREETING = 3
const WHISPERS = 4
const HOSTILE = `<img src=x onerror="window.broken=1"><script>window.broken=1</script>{{7*7}}`

/** Calls go on when the test says so: one thing after the other. */
const due = new Set<() => void>()
const pace: Pace = next => {
  const act = () => void (due.delete(act) && next())
  due.add(act)
  return () => void due.delete(act)
}
const line = openSimulator({ pace })
/** What was whispered, as soon as the agent has it. */
const heard: string[] = []
const voice: VoiceLine = {
  ...line,
  async open(call, listener) {
    const channel = await line.open(call, listener)
    const prompt = async (text: string) => {
      await channel.prompt(text)
      heard.push(text)
    }
    return { ...channel, prompt }
  },
}

let stage: Stage
let visitor: Visitor
let lead: { id: string }
let agent: { id: string }
let call = ''
beforeAll(async () => {
  stage = await startStage({ ports: { voice } })
  lead = await makeLead(stage.api, {
    first_name: 'Grace',
    last_name: 'Hopper',
    email: 'grace@example.test',
    phone: '+493012345',
  })
  const { body } = await stage.api.post('/api/voice/agents', {
    name: 'Front desk',
    description: 'Books appointments',
    instructions: 'You are the front desk.',
    greeting: `Hello! ${HOSTILE}`,
    tools: ['schedule_meeting', 'end_call'],
    outbound: { consent: 'required', quiet_hours: null, attempts_max: 1, retry_after_min: 60 },
  })
  agent = body
  // So that ten in the morning where the lead is lies within the hours of the host, in summer and in winter.
  await stage.api.patch('/api/meetings/availability', { timezone: 'Europe/Berlin' })
  visitor = await stage.visit('/calls')
})
afterAll(() => stage.close())

test('an agent calls a lead once it has agreed, is read along, and books a meeting', async () => {
  const { page } = visitor
  await page.getByRole('heading', { name: 'No calls yet' }).waitFor()
  await page.getByText('Calls are simulated here').waitFor()

  await goOn(page, `${stage.app.url}/leads/${lead.id}`)
  await page.getByText('No consent to agent calls yet').waitFor()
  await page.getByText('Europe/Berlin, from the phone number').waitFor()
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Call Grace Hopper' })
  await dialog.getByRole('radio', { name: 'Front desk' }).waitFor()
  await dialog.getByRole('alert').getByText('Grace Hopper has not agreed to be called by an agent.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Call now' }).isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Record consent and call' }).click()
  await dialog.getByText('Enter how they agreed').waitFor()
  await dialog.getByLabel('How did they agree?').fill('By mail')
  await dialog.getByRole('button', { name: 'Record consent and call' }).click()
  await page.waitForURL('**/calls/*')
  call = page.url().split('/').at(-1)!
  await page.getByText('Ringing.').waitFor()
  await page.getByRole('link', { name: 'Front desk' }).waitFor()
  await expect.poll(() => page.getByRole('textbox', { name: 'Whisper to the agent' }).isDisabled()).toBe(true)

  const said = page.getByRole('log', { name: 'Transcript' })
  await steps(TO_GREETING)
  await said.getByText('Hello! <img').waitFor()
  await page.getByRole('status').getByText('On the phone').waitFor()
  await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/^\d+:\d\d$/)

  await page.keyboard.press('w')
  await page.keyboard.type('Ask about Friday')
  await page.keyboard.press('Enter')
  await said.getByText('Ask about Friday', { exact: true }).waitFor()
  await expect.poll(() => heard).toEqual(['Ask about Friday'])
  await steps(1)
  await said.getByText('Understood: Ask about Friday').waitFor()

  const booked = said.getByRole('group', { name: 'Book a meeting' })
  await stepUntil(() => booked.isVisible())
  await booked.getByText('Done', { exact: true }).waitFor()
  await booked.getByText('30', { exact: true }).waitFor()
  await booked.getByRole('link', { name: 'Open meeting' }).waitFor()
  await stepUntil(() => page.getByRole('status').getByText('Ended').isVisible())

  const followUp = page.getByRole('region', { name: 'Follow-up' })
  await followUp.getByText('Meeting booked').waitFor()
  const { body } = await stage.api.get(`/api/voice/calls/${call}`)
  const way = await followUp.getByRole('link', { name: 'Open meeting' }).getAttribute('href')
  expect(way).toBe(`/meetings?meeting=${body.follow_up.meeting_id}`)
  expect(body.follow_up.meeting_id).toMatch(/^[0-9a-f]{24}$/)
  await page
    .getByRole('region', { name: 'Result' })
    .getByText(/meeting was booked/)
    .waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'End call' }).count()).toBe(0)
  await expect.poll(() => page.getByRole('textbox', { name: 'Whisper to the agent' }).count()).toBe(0)
})

test('what strangers say is text, and nothing of it runs', async () => {
  const { page, complaints } = visitor
  await page.getByRole('log').getByText(HOSTILE).waitFor()
  expect(await page.evaluate('window.broken')).toBe(undefined)
  await expect.poll(() => page.getByRole('log').locator('img, script').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('notes are saved where they stand, and the timeline tells of the call', async () => {
  const { page } = visitor
  await page.keyboard.press('m')
  await page.keyboard.type('Prefers mornings')
  await page.getByRole('heading', { name: 'Notes' }).click()
  const notes = async () => (await stage.api.get(`/api/voice/calls/${call}`)).body.notes
  await expect.poll(notes).toBe('Prefers mornings')

  const outcome = async () => (await stage.api.get(`/api/voice/calls/${call}`)).body.outcome
  const before = await outcome()
  await page.getByRole('textbox', { name: 'Outcome' }).fill('Wants a demo')
  await page.keyboard.press('Enter')
  await expect.poll(outcome).toBe('Wants a demo')
  await undo(page, 'Outcome saved')
  await expect.poll(outcome).toBe(before)

  await goOn(page, `${stage.app.url}/leads/${lead.id}`)
  await page.getByText('Agents may call', { exact: true }).waitFor()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('recorded that agents may call this lead').waitFor()
  const ended = timeline.getByRole('listitem').filter({ hasText: /reported that a call ended/ })
  await expect
    .poll(() => ended.getByRole('link', { name: 'a call' }).getAttribute('href'))
    .toBe(`/calls/${call}`)
  await timeline.getByText('Calls', { exact: true }).click()
  await timeline.getByText(/used “schedule meeting” in/).waitFor()
})

test('a call that somebody had is logged, and a wrong duration is said to be wrong', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Log a call' }).click()
  const dialog = page.getByRole('dialog', { name: 'Log a call with Grace Hopper' })
  await dialog.getByText('They called').click()
  await dialog.getByLabel('Duration').fill('a while')
  await dialog.getByLabel('Outcome').fill('Wants an offer')
  await dialog.getByRole('button', { name: 'Log call' }).click()
  await dialog.getByText('Enter minutes, like 5 or 5:30').waitFor()
  await dialog.getByLabel('Duration').fill('5:30')
  await dialog.getByRole('button', { name: 'Log call' }).click()
  await page.getByText('Logged the call with Grace Hopper').waitFor()
  const calls = page.getByRole('region', { name: 'Calls', exact: true })
  await calls.getByText(/5:30 · Wants an offer/).waitFor()
  await page.getByText(/logged a call of 6 min/).waitFor()

  await calls.getByRole('button', { name: 'Change consent' }).click()
  const consent = page.getByRole('dialog', { name: 'May agents call Grace Hopper?' })
  await consent.getByRole('radio', { name: /Opted out/ }).check()
  await consent.getByLabel('How do you know?').fill('Said so')
  await consent.getByRole('button', { name: 'Save' }).click()
  await calls.getByText('Agents must not call').waitFor()
  await undo(page, 'Opt-out recorded')
  await calls.getByText('Agents may call', { exact: true }).waitFor()
})

test('live calls stand on top of the list, with what was said last, and end by a named confirmation', async () => {
  const { page } = visitor
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('call a lead')
  await page.getByRole('option', { name: /Call a lead/ }).click()
  const asked = page.getByRole('dialog', { name: 'Call a lead' })
  await asked.getByRole('button', { name: 'Call now' }).click()
  await asked.getByText('Choose a lead to call').waitFor()
  await asked.getByRole('button', { name: 'Choose a lead' }).click()
  await page.getByRole('option', { name: 'Grace Hopper' }).click()
  await asked.getByRole('button', { name: 'Call now' }).click()
  await page.waitForURL(/calls\/[0-9a-f]{24}$/)
  call = page.url().split('/').at(-1)!
  await page.getByRole('link', { name: 'Calls' }).last().click()
  const card = page.getByRole('region', { name: /^Live now/ }).getByRole('listitem')
  await card.getByText('Dialling').waitFor()
  await steps(TO_GREETING)
  await card.getByText('On the phone').waitFor()
  await card.getByText(/^(Agent|Lead) \S/).waitFor()
  // What goes on is not told a second time below.
  const list = page.getByRole('list', { name: 'Calls' })
  await expect.poll(() => list.getByRole('listitem').count()).toBe(2)

  await addFilter(page, 'Status', 'Ended')
  await addFilter(page, 'Type', 'Logged manually')
  await expect.poll(() => new URL(page.url()).search).toBe('?status=ENDED&kind=manual')
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
  await page.getByRole('button', { name: 'Clear', exact: true }).click()

  await card.getByRole('link', { name: 'Grace Hopper' }).click()
  await longTalk(page)

  await page.getByRole('button', { name: 'End call' }).click()
  const dialog = page.getByRole('dialog', { name: 'End the call with Grace Hopper?' })
  await dialog.getByRole('button', { name: 'End the call with Grace Hopper' }).click()
  await page.getByRole('status').getByText('Ended').waitFor()
  await page.getByRole('link', { name: 'Open task' }).waitFor()
  await expect.poll(async () => (await readLead(stage.api, lead.id)).call_status).toBe('ENDED')
})

test('the numbers of the agents stand beside a chart that can be read as a table', async () => {
  const { page } = visitor
  await goOn(page, `${stage.app.url}/calls?tab=numbers`)
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Front desk' }) })
  await row.getByRole('link', { name: '2' }).waitFor()
  await page.getByRole('img', { name: /responses from .* 0 failed/ }).waitFor()
  await page.getByRole('button', { name: 'Period is 7 days' }).click()
  await page.getByRole('option', { name: '24 hours' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?tab=numbers&period=1d')
  await page.getByText('Show as table').click()
  await expect
    .poll(() => page.getByRole('region', { name: 'Responses over time' }).getByRole('row').count())
    .toBe(25)
})

further('calls are accessible in every look', async () => {
  const live = await start()
  await steps(TO_GREETING)
  const scenes: Scene[] = [
    ['/calls'],
    ['/calls?tab=numbers'],
    [`/calls/${live}`],
    [`/calls/${call}`],
    [`/calls/${live}`, page => page.getByRole('button', { name: 'End call' }).click()],
    [`/leads/${lead.id}`, page => page.getByRole('button', { name: 'Log a call' }).click()],
    [
      `/leads/${lead.id}`,
      async page => {
        await page.getByRole('button', { name: 'Call', exact: true }).click()
        await page.getByRole('alert').getByText('is already on a call with us').waitFor()
      },
    ],
  ]
  expect(await faultsInEveryLook(stage, 'main h1', scenes)).toEqual([])
  await stop(live)
})

further('a viewer reads along and is offered nothing that would be refused', async () => {
  const { page, complaints } = visitor
  const live = await start()
  await stage.app.database.query(`update memberships set role = 'VIEWER'`)
  await page.reload()
  await goOn(page, `${stage.app.url}/calls/${live}`)
  await page.getByText('Ringing.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: /End call|Whisper/ }).count()).toBe(0)
  await expect.poll(() => page.getByRole('textbox').count()).toBe(0)
  await goOn(page, `${stage.app.url}/leads/${lead.id}`)
  await page.getByText('Agents may call', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^Call$|Log a call|consent/ }).count()).toBe(0)
  await goOn(page, `${stage.app.url}/calls`)
  await page.getByRole('region', { name: /^Live now/ }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Call a lead' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

/** It stays at the end by itself, not for who reads further up, and again from the press of a button. */
async function longTalk(page: Page): Promise<void> {
  const box = page.getByRole('log', { name: 'Transcript' })
  const inBox = (what: string) =>
    page.evaluate(`(({ scrollHeight, scrollTop, clientHeight }) => ${what})
    (document.querySelector('[role=log]'))`)
  const fromEnd = () => inBox('scrollHeight - scrollTop - clientHeight')
  await whisperOften(page, 'First')
  await expect.poll(() => inBox('scrollHeight > clientHeight + 200')).toBe(true)
  await expect.poll(fromEnd).toBeLessThan(40)
  await box.hover()
  await page.mouse.wheel(0, -5_000)
  await page.getByRole('button', { name: 'Jump to newest' }).waitFor()
  await whisperOften(page, 'Second')
  await expect.poll(() => inBox('scrollTop')).toBe(0)
  await page.getByRole('button', { name: 'Jump to newest' }).click()
  await expect.poll(fromEnd).toBeLessThan(40)
}

async function whisperOften(page: Page, word: string): Promise<void> {
  for (let number = 1; number <= WHISPERS; number++) {
    const text = `${word} ${number}. ${'Tell them more. '.repeat(20)}`
    await stage.api.post(`/api/softphone/sessions/${call}/prompts`, { text })
  }
  await expect.poll(() => heard.filter(text => text.startsWith(word)).length).toBe(WHISPERS)
  await steps(WHISPERS)
  await page.getByRole('log').getByText(`Understood: ${word} ${WHISPERS}`).waitFor()
}

async function start(): Promise<string> {
  const { body, text } = await stage.api.post('/api/softphone/sessions', {
    lead_id: lead.id,
    agent_id: agent.id,
  })
  expect(body.status, text).toBe('DIALING')
  return body.id
}

async function stop(id: string): Promise<void> {
  await stage.api.post(`/api/softphone/sessions/${id}/stop`)
  const over = async () => (await stage.api.get(`/api/voice/calls/${id}`)).body.ended_at
  await expect.poll(over).not.toBe(null)
}

/** So many things happen in the call that goes on. */
async function steps(count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    await expect.poll(() => due.size, { interval: 10 }).toBe(1)
    step()
  }
}

/** One thing after the other happens, until the page shows it: for what waits for an answer, or is the end. */
async function stepUntil(isThere: () => Promise<boolean>): Promise<void> {
  const happens = async () => (await isThere()) || step()
  await expect.poll(happens, { interval: 40 }).toBe(true)
}

function step(): void {
  // What it leads to comes with the next step.
  for (const act of Array.from(due)) act()
}
