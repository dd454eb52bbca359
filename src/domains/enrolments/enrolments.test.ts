import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import type { Job } from '#platform/jobs/queue.ts'
import { inOrder } from '#test/in-order.ts'
import { DAY_MS, email, HOUR_MS, sms, startOutreach, thrice, type Outreach } from './enrolments.harness.ts'
import { takeSteps } from './steps.ts'

inOrder()

let outreach: Outreach
beforeAll(async () => {
  outreach = await startOutreach()
})
afterAll(() => outreach.close())
beforeEach(() => outreach.beginAgain())

describe('enrolling', () => {
  test('is reviewed first: who will, who not and why, and what a mail would lack', async () => {
    const { api, sequence, lead, enrol } = outreach
    const id = await sequence([email(), sms({ message: '{{firstName}} {{company}}' })])
    const inIt = await enrol(id)
    const good = await lead({ company: 'Acme' })
    const bare = await lead({ company: null })
    const unreachable = await lead({ email: null, phone: null })
    const silent = await lead()
    await api.post('/api/outreach/suppressions', { email: silent.email.toUpperCase() })
    const other = await sequence([email({ delay_days: 9 })], { name: 'Other' })
    await api.post(`/api/outreach/sequences/${other}/enrolments`, { lead_ids: [good.id] })
    const gone = 'f'.repeat(24)
    const lead_ids = [inIt.lead_id, good.id, bare.id, unreachable.id, silent.id, gone]
    const { status, body } = await api.post(`/api/outreach/sequences/${id}/review`, { lead_ids })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      will_enrol: [good.id, bare.id],
      already: [inIt.lead_id],
      suppressed: [silent.id],
      no_address: [unreachable.id],
      unknown: 1,
      in_another: [{ lead_id: good.id, sequence_id: other, sequence_name: 'Other' }],
      missing: [{ placeholder: 'company', lead_ids: [bare.id] }],
    })
    const enrolled = await api.post(`/api/outreach/sequences/${id}/enrolments`, { lead_ids })
    expect(enrolled.body.data.map((row: { lead_id: string }) => row.lead_id)).toEqual([good.id, bare.id])
    expect(enrolled.body.skipped).toHaveLength(3)
    expect(enrolled.body.unknown).toBe(1)
  })

  test('twenty at once for the same lead enrol it once', async () => {
    const { api, sequence, lead } = outreach
    const id = await sequence([email({ delay_days: 1 })])
    const { id: lead_id } = await lead()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        api.post(`/api/outreach/sequences/${id}/enrolments`, { lead_ids: [lead_id] }),
      ),
    )
    expect(
      replies
        .map(({ body }) => body.data.length)
        .toSorted()
        .at(-1),
    ).toBe(1)
    expect(replies.reduce((sum, { body }) => sum + body.data.length, 0)).toBe(1)
  })

  test('again only when asked for', async () => {
    const { api, sequence, enrol, is } = outreach
    const id = await sequence([{ type: 'task', description: 'Call' }])
    const { lead_id, id: first } = await enrol(id)
    await is(first, { stop_reason: 'finished' })
    const again = (more: object) =>
      api.post(`/api/outreach/sequences/${id}/enrolments`, { lead_ids: [lead_id], ...more })
    expect((await again({})).body.skipped).toEqual([{ lead_id, reason: 'already' }])
    expect((await again({ again: true })).body.data).toHaveLength(1)
  })

  test('waits for templates that do not exist yet, and says which', async () => {
    const { api, sequence, lead } = outreach
    const id = await sequence([email({ template: 'missing one' })])
    const { body } = await api.get(`/api/outreach/sequences/${id}`)
    expect(body.warnings).toEqual([
      { path: 'steps[0].template', message: 'There is no template called missing one yet.' },
    ])
    const lead_ids = [(await lead()).id]
    const refused = await api.post(`/api/outreach/sequences/${id}/enrolments`, { lead_ids })
    expect(refused).toMatchObject({ status: 409, body: { code: 'template_missing' } })
    await api.post('/api/outreach/templates', { name: 'missing one', subject: 'Hello', body: 'There' })
    const enrolled = await api.post(`/api/outreach/sequences/${id}/enrolments`, { lead_ids })
    expect(enrolled.status).toBe(201)
  })

  test('into a draft begins when the draft does', async () => {
    const { api, sequence, enrol, is, read, mailsTo } = outreach
    const id = await sequence([email()], { status: 'DRAFT' })
    const { id: enrolment, email: to } = await enrol(id)
    expect(await read(enrolment)).toMatchObject({
      status: 'IDLE',
      held: 'sequence_paused',
      next_step_at: null,
    })
    await api.patch(`/api/outreach/sequences/${id}`, { status: 'ACTIVE' })
    await is(enrolment, { status: 'SENT', stop_reason: 'finished' })
    expect(mailsTo(to)).toHaveLength(1)
  })
})

