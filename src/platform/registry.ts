import type { Static } from 'typebox'
import type { BearerKind } from './bearer.ts'
import type { Context } from './context.ts'
import type { Event, EventOf, EventType } from './events.ts'
import { findEvent } from './events.ts'
import type { Job } from './jobs/queue.ts'

/**
 * How a kind of queued work is done. By default the handler and the job's completion are one transaction, so its
 * effect is committed once, although the handler may be called more often: what it does outside the transaction is on
 * its own head. Work that reaches outside (`outgoing`) manages its own transactions, and is held back
 * after a restore until the operator releases it.
 */
export type JobDefinition = {
  kind: string
  run: (ctx: Context, job: Job) => Promise<void>
  outgoing?: boolean
  triesMax?: number
  /** Runs in the transaction that buries the job: whoever waits for it must not wait for ever. */
  buried?: (ctx: Context, job: Job) => Promise<void>
}

export type Counts = Record<string, number>

/** One row serves the built-in scheduler and the route `/api/cron/<name>`. */
export type ScheduledJob = { name: string; cron: string; run: (ctx: Context) => Promise<Counts> }

/** A piece of regular tidying, run for each team by the housekeeping job. */
export type Sweep = { name: string; run: (ctx: Context) => Promise<number> }

export function job(
  kind: string,
  options: Omit<JobDefinition, 'kind' | 'run'>,
  run: JobDefinition['run'],
): JobDefinition {
  return { kind, ...options, run }
}

export type Reaction = JobDefinition & {
  on: string
  /** The team's own doing, like a workflow: left out where somebody asked for no automations. */
  automation?: boolean
}

/** A reaction is a named job per event: `name` must stay the same across releases, jobs in the table carry it. */
export function on<E extends EventType>(
  event: E,
  name: string,
  run: (ctx: Context, event: EventOf<E>) => Promise<void>,
  options: Pick<Reaction, 'outgoing' | 'triesMax' | 'automation'> = {},
): Reaction {
  return {
    on: event.type,
    kind: `${name}@${event.type}`,
    ...options,
    async run(ctx, job) {
      const found = job.event_id ? await findEvent(ctx, job.event_id) : undefined
      if (!found) throw new Error(`event ${job.event_id} of job ${job.id} is gone`)
      await run(ctx, found as Event<Static<E['data']>>)
    },
  }
}

export type Registry = {
  reactionsTo(type: string, automations?: boolean): readonly string[]
  job(kind: string): JobDefinition | undefined
  scheduled: readonly ScheduledJob[]
  sweeps: readonly Sweep[]
  bearers: readonly BearerKind[]
}

export function createRegistry(parts: {
  reactions: readonly Reaction[]
  jobs: readonly JobDefinition[]
  scheduled: readonly ScheduledJob[]
  sweeps: readonly Sweep[]
  bearers?: readonly BearerKind[]
}): Registry {
  const definitions = new Map<string, JobDefinition>()
  for (const definition of [...parts.reactions, ...parts.jobs]) {
    if (definitions.has(definition.kind)) throw new Error(`two jobs are called ${definition.kind}`)
    definitions.set(definition.kind, definition)
  }
  const reactions = Map.groupBy(parts.reactions, reaction => reaction.on)
  const kindsOf = (keep: (reaction: Reaction) => boolean) =>
    new Map([...reactions].map(([type, list]) => [type, list.filter(keep).map(({ kind }) => kind)]))
  const all = kindsOf(() => true)
  const withoutAutomations = kindsOf(({ automation }) => !automation)
  return {
    reactionsTo: (type, automations = true) => (automations ? all : withoutAutomations).get(type) ?? none,
    job: kind => definitions.get(kind),
    scheduled: parts.scheduled,
    sweeps: parts.sweeps,
    bearers: parts.bearers ?? [],
  }
}

const none: readonly string[] = []
