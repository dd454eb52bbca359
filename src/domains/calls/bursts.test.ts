import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorker } from '#platform/jobs/worker.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { voiceEvent, voiceTeam, type VoiceEvent } from './calls.harness.ts'
import { eventually } from '#test/eventually.ts'
import { inOrder } from '#test/in-order.ts'

inOrder()

/** Nobody works off what comes in until it is all there: then it is done in groups. */
let app: TestApp
let ada: Person
let team: ReturnType<typeof voiceTeam>
beforeAll(async () => {
  app = await startApp({ role: 'api' })
  ada = await app.person('ada@example.test')
  team = voiceTeam(app, ada)
})
afterAll(() => app.close())

const LEADS = 40

async function workOff(events: readonly VoiceEvent[]): Promise<void> {
  for (const event of events) expect((await team.send(event)).status).toBe(200)
  const workers = [startWorker(app.runtime), startWorker(app.runtime)]
  try {
    await eventually(async () => {
      const [left] = await app.database.query<{ count: number }>(
        'select count(*)::int from jobs where run_at < now() + interval $$1 hour$$',
      )
      expect(left!.count).toBe(0)
    })
  } finally {
    await Promise.all(workers.map(worker => worker.stop()))
  }
}

const told = async (type: string) =>
  app.database.query<{ subject_id: string; lead_id: string }>(
    'select subject_id, lead_id from events where type = $1 order by id',
    [type],
  )

test('many calls at once begin and end once each, whoever is told of twice, and every lead follows its newest', async () => {
  const leads: string[] = []
  for (let n = 0; n < LEADS; n++) leads.push((await team.newLead({ first_name: `Lead ${n}` })).id)
  const events = leads.flatMap((leadId, n) => [
    voiceEvent('call_ended', { callId: `burst ${n}`, leadId, durationSec: n + 1, outcome: 'interested' }),
    // The same call in another event, by its name alone.
    voiceEvent('call_ended', { callId: `burst ${n}`, durationSec: 999 }),
    // Another call with the same lead, in which nobody spoke.
    voiceEvent('call_ended', { callId: `burst ${n} again`, leadId, status: 'no_answer' }),
  ])
  await workOff(events)

  const calls = await app.database.query<Record<string, unknown>>(
    'select lead_id, provider_call_id, status, duration_sec from calls order by provider_call_id',
  )
  expect(calls).toEqual(
    leads
      .flatMap((lead_id, n) => [
        { lead_id, provider_call_id: `burst ${n}`, status: 'ENDED', duration_sec: expect.any(Number) },
        { lead_id, provider_call_id: `burst ${n} again`, status: 'NO_ANSWER', duration_sec: 0 },
      ])
      .toSorted((a, b) => (a.provider_call_id < b.provider_call_id ? -1 : 1)),
  )
  for (const type of ['call.started', 'call.ended']) {
    const subjects = (await told(type)).map(({ subject_id }) => subject_id)
    expect(subjects).toHaveLength(2 * LEADS)
    expect(new Set(subjects).size).toBe(2 * LEADS)
  }
  for (const id of leads) {
    const lead = await team.lead(id)
    const [newest] = await team.calls(`?lead_id=${id}`)
    expect(lead).toMatchObject({ call_status: newest.status, status: 'WORKING' })
  }
  const inbox = await app.database.query('select distinct status from inbound_events')
  expect(inbox).toEqual([{ status: 'processed' }])
  expect(await app.database.query(`select from inbound_effects where outcome <> 'done'`)).toEqual([])
})

test('what each change of a lead says was before is what the one before it left', async () => {
  const lead = await team.newLead({ first_name: 'Followed' })
  const events = Array.from({ length: 30 }, (_, n) =>
    n % 2
      ? voiceEvent('call_connected', { callId: `followed ${n}`, leadId: lead.id })
      : voiceEvent('call_ended', { callId: `followed ${n}`, leadId: lead.id, durationSec: n }),
  )
  await workOff(events)
  const changes = await app.database.query<{ data: { before: Changed; after: Changed } }>(
    `select data from events where type = 'lead.changed' and lead_id = $1 order by id`,
    [lead.id],
  )
  type Changed = { call_status?: string }
  const statuses = changes.flatMap(({ data }) => (data.after.call_status ? [data] : []))
  for (const [at, { before }] of statuses.entries())
    expect(before.call_status).toBe(at === 0 ? 'NONE' : statuses[at - 1]!.after.call_status)
  expect(statuses.at(-1)!.after.call_status).toBe((await team.lead(lead.id)).call_status)
})
