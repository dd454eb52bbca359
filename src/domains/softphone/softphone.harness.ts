import { openSimulator, type Simulator } from '#adapters/voice/simulator.ts'
import type { Agent } from '#domains/agents/contract.ts'
import type { Call } from '#domains/calls/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import type { Clock } from '#platform/clock.ts'
import { startApp, type AppOptions, type Person, type TestApp } from '#test/app.ts'
import type { Client, Reply } from '#test/client.ts'
import { eventually } from '#test/eventually.ts'

export const SESSIONS = '/api/softphone/sessions'
/** Whoever is called may be, at any time. */
export const FREE = {
  consent: 'not_required',
  quiet_hours: null,
  attempts_max: 3,
  retry_after_min: 240,
} as const

export type Phone = {
  app: TestApp
  person: Person
  key: Client
  agent(more?: object): Promise<Agent>
  lead(more?: object): Promise<Lead>
  start(body: object): Promise<Reply>
  /** One that was begun; throws where it was refused. */
  begin(lead: Lead, agent: Agent, more?: object): Promise<string>
  read(id: string): Promise<Call>
  /** The call when it has come to this. */
  reached(id: string, status: Call['status'], withinMs?: number): Promise<Call>
  /** Until whoever attends has taken what calls were told. */
  heard(): Promise<void>
  rows(text: string, values?: unknown[]): Promise<Record<string, any>[]>
  close(): Promise<void>
}

export async function startPhone(options: AppOptions = {}, person?: Person): Promise<Phone> {
  const app = await startApp(options)
  return phoneOf(app, person ?? (await app.person()))
}

export async function phoneOf(app: TestApp, person: Person): Promise<Phone> {
  const key = await person.key()
  const made = async (path: string, body: object) => {
    const reply = await key.post(path, body)
    if (reply.status !== 201) throw new Error(reply.text)
    return reply.body
  }
  const read = async (id: string): Promise<Call> => {
    const reply = await key.get(`/api/voice/calls/${id}`)
    if (reply.status !== 200) throw new Error(reply.text)
    return reply.body as Call
  }
  return {
    app,
    person,
    key,
    agent: more =>
      made('/api/voice/agents', {
        name: `Agent ${++count}`,
        kind: 'voice',
        instructions: 'Be kind.',
        tools: ['schedule_meeting', 'end_call'],
        outbound: FREE,
        ...more,
      }),
    lead: more =>
      made('/api/crm/leads', {
        first_name: 'Grace',
        last_name: `Hopper ${++count}`,
        phone: phone('99'),
        ...more,
      }),
    start: body => key.post(SESSIONS, body),
    begin: async (lead, agent, more = {}) =>
      (await made(SESSIONS, { lead_id: lead.id, agent_id: agent.id, ...more })).id,
    read,
    reached: (id, status, withinMs) =>
      eventually(async () => {
        const call = await read(id)
        if (call.status !== status)
          throw new Error(`it is ${call.status} (${call.end_reason}), not ${status}`)
        return call
      }, withinMs).catch(async error => {
        const waiting = await app.database.query(
          'select kind, run_at, owner, attempts, lost, last_error from jobs order by run_at limit 20',
        )
        throw new Error(`${error.message}; what waits: ${JSON.stringify(waiting)}`)
      }),
    heard: () =>
      eventually(async () => {
        const waiting = await app.database.query('select from call_commands')
        if (waiting.length > 0) throw new Error('what the call is told was not heard')
      }),
    rows: (text, values) => app.database.query(text, values),
    close: () => app.close(),
  }
}

let count = 0

/** A number of its own, with these last digits: they say how the call goes. */
export function phone(digits: string): string {
  return `+1415${String(1_000_000 + ++count).slice(1)}${digits}`.slice(0, 13)
}

export type Stage = Simulator & {
  /** Lets the next thing happen in every call that goes on. */
  step(): void
  /** Steps until it holds. */
  until<Result>(check: () => Promise<Result>): Promise<Result>
}

/** A line on which nothing happens by itself. */
export function stage(clock?: Clock): Stage {
  const waiting = new Set<() => void>()
  const simulator = openSimulator({
    pace: next => {
      waiting.add(next)
      return () => waiting.delete(next)
    },
    ...(clock && { clock }),
  })
  const step = () => {
    const now = [...waiting]
    waiting.clear()
    for (const next of now) next()
  }
  return {
    ...simulator,
    step,
    until: check =>
      eventually(async () => {
        try {
          return await check()
        } catch (error) {
          step()
          throw error
        }
      }),
  }
}
