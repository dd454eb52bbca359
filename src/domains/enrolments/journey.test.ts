import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS, startOutreach, type Outreach } from './enrolments.harness.ts'

let outreach: Outreach
beforeAll(async () => {
  outreach = await startOutreach()
})
afterAll(() => outreach.close())

const steps = [
  { type: 'email', delay_days: 0, template: 'intro', ai_personalization: true },
  { type: 'delay', delay_days: 3 },
  { type: 'email', delay_days: 0, template: 'follow_up', condition: '!opened' },
  { type: 'task', delay_days: 4, description: 'Call {{firstName}}' },
  { type: 'sms', delay_days: 7, message: 'Hi {{firstName}}, shall we talk?' },
]

test('fourteen days of a sequence: a mail, a wait, a mail for who did not open, a task, a text message', async () => {
  const { api, ada, app, clock, read, trace, decisions, is, open, mailsTo } = outreach
  const made = await api.post('/api/outreach/sequences', { sequence_id: 'spring', name: 'Spring', steps })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ sequence_id: 'spring', status: 'ACTIVE', version: 1, warnings: [] })
  const known = { title: 'Head of Sales', company: 'Acme' }
  const reader = await outreach.enrol('spring', { first_name: 'Rhea', ...known })
  const silent = await outreach.enrol('spring', { first_name: 'Silas', ...known })
  expect(await read(silent.id)).toMatchObject({ status: 'PENDING', step_index: 0, stop_reason: null })

  // Day 0: both get the first mail, each with a sentence of its own.
  for (const { id } of [reader, silent]) await is(id, { status: 'SENT', step_index: 1 })
  const [first] = mailsTo(silent.email)
  expect(first!.text).toContain('Silas')
  expect(first!.unsubscribe_url).toMatch(/\/u\//)
  expect(first!.message_id).toMatch(new RegExp(`^<m\\.${ada.team_id}\\.[0-9a-f]{24}@`))
  const [icebreaker] = (await api.get(`/api/outreach/enrolments/${silent.id}/icebreakers`)).body.data
  expect(icebreaker).toMatchObject({ step_index: 0, model: 'rules-1', fell_back: null })
  expect(first!.text).toContain(icebreaker.text)
  expect(icebreaker.prompt).toContain('Head of Sales')
  expect(await decisions(silent.id)).toEqual(['enrolled', 'held', 'personalized', 'sent'])

  // Day 1: one of them opens it.
  clock.advance(DAY_MS)
  await open(reader.email)
  await is(reader.id, { status: 'OPENED', step_index: 1 })

  // Day 3: the one who did not gets a second mail, in the same thread; for the other it is left out.
  clock.advance(2 * DAY_MS)
  await is(silent.id, { status: 'SENT', step_index: 3 })
  await is(reader.id, { status: 'OPENED', step_index: 3 })
  expect(mailsTo(reader.email)).toHaveLength(1)
  const [, second] = mailsTo(silent.email)
  expect(second).toMatchObject({ subject: `Re: ${first!.subject}`, thread: [first!.message_id] })
  const skipped = (await trace(reader.id)).find(({ decision }) => decision === 'skipped')
  expect(skipped).toMatchObject({ step_index: 2, reason: expect.stringContaining('was opened') })

  // Day 7: a task for whoever enrolled them.
  clock.advance(4 * DAY_MS)
  await is(silent.id, { step_index: 4 })
  const tasks = (await api.get(`/api/crm/tasks?lead_id=${silent.lead_id}`)).body.data
  expect(tasks).toMatchObject([{ title: 'Call Silas', lead_id: silent.lead_id, status: 'TODO' }])
  expect(tasks[0].due_at > new Date(clock.now()).toISOString()).toBe(true)

  // Day 14: the text message, and that was it.
  clock.advance(7 * DAY_MS)
  await is(silent.id, { status: 'SENT', stop_reason: 'finished', next_step_at: null })
  expect(app.ports.sms.sent.map(({ text }) => text).toSorted()).toEqual([
    'Hi Rhea, shall we talk?',
    'Hi Silas, shall we talk?',
  ])
  expect(await decisions(silent.id)).toEqual([
    'enrolled',
    'held',
    'personalized',
    'sent',
    'sent',
    'task',
    'sent',
    'finished',
  ])
  expect(mailsTo(silent.email)).toHaveLength(2)

  const { body: timeline } = await api.get(`/api/crm/leads/${silent.lead_id}/timeline`)
  const kinds = timeline.data.map(({ type }: { type: string }) => type)
  expect(kinds).toEqual(
    expect.arrayContaining(['outreach.enrolled', 'email.sent', 'sms.sent', 'outreach.finished']),
  )
  const sent = timeline.data.find(({ type }: { type: string }) => type === 'email.sent')
  expect(sent.cause).toMatchObject({ kind: 'sequence', name: 'Spring' })

  const { body: numbers } = await api.get('/api/outreach/sequences/spring/numbers')
  expect(numbers).toMatchObject({ enrolled: 2, active: 0, sent: 2, opened: 1, finished: 2 })
  expect(numbers.steps[0]).toMatchObject({ sent: 2, opened: 1 })
  expect(numbers.steps[2]).toMatchObject({ sent: 1, skipped: 1 })
})
