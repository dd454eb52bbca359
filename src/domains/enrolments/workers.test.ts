import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import { claimDue, type Lane } from '#platform/jobs/claim.ts'
import { LEASE_MS } from '#platform/jobs/limits.ts'
import { buryJob, runJobs } from '#platform/jobs/run.ts'
import { startApp, type TestApp } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { DAY_MS, HOUR_MS, startOutreach, type Enrolled, type Outreach } from './enrolments.harness.ts'

const mail = { type: 'email', template: 'intro' }

describe('three workers', () => {
  const LEADS = 150
  const CALLS = 50
  const clock = new FakeClock()
  let outreach: Outreach
  const workers: TestApp[] = []
  beforeAll(async () => {
    outreach = await startOutreach({ clock, role: 'api' })
  })
  afterAll(async () => {
    for (const worker of workers) await worker.close()
    await outreach.close()
  })

  test('and fifty calls of the job route at the same moment do each step once', async () => {
    const { api, app, sequence, lead } = outreach
    const id = await sequence([
      mail,
      { type: 'task', description: 'Call', delay_days: 1 },
      { ...mail, delay_days: 1 },
    ])
    const leads = []
    for (let n = 0; n < LEADS; n++) leads.push((await lead()).id)
    const { body } = await api.post(`/api/outreach/sequences/${id}/enrolments`, { lead_ids: leads })
    expect(body.data).toHaveLength(LEADS)
    const { database, ports } = app
    for (let n = 0; n < 3; n++) workers.push(await startApp({ database, ports, clock, role: 'worker' }))
    const before = app.mail.sent.length
    for (let day = 0; day < 3; day++) {
      const calls = await Promise.all(Array.from({ length: CALLS }, () => callRoute(app)))
      // On a busy machine some do not get a connection in time.
      const fine = ['done', 'already_running', 503]
      expect(calls.filter(({ status }) => !fine.includes(status))).toEqual([])
      await outreach.settle()
      clock.advance(DAY_MS)
    }
    const mails = app.mail.sent.slice(before)
    const sent = Map.groupBy(mails, ({ to }) => to)
    expect(sent.size).toBe(LEADS)
    expect([...sent.values()].every(list => list.length === 2)).toBe(true)
    expect(new Set(mails.map(({ message_id }) => message_id)).size).toBe(2 * LEADS)
    const [tasks] = await database.query<{ count: string }>('select count(*) from tasks')
    expect(Number(tasks!.count)).toBe(LEADS)
    const rows = await database.query(
      'select stop_reason, status, count(*)::int from enrolments where sequence_id = $1 group by 1, 2',
      [id],
    )
    expect(rows).toEqual([{ stop_reason: 'finished', status: 'SENT', count: LEADS }])
  })

  test('are not needed: the job route alone does what is due, and a second call finds nothing', async () => {
    for (const worker of workers.splice(0)) await worker.close()
    const { app, sequence, enrol, read } = outreach
    const before = app.mail.sent.length
    const enrolled = await enrol(await sequence([mail]))
    const { job, status, processed } = await callRoute(app)
    expect({ job, status, failed: processed.failed }).toEqual({ job: 'outreach', status: 'done', failed: 0 })
    expect(processed.done).toBeGreaterThanOrEqual(2)
    expect(await read(enrolled.id)).toMatchObject({ status: 'SENT', stop_reason: 'finished' })
    expect(await callRoute(app)).toMatchObject({ status: 'done', processed: { done: 0, failed: 0 } })
    expect(app.mail.sent).toHaveLength(before + 1)
  })
})