describe('pausing', () => {
  test('one lead holds that lead, and resuming does what fell due, once', async () => {
    const { api, clock, sequence, enrol, is, mailsTo, decisions } = outreach
    const id = await sequence([email({ delay_days: 1 })])
    const paused = await enrol(id)
    const other = await enrol(id)
    expect((await api.post(`/api/outreach/enrolments/${paused.id}/pause`)).body.paused_at).not.toBeNull()
    clock.advance(DAY_MS)
    await is(other.id, { status: 'SENT' })
    await is(paused.id, { status: 'PENDING', held: 'paused' })
    clock.advance(DAY_MS)
    await api.post(`/api/outreach/enrolments/${paused.id}/resume`)
    await is(paused.id, { status: 'SENT', held: null, paused_at: null })
    expect(mailsTo(paused.email)).toHaveLength(1)
    expect(await decisions(paused.id)).toEqual(['enrolled', 'paused', 'resumed', 'sent', 'finished'])
  })

  test('one lead for a while changes nothing about when its step is due', async () => {
    const { api, clock, sequence, enrol, read, is, settle } = outreach
    const one = await enrol(await sequence([email({ delay_days: 3 })]))
    const { next_step_at } = await read(one.id)
    await api.post(`/api/outreach/enrolments/${one.id}/pause`)
    expect(await read(one.id)).toMatchObject({ held: 'paused', next_step_at })
    await settle()
    clock.advance(DAY_MS)
    await api.post(`/api/outreach/enrolments/${one.id}/resume`)
    expect(await read(one.id)).toMatchObject({ held: null, paused_at: null, next_step_at })
    // A worker that has a job in hand for two days would be taken for dead.
    await settle()
    clock.advance(2 * DAY_MS)
    await is(one.id, { stop_reason: 'finished' })
  })

  test('what is left of an earlier wait takes nothing with it when both come at once', async () => {
    const { app, ada, sequence, enrol, is } = outreach
    const id = await sequence([email({ delay_days: 3 })])
    for (const turn of [1, -1]) {
      const one = await enrol(id)
      const [present] = await app.database.query<Job>(
        `select j.* from jobs as j join enrolments as e on e.wait_id = j.id where e.id = $1`,
        [one.id],
      )
      const jobs = [present!, { ...present!, id: newId() }]
      await ada.ctx.transaction(ctx => takeSteps(ctx, turn > 0 ? jobs : jobs.toReversed()))
      await is(one.id, { stop_reason: 'finished' })
    }
  })

  test('a sequence holds all of it, the trash does too, and what comes back is paused', async () => {
    const { api, clock, sequence, enrol, is, mailsTo } = outreach
    const id = await sequence([email({ delay_days: 1 })])
    const one = await enrol(id)
    await api.patch(`/api/outreach/sequences/${id}`, { status: 'PAUSED' })
    clock.advance(DAY_MS)
    await is(one.id, { held: 'sequence_paused' })
    await api.delete(`/api/outreach/sequences/${id}`)
    expect((await api.post(`/api/outreach/sequences/${id}/restore`)).body.status).toBe('PAUSED')
    expect(mailsTo(one.email)).toHaveLength(0)
    await api.patch(`/api/outreach/sequences/${id}`, { status: 'ACTIVE' })
    await is(one.id, { status: 'SENT', held: null })
    expect(mailsTo(one.email)).toHaveLength(1)
    await api.delete(`/api/outreach/sequences/${id}`)
    expect((await api.post(`/api/outreach/sequences/${id}/restore`)).body.status).toBe('PAUSED')
  })

  test('everything is one button, and nothing goes out until it is released', async () => {
    const { api, clock, sequence, enrol, is, mailsTo } = outreach
    const id = await sequence([email({ delay_days: 1 }), { type: 'task', description: 'Call' }])
    const one = await enrol(id)
    expect((await api.post('/api/outreach/pause')).body.paused_at).not.toBeNull()
    clock.advance(2 * DAY_MS)
    await is(one.id, { held: 'team_paused' })
    expect(mailsTo(one.email)).toHaveLength(0)
    await api.post('/api/outreach/resume')
    await is(one.id, { stop_reason: 'finished' })
    expect(mailsTo(one.email)).toHaveLength(1)
  })

  test('on and off again beside the worker leaves nobody behind', async () => {
    const { api, clock, sequence, enrol, is, app } = outreach
    const id = await sequence([email({ delay_days: 1 })])
    const rows = await Promise.all(Array.from({ length: 15 }, () => enrol(id)))
    clock.advance(DAY_MS)
    for (let turn = 0; turn < 12; turn++) {
      const status = turn % 2 ? 'ACTIVE' : 'PAUSED'
      await api.patch(`/api/outreach/sequences/${id}`, { status })
    }
    for (const { id } of rows) await is(id, { stop_reason: 'finished', status: 'SENT' })
    expect(app.mail.sent).toHaveLength(rows.length)
  })
})

