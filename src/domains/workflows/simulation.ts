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
import { zoneOf } from './advance-runs.ts'
import { mock } from './nodes/mocks.ts'
import { PAUSED } from './nodes/outreach.ts'
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
    workflow: { name: (workflow.draft ?? workflow).name, author_id: workflow.author_id },
    valuesOf: lead => valuesOf(ctx, lead, sender),
  }
  return simulate(ctx, definition, about)
}

type About = {
  event: Record<string, unknown>
  lead: Lead | null
  draw: string
  workflow: { name: string; author_id: string | null }
  /** Placeholder values. */
  valuesOf: (lead: Lead | null) => Values
}

/** On a clock of its own, in the world as it is: agents, consents, templates and settings are those of this moment. */
async function simulate(ctx: Context, definition: Definition, about: About): Promise<Simulation> {
  const { event, draw } = about
  const facts = { event, lead: about.lead }
  const trace: Entry[] = []
  const beganMs = ctx.runtime.clock.now()
  let nowMs = beganMs
  let resumed = false
  const ended = (status: Simulation['status'], error: string | null): Simulation => ({
    status,
    error,
    began_at: isoAt(beganMs),
    ended_at: isoAt(nowMs),
    trace,
  })
  const unmet = definition.filters.find(filter => !holds(facts, filter))
  if (unmet)
    return ended('FILTERED', `${unmet.field} ${unmet.op} ${JSON.stringify(unmet.value ?? '')} is not met.`)
  const program = compile(definition.nodes)
  let state = begin()
  let done: ReadonlyMap<number, Done> = new Map()
  // It terminates: the number of steps is bounded, and each turn takes one or waits.
  for (;;) {
    const step: Step = advance(program, state, { facts, done, nowMs, zone: zoneOf(facts.lead), draw })
    trace.push(...step.entries)
    state = step.state
    if (step.ended) return step.ended.as === 'DONE' ? ended('DONE', null) : ended('FAILED', step.ended.reason)
    const answers = new Map<number, Done>()
    for (const want of step.wants)
      answers.set(want.thread, await mocked(ctx, want, about, facts, { nowMs, resumed }))
    done = answers
    // Nobody knows when outreach will be resumed: it is shown as held once, and then as if it had been.
    resumed ||= [...answers.values()].some(answer => 'later' in answer && answer.reason === PAUSED.reason)
    if (step.wants.length === 0) nowMs = step.wakeMs!
  }
}

/** A field that is set is set for what follows, as far as the simulation goes. */
async function mocked(
  ctx: Context,
  want: Want,
  { workflow, valuesOf }: About,
  facts: { lead: Lead | null },
  moment: { nowMs: number; resumed: boolean },
): Promise<Done> {
  const { node } = want
  const { lead } = facts
  const done = await mock(ctx, {
    ...moment,
    node,
    facts: want.facts,
    lead,
    zone: zoneOf(lead),
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