describe('a worker', () => {
  let outreach: Outreach
  beforeAll(async () => {
    // Without one: the test is each of them.
    outreach = await startOutreach({ role: 'api' })
  })
  afterEach(async () => {
    // What a test leaves undone is not claimed by the next one.
    await outreach.app.database.query('delete from jobs')
  })
  afterAll(() => outreach.close())

  async function claim(lane: Lane, worker: string) {
    return claimDue(systemContext(outreach.app.runtime), lane, worker, 10)
  }

  async function work(lane: Lane, worker: string): Promise<void> {
    for (const job of await claim(lane, worker)) await runJobs(outreach.app.runtime, [job])
  }

  /** The message of a step that is written and not sent yet. */
  async function written() {
    const enrolled = await outreach.enrol(await outreach.sequence([mail, { ...mail, delay_days: 1 }]))
    await work('inside', 'steps')
    const [message] = await outreach.messagesOf(enrolled.id)
    expect(message).toMatchObject({ status: 'DUE' })
    return { ...enrolled, message_id: message.id as string }
  }
  const statusOf = async (id: string) => (await outreach.api.get(`/api/outreach/messages/${id}`)).body.status

  test('that is frozen past its lease just before it hands a mail over sends nothing when it wakes', async () => {
    const { app, clock, mailsTo, read } = outreach
    const one = await written()
    const gate = Promise.withResolvers<void>()
    const send = app.mail.send
    app.mail.send = async (mail, handover) => {
      await gate.promise
      return await send(mail, handover)
    }
    const frozen = work('outgoing', 'frozen').catch((error: unknown) => error)
    await eventually(async () => expect(await statusOf(one.message_id)).toBe('SENDING'))
    clock.advance(LEASE_MS)
    await work('outgoing', 'other')
    expect(await statusOf(one.message_id)).toBe('UNKNOWN')
    expect(await read(one.id)).toMatchObject({ held: 'unknown' })
    gate.resolve()
    await frozen
    expect(mailsTo(one.email)).toEqual([])
    // That it certainly did not go out is known now: it is due again, and goes out once.
    expect(await statusOf(one.message_id)).toBe('DUE')
    app.mail.send = send
    await work('outgoing', 'next')
    expect(mailsTo(one.email)).toHaveLength(1)
    expect(await read(one.id)).toMatchObject({ status: 'SENT', held: null, step_index: 1 })
  })

  test('that is asked for one mail twice at the same moment, as by two jobs of which one woke too late, sends it once', async () => {
    const { app, mailsTo, read } = outreach
    const one = await written()
    await app.database.query(
      `update jobs set data = jsonb_build_object('ids', jsonb_build_array($1::text, $1::text)) where data -> 'ids' ? $1`,
      [one.message_id],
    )
    await work('outgoing', 'both')
    expect(mailsTo(one.email)).toHaveLength(1)
    expect(await read(one.id)).toMatchObject({ status: 'SENT', held: null, step_index: 1 })
    const sent = await app.database.query(
      `select 1 from events where type = 'email.sent' and subject_id = $1`,
      [one.message_id],
    )
    expect(sent).toHaveLength(1)
  })

  test('whose clock was hours ahead leaves a mail that a worker with the right time sends at once', async () => {
    const { app, clock, mailsTo } = outreach
    const one = await written()
    const ahead = new Date(clock.now() + 6 * HOUR_MS).toISOString()
    await app.database.query(`update messages set created_at = $2, due_at = $2 where id = $1`, [
      one.message_id,
      ahead,
    ])
    await work('outgoing', 'right')
    expect(mailsTo(one.email)).toHaveLength(1)
  })

  test('that comes before a mail is due comes back in time', async () => {
    const { app, clock, mailsTo } = outreach
    const one = await written()
    const later = new Date(clock.now() + HOUR_MS).toISOString()
    await app.database.query(`update messages set due_at = $2 where id = $1`, [one.message_id, later])
    await work('outgoing', 'early')
    expect(mailsTo(one.email)).toHaveLength(0)
    clock.advance(HOUR_MS)
    await work('outgoing', 'in time')
    expect(mailsTo(one.email)).toHaveLength(1)
  })

  test('that died while it sent leaves a mail nobody sends again; a person may, and then the lead goes on', async () => {
    const { app, api, mailsTo, read, decisions } = outreach
    const one = await written()
    await app.database.query(`update messages set status = 'SENDING' where id = $1`, [one.message_id])
    await work('outgoing', 'next')
    expect(await statusOf(one.message_id)).toBe('UNKNOWN')
    expect(await claim('outgoing', 'later')).toEqual([])
    expect(await decisions(one.id)).toEqual(['enrolled', 'unknown'])
    expect(mailsTo(one.email)).toEqual([])
    await api.post(`/api/outreach/messages/${one.message_id}/retry`)
    await work('inside', 'reactions')
    await work('outgoing', 'again')
    expect(mailsTo(one.email)).toHaveLength(1)
    expect(await read(one.id)).toMatchObject({ status: 'SENT', held: null, step_index: 1 })
  })

  test('that died while it sent: who lets the lead go on without sending again takes it as sent', async () => {
    const { app, api, mailsTo, read } = outreach
    const one = await written()
    await app.database.query(`update messages set status = 'SENDING' where id = $1`, [one.message_id])
    await work('outgoing', 'next')
    await api.post(`/api/outreach/enrolments/${one.id}/resume`)
    expect(await read(one.id)).toMatchObject({ held: null, step_index: 1 })
    await work('outgoing', 'later')
    expect(mailsTo(one.email)).toEqual([])
  })

  test('that has a mail in hand while its lead is paused and let go on again sends it once', async () => {
    const { app, api, mailsTo, read } = outreach
    const one = await written()
    const gate = Promise.withResolvers<void>()
    const send = app.mail.send
    app.mail.send = async (mail, handover) => {
      await gate.promise
      return await send(mail, handover)
    }
    const sending = work('outgoing', 'sender')
    await eventually(async () => expect(await statusOf(one.message_id)).toBe('SENDING'))
    await api.post(`/api/outreach/enrolments/${one.id}/pause`)
    await api.post(`/api/outreach/enrolments/${one.id}/resume`)
    gate.resolve()
    await sending
    app.mail.send = send
    for (const lane of ['inside', 'outgoing'] as const) await work(lane, 'rest')
    expect(mailsTo(one.email)).toHaveLength(1)
    expect(await read(one.id)).toMatchObject({ status: 'SENT', step_index: 1 })
  })

  test('finds a mail stopped, paused or suppressed at the last moment, and leaves it', async () => {
    const { app, api, mailsTo, read } = outreach
    const stopped = await written()
    await api.post(`/api/outreach/enrolments/${stopped.id}/stop`)
    const paused = await written()
    await api.post(`/api/outreach/enrolments/${paused.id}/pause`)
    const suppressed = await written()
    await api.post('/api/outreach/suppressions', { email: suppressed.email })
    await work('outgoing', 'sender')
    for (const { email, message_id } of [stopped, paused, suppressed]) {
      expect(mailsTo(email)).toEqual([])
      expect(await statusOf(message_id)).toBe('CANCELLED')
    }
    for (;;) {
      const jobs = await claim('inside', 'rest')
      if (jobs.length === 0) break
      for (const job of jobs) await runJobs(app.runtime, [job])
    }
    expect(await read(paused.id)).toMatchObject({ held: 'paused', step_index: 0 })
    expect(await read(suppressed.id)).toMatchObject({ stop_reason: 'suppressed' })
  })

  test('tries a mail again that the server refuses for now, and gives up at last with its reason', async () => {
    const { app, clock, api, read, trace } = outreach
    const one = await written()
    for (let tries = 0; tries < 7; tries++) {
      app.mail.faults.push(new Error('451 try again later'))
      await work('outgoing', 'sender')
      clock.advance(5 * 3_600_000)
    }
    expect((await api.get(`/api/outreach/messages/${one.message_id}`)).body).toMatchObject({
      status: 'FAILED',
      tries: 7,
      reason: '451 try again later',
    })
    expect(await read(one.id)).toMatchObject({ held: 'failed' })
    expect((await trace(one.id)).at(-1)).toMatchObject({ decision: 'failed', reason: '451 try again later' })
    app.mail.faults.splice(0)
  })

  test('that takes every other along when it sends a mail is given up, and the lead waits for a person', async () => {
    const { app, read } = outreach
    const one = await written()
    await app.database.query(`update jobs set lost = 100 where kind = 'enrolments.send'`)
    const jobs = await claim('outgoing', 'last')
    const own = jobs.find(({ data }) => (data as { ids: string[] }).ids.includes(one.message_id))
    await buryJob(app.runtime, own!, 'every worker that ran it stopped')
    expect(await statusOf(one.message_id)).toBe('FAILED')
    expect(await read(one.id)).toMatchObject({ held: 'failed' })
  })

  test('that gives up writing an icebreaker lets the mail go out without one, and does not begin again', async () => {
    const { app, sequence, enrol, mailsTo } = outreach
    const one = await enrol(await sequence([{ ...mail, ai_personalization: true }]))
    await work('inside', 'steps')
    const jobs = await claim('outgoing', 'last')
    const own = jobs.find(({ data }) => (data as { enrolment_id?: string }).enrolment_id === one.id)
    await buryJob(app.runtime, own!, 'every worker that ran it stopped')
    await work('inside', 'steps')
    await work('outgoing', 'sender')
    expect(mailsTo(one.email)).toHaveLength(1)
  })

  test('whose step is given up leaves a lead that waits for a person, and goes on when told to', async () => {
    const { app, api, sequence, enrol, read } = outreach
    const one = await enrol(await sequence([{ type: 'task', description: 'Call' }]))
    const jobs = await claim('inside', 'last')
    const own = jobs.find(({ data }) => (data as { enrolment_id?: string } | null)?.enrolment_id === one.id)
    await buryJob(app.runtime, own!, 'every worker that ran it stopped')
    expect(await read(one.id)).toMatchObject({ held: 'failed', next_step_at: null })
    await api.post(`/api/outreach/enrolments/${one.id}/resume`)
    await work('inside', 'next')
    expect(await read(one.id)).toMatchObject({ held: null, stop_reason: 'finished' })
  })

  test('is not stopped by one bad recipient among many', async () => {
    const { app, sequence, enrol, mailsTo } = outreach
    const id = await sequence([mail])
    const rows: Enrolled[] = []
    for (let n = 0; n < 12; n++) rows.push(await enrol(id))
    await work('inside', 'steps')
    await work('inside', 'steps')
    const send = app.mail.send
    app.mail.send = async (mail, handover) => {
      if (mail.to === rows[3]!.email) throw new Error('poisoned')
      return await send(mail, handover)
    }
    for (;;) {
      const jobs = await claim('outgoing', 'sender')
      if (jobs.length === 0) break
      for (const job of jobs) await runJobs(app.runtime, [job])
    }
    app.mail.send = send
    expect(rows.filter(({ email }) => mailsTo(email).length === 1)).toHaveLength(11)
  })
})

async function callRoute(app: TestApp) {
  const answer = await fetch(`${app.url}/api/cron/outreach`, {
    headers: { authorization: 'Bearer cron-secret-of-the-tests' },
  })
  return (await answer.json()) as { job: string; status: string; processed: Record<string, number> }
}