describe('when', () => {
  const office = { days: [1, 2, 3, 4, 5], from: '09:00', until: '17:00' }

  test('a sending window holds in the time zone of the lead', async () => {
    const { clock, sequence, enrol, is, trace, mailsTo } = outreach
    const id = await sequence([email()], { settings: { window: office, timezone: 'UTC' } })
    const here = await enrol(id, { timezone: 'Europe/Berlin' })
    const there = await enrol(id, { timezone: 'America/New_York' })
    await is(here.id, { status: 'SENT' })
    await is(there.id, { held: 'window', next_step_at: '2026-03-02T14:00:00.000Z' })
    expect((await trace(there.id)).at(-1)).toMatchObject({
      decision: 'held',
      reason: 'Outside the sending window in America/New_York.',
      until: '2026-03-02T14:00:00.000Z',
    })
    clock.set('2026-03-02T13:59:59.000Z')
    await outreach.settle()
    expect(mailsTo(there.email)).toHaveLength(0)
    clock.set('2026-03-02T14:00:00.000Z')
    await is(there.id, { status: 'SENT', held: null })
  })

  test('text messages keep the quiet hours of the lead', async () => {
    const { clock, sequence, enrol, is, app } = outreach
    const id = await sequence([sms()])
    const { id: enrolment } = await enrol(id, { timezone: 'America/Los_Angeles' })
    await is(enrolment, { held: 'quiet_hours', next_step_at: '2026-03-02T16:00:00.000Z' })
    expect(app.ports.sms.sent).toEqual([])
    clock.set('2026-03-02T16:00:00.000Z')
    await is(enrolment, { status: 'SENT' })
    expect(app.ports.sms.sent).toHaveLength(1)
  })

  test('delays count working days where the sequence says so', async () => {
    const { clock, sequence, enrol, read, settle } = outreach
    clock.set('2026-03-06T09:00:00.000Z')
    const steps = [{ type: 'task', description: 'Call' }, email({ delay_days: 2 })]
    const id = await sequence(steps, { settings: { delay_unit: 'working_days' } })
    const { id: enrolment } = await enrol(id)
    await settle()
    expect(await read(enrolment)).toMatchObject({ step_index: 1, next_step_at: '2026-03-10T09:00:00.000Z' })
  })

  test('a daily cap is never passed, is spread over the window, and the rest waits for the next day', async () => {
    const { clock, sequence, enrol, settle, app, read } = outreach
    clock.set('2026-03-02T09:00:00.000Z')
    const id = await sequence([email()], { settings: { window: office, daily_cap: 4, timezone: 'UTC' } })
    const rows = await Promise.all(Array.from({ length: 10 }, () => enrol(id)))
    const sentAt = new Map<string, string>()
    for (let turn = 0; turn < 28; turn++) {
      await settle()
      for (const { to } of app.mail.sent)
        if (!sentAt.has(to)) sentAt.set(to, new Date(clock.now()).toISOString())
      clock.advance(2 * HOUR_MS)
    }
    const times = [...sentAt.values()].toSorted()
    expect(times).toEqual([
      ...['09', '11', '13', '15'].map(hour => `2026-03-02T${hour}:00:00.000Z`),
      ...['09', '11', '13', '15'].map(hour => `2026-03-03T${hour}:00:00.000Z`),
      ...['09', '11'].map(hour => `2026-03-04T${hour}:00:00.000Z`),
    ])
    expect(app.mail.sent).toHaveLength(10)
    for (const { id } of rows) expect(await read(id)).toMatchObject({ stop_reason: 'finished' })
  })
})

