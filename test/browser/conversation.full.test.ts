import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSimulator, type Pace } from '#adapters/voice/simulator.ts'
import { startRadicale, type Radicale } from '#test/radicale.ts'
import { makeLead, readLead, startStage, type Stage } from './browser.ts'

/** The whole way of a lead, from the first ring to the workflow that follows it up; calls go on when the test says so. */
const due = new Set<() => void>()
const pace: Pace = next => {
  const act = () => void (due.delete(act) && next())
  due.add(act)
  return () => void due.delete(act)
}

let radicale: Radicale
let stage: Stage
beforeAll(async () => {
  radicale = await startRadicale('ada')
  stage = await startStage({
    ports: { voice: openSimulator({ pace }) },
    config: { outboundAllowHosts: ['127.0.0.1'] },
  })
})
afterAll(async () => {
  await stage.close()
  await radicale.close()
})

test('a call is connected, an agent books a meeting, the calendar has it, and a workflow follows it up: all of it seen live', async () => {
  const { api, app } = stage
  const calendar = await radicale.addCalendar('ada', 'work')
  await made(api.put('/api/meetings/calendar', radicale.login('ada')), 200)
  const agent = await made(
    api.post('/api/voice/agents', {
      name: 'Front desk',
      instructions: 'Find out what they need and offer a meeting.',
      tools: ['schedule_meeting', 'end_call'],
      outbound: { consent: 'required', quiet_hours: null, attempts_max: 1, retry_after_min: 60 },
    }),
  )
  const lead = await makeLead(api, {
    first_name: 'Grace',
    last_name: 'Hopper',
    email: 'grace@example.test',
    phone: '+493012345',
    timezone: 'Europe/Berlin',
  })
  await made(api.put(`/api/voice/consents/${lead.id}`, { given: true, source: 'By mail' }), 200)
  const workflow = await made(
    api.post('/api/crm/workflows', {
      name: 'After a call',
      status: 'ACTIVE',
      trigger: 'webhook:call_ended',
      nodes: [{ type: 'action', action: 'create_task', title: 'Prepare for {{fullName}}' }],
    }),
  )

  const watcher = await stage.visit(`/leads/${lead.id}`)
  const timeline = watcher.page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('recorded that agents may call this lead').waitFor()
  const { id } = await made(api.post('/api/softphone/sessions', { lead_id: lead.id, agent_id: agent.id }))
  const { page, complaints } = await stage.tab(watcher, `/calls/${id}`)
  await page.getByText('Ringing.').waitFor()

  const status = page.getByRole('status')
  // It rings, and somebody answers: not more, so that there is time to see it.
  for (const _ of ['ring', 'answer']) {
    await expect.poll(() => due.size).toBe(1)
    step()
  }
  await status.getByText('On the phone').waitFor()
  await expect.poll(async () => (await readLead(api, lead.id)).call_status).toBe('CONNECTED')
  const card = page.getByRole('log', { name: 'Transcript' }).getByRole('group', { name: 'Book a meeting' })
  await stepUntil(() => card.getByText('Done', { exact: true }).isVisible())

  const { body: meetings } = await api.get(`/api/crm/meetings?lead_id=${lead.id}`)
  const [meeting] = meetings.data
  expect(meeting).toMatchObject({ status: 'BOOKED', origin: 'agent', call_id: id })
  await expect
    .poll(async () => (await radicale.request('ada', 'GET', calendar)).body)
    .toContain(`UID:${meeting.calendar_uid}`)
  await expect.poll(async () => (await readLead(api, lead.id)).pipeline_stage).toBe('Engage_Human')
  const invited = () => app.mail.sent.filter(({ to }) => to === 'grace@example.test')
  await expect.poll(() => invited().length).toBe(1)

  await stepUntil(() => status.getByText('Ended').isVisible())
  await page.getByRole('region', { name: 'Follow-up' }).getByText('Meeting booked').waitFor()
  const { body: call } = await api.get(`/api/voice/calls/${id}`)
  expect(call).toMatchObject({ status: 'ENDED', follow_up: { intent: 'meeting', meeting_id: meeting.id } })
  expect(call.duration_sec).toBeGreaterThan(30)
  await expect.poll(async () => (await readLead(api, lead.id)).call_status).toBe('ENDED')

  const runs = async () => (await api.get(`/api/crm/workflows/${workflow.id}/runs`)).body.data
  await expect.poll(async () => (await runs()).map((run: { status: string }) => run.status)).toEqual(['DONE'])
  // Nobody has touched the other tab: everything came to it by itself.
  for (const told of [/reported that a call ended/, /Prepare for Grace Hopper/, /Engage.Human/, /meeting/])
    await timeline.getByText(told).first().waitFor()
  const { body: inbox } = await api.get('/api/webhooks/inbox?endpoint=voice')
  const types = inbox.data.map(({ type, status }: { type: string; status: string }) => `${type} ${status}`)
  for (const type of ['call_connected', 'tool_call', 'call_ended'])
    expect(types).toContain(`${type} processed`)
  expect([...complaints, ...watcher.complaints]).toEqual([])
})

/** Lets one thing after the other happen in the call until this is so. */
async function stepUntil(isSo: () => Promise<boolean>): Promise<void> {
  await expect
    .poll(async () => {
      if (await isSo()) return true
      step()
      return false
    })
    .toBe(true)
}

function step(): void {
  const now = [...due]
  for (const act of now) act()
}

async function made(asked: Promise<{ status: number; text: string; body: any }>, status = 201) {
  const reply = await asked
  expect(reply.status, reply.text).toBe(status)
  return reply.body
}
