import { isoAt } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { invalid } from '#platform/problem.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { getLead } from '#domains/leads/service.ts'
import { valuesOf } from '#domains/messages/letters.ts'
import { senderOf } from '#domains/messages/settings.ts'
import type { Values } from '#domains/templates/placeholders.ts'
import type { Simulation, Try } from './run-contract.ts'
import type { Definition } from './definition.ts'
import { advance } from './engine.ts'
import { definitionFaults } from './faults.ts'
import { holds } from './fields.ts'
import { zoneOf } from './going.ts'
import { mock } from './nodes/mocks.ts'
import { definitionOf, getWorkflow, ownKeys } from './service.ts'
import { begin, compile, type Done, type Entry, type Step, type Want } from './state.ts'
import { triggerOf } from './triggers.ts'

/** Runs a workflow on a clock of its own. Nothing is done: each action says what it would have done, and when. */
export async function tryWorkflow(
  ctx: Context,
  id: string,
  { event, lead_id, draft }: Try,
): Promise<Simulation> {
  const workflow = await getWorkflow(ctx, id)
  const definition = definitionOf(((draft && workflow.draft) || workflow) as Definition)
  const faults = definitionFaults(definition, await ownKeys(ctx))
  if (faults.length > 0) throw invalid(faults)
  const lead = lead_id === undefined ? null : await getLead(ctx, lead_id)
  const sender = await senderOf(ctx)
  const about: About = {
    event: event ?? triggerOf(definition.trigger)?.sample ?? {},
    lead,
    draw: `${id} ${lead_id ?? 'test'}`,
    workflow: workflow.draft ?? workflow,
    valuesOf: lead => valuesOf(ctx, lead, sender),
  }
  return simulate(definition, about, ctx.runtime.clock.now())
}

type About = {
  event: Record<string, unknown>
  lead: Lead | null
  draw: string
  workflow: { name: string }
  /** What placeholders stand for. */
  valuesOf: (lead: Lead | null) => Values
}

/** Pure: the same definition, event and moment give the same trace. */
function simulate(definition: Definition, about: About, beganMs: number): Simulation {
  const { event, draw } = about
  const facts = { event, lead: about.lead }
  const trace: Entry[] = []
  let nowMs = beganMs
  const ended = (status: Simulation['status'], error: string | null): Simulation => ({
    status,
    error,
    began_at: isoAt(beganMs),
    ended_at: isoAt(nowMs),
    trace,
  })
  const unmet = definition.filters.find(filter => !holds(facts, filter))
  if (unmet)
    return ended('FILTERED', `${unmet.field} ${unmet.op} ${JSON.stringify(unmet.value ?? '')} does not hold.`)
  const program = compile(definition.nodes)
  let state = begin()
  let done: ReadonlyMap<number, Done> = new Map()
  // It comes to its end: the number of steps is bounded, and each turn takes one or waits.
  for (;;) {
    const step: Step = advance(program, state, { facts, done, nowMs, zone: zoneOf(facts.lead), draw })
    trace.push(...step.entries)
    state = step.state
    if (step.ended) return step.ended.as === 'DONE' ? ended('DONE', null) : ended('FAILED', step.ended.reason)
    done = new Map(step.wants.map(want => [want.thread, mocked(want, about, facts, nowMs)]))
    if (step.wants.length === 0) nowMs = step.wakeMs!
  }
}

/** A field that is set is set for what follows, as far as the simulation goes. */
function mocked(
  want: Want,
  { workflow, valuesOf }: About,
  facts: { lead: Lead | null },
  nowMs: number,
): Done {
  const { node } = want
  const { lead } = facts
  const done = mock({
    node,
    facts: want.facts,
    lead,
    zone: zoneOf(lead),
    nowMs,
    workflow,
    values: valuesOf(lead),
  })
  const isSet =
    'ok' in done && done.ok && node.action === 'update_field' && (node.record ?? 'lead') === 'lead'
  if (isSet && lead) facts.lead = withField(lead, done.input as { field: string; value: unknown })
  return done
}

function withField(lead: Lead, { field, value }: { field: string; value: unknown }): Lead {
  const [first, key] = field.split('.') as [string, string | undefined]
  if (key === undefined) return { ...lead, [first]: value }
  return { ...lead, custom: { ...lead.custom, [key]: value as string } }
}