describe('versions', () => {
  test('new steps of an active sequence are a new version; those in it stay on theirs, or are moved', async () => {
    const { api, clock, sequence, enrol, is, read, app } = outreach
    const task = (description: string, delay_days: number) => ({ type: 'task', description, delay_days })
    const id = await sequence([task('One', 0), task('Old', 1)])
    const [stays, goes] = [await enrol(id), await enrol(id)]
    for (const one of [stays, goes]) await is(one.id, { step_index: 1 })
    const { body } = await api.patch(`/api/outreach/sequences/${id}`, {
      steps: [task('One', 0), task('New', 1)],
    })
    expect(body.version).toBe(2)
    expect(await read(stays.id)).toMatchObject({ version: 1 })
    await app.database.query('update enrolments set paused_at = now() where id = $1', [goes.id])
    clock.advance(DAY_MS)
    await is(stays.id, { stop_reason: 'finished' })
    expect((await api.post(`/api/outreach/sequences/${id}/move`)).body).toEqual({ moved: 1 })
    await api.post(`/api/outreach/enrolments/${goes.id}/resume`)
    await is(goes.id, { stop_reason: 'finished', version: 2 })
    const titles = async (lead_id: string) =>
      (await api.get(`/api/crm/tasks?lead_id=${lead_id}`)).body.data.map(
        ({ title }: { title: string }) => title,
      )
    expect((await titles(stays.lead_id)).toSorted()).toEqual(['Old', 'One'])
    expect((await titles(goes.lead_id)).toSorted()).toEqual(['New', 'One'])
    const versions = (await api.get(`/api/outreach/sequences/${id}/versions`)).body.data
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([2, 1])
  })

  test('a sequence is called by its sequence_id too, and no two have the same', async () => {
    const { api } = outreach
    const make = () => api.post('/api/outreach/sequences', { sequence_id: 'q3-launch', steps: [sms()] })
    const replies = await Promise.all(Array.from({ length: 8 }, make))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const { status, body } of replies)
      if (status !== 201)
        expect({ status, code: body.code }).toEqual({ status: 409, code: 'sequence_id_taken' })
    expect((await api.get('/api/outreach/sequences/q3-launch')).body.sequence_id).toBe('q3-launch')
  })

  test('faults are all told, each by its place', async () => {
    const { api } = outreach
    const steps = [
      { type: 'email', message: 'no' },
      { type: 'email', template: 'intro', condition: 'previous.opened and' },
      { type: 'sms', message: 'Hi {{firstNam}}' },
      { type: 'task' },
      { type: 'delay', delay_days: 1, template: 'intro' },
    ]
    const { status, body } = await api.post('/api/outreach/sequences', { steps })
    expect(status).toBe(422)
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'steps[0].message',
      'steps[0].template',
      'steps[1].condition',
      'steps[2].message',
      'steps[3].description',
      'steps[4].template',
    ])
    expect(body.errors[2].message).toMatch(/character 20/)
  })
})

describe('by hand', () => {
  test('a step is left out, put off, and a message taken out of the outbox', async () => {
    const { api, clock, sequence, enrol, read, is, mailsTo } = outreach
    const id = await sequence([email({ delay_days: 1 }), email({ delay_days: 1 })])
    const one = await enrol(id)
    expect((await api.post(`/api/outreach/enrolments/${one.id}/skip`)).body.step_index).toBe(1)
    const later = new Date(clock.now() + 5 * DAY_MS).toISOString()
    await api.post(`/api/outreach/enrolments/${one.id}/reschedule`, { next_step_at: later })
    expect(await read(one.id)).toMatchObject({ step_index: 1, next_step_at: later })
    clock.advance(4 * DAY_MS)
    await outreach.settle()
    expect(mailsTo(one.email)).toEqual([])
    clock.advance(DAY_MS)
    await is(one.id, { stop_reason: 'finished' })
    expect(mailsTo(one.email)).toHaveLength(1)
  })

  test('a preview shows every step with its time, and sends nothing', async () => {
    const { api, sequence, lead, app } = outreach
    const id = await sequence([email({ ai_personalization: true }), ...thrice.slice(1)])
    const { id: lead_id } = await lead({ first_name: 'Nora' })
    const { body } = await api.post(`/api/outreach/sequences/${id}/preview`, { lead_id })
    expect(body.data).toMatchObject([
      { step_index: 0, type: 'email', due_at: '2026-03-02T09:00:00.000Z', missing: [] },
      { step_index: 1, type: 'email', due_at: '2026-03-05T09:00:00.000Z' },
      { step_index: 2, type: 'sms', due_at: '2026-03-08T09:00:00.000Z', text: 'Hi Nora', segments: 1 },
    ])
    expect(body.data[0].html).toContain('Nora')
    await outreach.settle()
    expect(app.mail.sent).toEqual([])
  })
})
