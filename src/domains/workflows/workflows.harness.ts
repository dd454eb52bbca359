import { expect } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { newId } from '#platform/ids.ts'
import { startApp, type AppOptions, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { tell } from '#test/provider.ts'
import { settle } from '#test/settle.ts'
import type { Run, RunInFull, WorkflowInFull } from './contract.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export const path = '/api/crm/workflows'
export const task = { type: 'action', action: 'create_task' }
export const setStage = (value: string) => ({
  type: 'action',
  action: 'update_field',
  field: 'pipeline_stage',
  value,
})

/** A team with its workflows, on a clock that the test moves. */
export type Workshop = Awaited<ReturnType<typeof startWorkshop>>

export async function startWorkshop(options: AppOptions & { clock?: FakeClock } = {}) {
  // A Monday morning.
  const clock = options.clock ?? new FakeClock('2026-03-02T09:00:00.000Z')
  const app: TestApp = await startApp({ ...options, clock })
  const ada: Person = await app.person()
  const api: Client = await ada.key()
  let leads = 0

  async function workflow(nodes: object[], more: object = {}): Promise<WorkflowInFull> {
    const { status, body } = await api.post(path, {
      name: 'Spring',
      trigger: 'webhook:call_ended',
      nodes,
      ...more,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  }

  /** So that what one test makes is not set off by the next. */
  async function remove(id: string): Promise<void> {
    expect((await api.delete(`${path}/${id}`)).status).toBe(204)
  }

  async function lead(fields: object = {}): Promise<{ id: string; email: string; phone: string }> {
    const n = ++leads
    const made = await api.post('/api/crm/leads', {
      first_name: `Lead${n}`,
      email: `lead${n}@leads.example.test`,
      phone: `+1415555${String(n).padStart(4, '0')}`,
      ...fields,
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.body
  }

  /** The voice provider says that a call has ended. */
  async function callEnded(data: object, eventId = newId()): Promise<string> {
    const event = { eventId, type: 'call_ended', data }
    const reply = await tell(app.url, 'voice', event, {
      at: new Date(clock.now()),
      query: `?team=${ada.team_id}`,
    })
    expect(reply.status).toBe(200)
    return eventId
  }

  const runsOf = async (workflow_id: string, query = ''): Promise<Run[]> =>
    (await api.get(`${path}/${workflow_id}/runs${query}`)).body.data
  const readRun = async (id: string): Promise<RunInFull> =>
    (await api.get(`/api/crm/workflows/runs/${id}`)).body

  return {
    app,
    clock,
    ada,
    api,
    workflow,
    remove,
    lead,
    callEnded,
    runsOf,
    readRun,
    settle: () => settle(app),
    /** Of the one run that it has. */
    async runOf(workflow_id: string): Promise<RunInFull> {
      await settle(app)
      const runs = await runsOf(workflow_id)
      expect(runs).toHaveLength(1)
      return readRun(runs[0]!.id)
    },
    async pass(ms: number): Promise<void> {
      clock.advance(ms)
      await settle(app)
    },
    /** Messages do not go out at night. */
    async untilMorning(): Promise<void> {
      clock.advance((DAY_MS + 9 * HOUR_MS - (clock.now() % DAY_MS)) % DAY_MS)
      await settle(app)
    },
    readLead: async (id: string) => (await api.get(`/api/crm/leads/${id}`)).body,
    tasksOf: async (lead_id: string) => (await api.get(`/api/crm/tasks?lead_id=${lead_id}`)).body.data,
    mailsTo: (to: string) => app.mail.sent.filter(mail => mail.to === to),
    textsTo: (to: string) => app.ports.sms.sent.filter(sms => sms.to === to),
    close: () => app.close(),
  }
}

/** What was done, in short: `nodes[1] done`. */
export function inShort({ trace }: RunInFull): string[] {
  return trace.map(({ path, outcome }) => `${path} ${outcome}`)
}
