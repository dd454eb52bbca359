import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { Context } from '#platform/context.ts'
import { newId } from '#platform/ids.ts'
import type { Offers } from '#platform/offers.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { countingRuntime } from '#test/counting.ts'
import type { ActionNode } from './definition.ts'
import type { Done } from './state.ts'
import type { Request } from './nodes/action.ts'
import { actions } from './nodes/actions.ts'
import type { ActionName } from './values.ts'

// A Friday morning, two days before the clocks of Europe change.
export const NOW = '2026-03-27T09:00:00.000Z'
export const HOUR_MS = 3_600_000

export const clock = new FakeClock(NOW)
export let app: TestApp
export let ada: Person
export let api: Client
export let workflow: { id: string; name: string; author_id: string | null }
let leads = 0

/** For each file its own: a product, a person with a key, and a workflow whose actions are called by hand. */
export function onStage(): void {
  beforeAll(async () => {
    app = await startApp({ clock })
    ada = await app.person()
    api = await ada.key()
    workflow = await anotherWorkflow()
  })
  afterAll(() => app.close())
  beforeEach(() => clock.set(NOW))
}

export type About = {
  lead?: Lead | null
  event?: Record<string, unknown>
  subject?: { kind: string; id: string }
  key?: string
  path?: string
  of?: { id: string; name: string; author_id: string | null }
}
export type Node = { action: ActionName } & Record<string, unknown>

export function requestFor(ctx: Context, node: Node, about: About = {}): Request {
  const { lead = null, event = {}, subject, key = newId(), path = 'nodes[0]', of = workflow } = about
  const request: Request = {
    ctx: ctx.as({ kind: 'workflow', id: of.id, name: of.name }),
    node: { type: 'action', ...node } as ActionNode,
    path,
    key,
    workflow: of,
    run: {
      id: newId(),
      event_id: null,
      subject_kind: subject?.kind ?? null,
      subject_id: subject?.id ?? null,
    },
    facts: { event, lead },
    lead,
    zone: lead?.timezone ?? 'UTC',
    setLead: lead => void (request.lead = lead),
    becomeLead: lead => void (request.lead = lead),
  }
  return request
}

/** What many runs want at the same moment, as the driver has it done. */
export async function actAll(node: Node, abouts: About[], ctx = ada.ctx): Promise<Done[]> {
  return ctx.transaction(ctx =>
    actions[node.action](
      ctx,
      abouts.map(about => requestFor(ctx, node, about)),
    ),
  )
}

export async function act(node: Node, about: About = {}, ctx = ada.ctx): Promise<Done> {
  return (await actAll(node, [about], ctx))[0]!
}

/** What was done, for one that must have been. */
export async function acted(node: Node, about: About = {}, ctx = ada.ctx) {
  const answer = await act(node, about, ctx)
  expect(answer).toMatchObject({ ok: true })
  return answer as Done & { result: Record<string, string>; input: Record<string, unknown>; note: string }
}

export async function lead(fields: object = {}): Promise<Lead> {
  const n = ++leads
  const { status, body } = await api.post('/api/crm/leads', {
    first_name: `Lead${n}`,
    email: `lead${n}@leads.example.test`,
    phone: `+1415555${String(n).padStart(4, '0')}`,
    ...fields,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

export const some = (count: number) => Promise.all(Array.from({ length: count }, () => lead()))

export async function read(path: string) {
  const { status, body } = await api.get(path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

/** One that nothing sets off: its actions are called here by hand. */
export async function anotherWorkflow(person = ada, name = 'Follow up') {
  const nodes = [{ type: 'action', action: 'create_task' }]
  const wanted = { name, trigger: 'lead.created', nodes, status: 'DRAFT' }
  const { status, body } = await person.browser.post('/api/crm/workflows', wanted)
  expect(status, JSON.stringify(body)).toBe(201)
  return { id: body.id as string, name, author_id: person.user_id }
}

export async function eventsOf(subject_id: string) {
  return app.database.query<{ type: string; actor_kind: string; actor_id: string }>(
    'select type, actor_kind, actor_id from events where subject_id = $1 order by id',
    [subject_id],
  )
}

/** The same context, whose statements are counted. */
export function counting(person: Person) {
  const { counted, runtime } = countingRuntime(app.runtime)
  return { counted, ctx: new Context(runtime, { actor: person.ctx.actor, team: person.team_id }) }
}

export function offering(offers: Offers): Context {
  const runtime = { ...app.runtime, registry: { ...app.runtime.registry, offers } }
  return new Context(runtime, { actor: ada.ctx.actor, team: ada.team_id })
}

/** With what a signed-in person may do. */
export function ctxOfPerson({ ctx, user_id, team_id }: Person): Context {
  const principal = {
    actor: ctx.actor,
    team_id,
    user_id,
    role: 'SUPER_ADMIN' as const,
    scopes: new Set<never>(),
  }
  return new Context(app.runtime, { actor: ctx.actor, team: team_id, principal })
}
