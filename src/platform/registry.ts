import type { Static } from 'typebox'
import type { BearerKind } from './bearer.ts'
import type { Context, Runtime } from './context.ts'
import type { Endpoint } from './contract.ts'
import type { Event, EventOf, EventType } from './events.ts'
import { eventOfJob, fetchAhead } from './event-log.ts'
import type { Job } from './jobs/queue.ts'
import type { Offers } from './offers.ts'

declare module './context.ts' {
  interface Runtime {
    registry: Registry
  }
}

/**
 * How a kind of queued work is done. By default the handler and the job's completion are one transaction, so its
 * effect is committed once, although the handler may be called more often: what it does outside the transaction is on
 * its own head. Work that reaches outside (`outgoing`) manages its own transactions, and is held back
 * after a restore until the operator releases it.
 */
export type JobDefinition = {
  kind: string
  run: (ctx: Context, job: Job) => Promise<void>
  /** The same for several of one team at once, in one transaction: what is read and written for all of them together. */
  runAll?: (ctx: Context, jobs: readonly Job[]) => Promise<void>
  /** How many of them at most, in the unit of `weight`. */
  groupMax?: number
  /** How much one of them is, where each is the work of many. */
  weight?: (job: Job) => number
  /**
   * Reactions to the events it records run in its own transaction, where they are made for many at once: they cost no jobs,
   * and what they have in common is read and written once (jobs/inline.ts).
   */
  inlineReactions?: boolean
  outgoing?: boolean
  /** It holds several records one after the other: in one transaction with others of its kind, they could wait in a circle. */
  alone?: boolean
  /**
   * Several of one team run concurrently in one transaction, so that their simultaneous queries are combined
   * (`database/at-once.ts`). These are the names of what each is about: those that share one wait for each
   * other.
   */
  sideBySide?: (event: Event) => readonly string[]
  triesMax?: number
  /** Runs in the transaction that buries the job: anything that waits for it must not wait forever. */
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

/** A job whose work is done for many at once; one alone is a batch of one. */
export function jobForMany(
  kind: string,
  options: Omit<JobDefinition, 'kind' | 'run' | 'runAll'>,
  runAll: NonNullable<JobDefinition['runAll']>,
): JobDefinition {
  return { kind, ...options, run: (ctx, job) => runAll(ctx, [job]), runAll }
}

export type Reaction = JobDefinition & {
  on: string
  /**
   * The team's own doing, like a workflow: left out where somebody asked for no automations, and where the team has none
   * that listens (`automation_listeners`).
   */
  automation?: boolean
}

/** A reaction is a named job per event: `name` must stay the same across releases, jobs in the table carry it. */
export function on<E extends EventType>(
  event: E,
  name: string,
  run: (ctx: Context, event: EventOf<E>) => Promise<void>,
  options: Pick<Reaction, 'outgoing' | 'triesMax' | 'automation' | 'sideBySide'> = {},
): Reaction {
  return {
    on: event.type,
    kind: `${name}@${event.type}`,
    ...options,
    async run(ctx, job) {
      await run(ctx, (await eventOfJob(ctx, job)) as Event<Static<E['data']>>)
    },
  }
}

/** The same for many events of one kind at once; they are the team's own doing. */
export function automationOn(
  type: string,
  name: string,
  runAll: (ctx: Context, events: readonly { event: Event; job: Job }[]) => Promise<void>,
): Reaction {
  const all = async (ctx: Context, jobs: readonly Job[]) => {
    await fetchAhead(ctx, jobs)
    const events = []
    for (const job of jobs) events.push({ job, event: await eventOfJob(ctx, job) })
    await runAll(ctx, events)
  }
  return {
    on: type,
    kind: `${name}@${type}`,
    automation: true,
    run: (ctx, job) => all(ctx, [job]),
    runAll: all,
  }
}

/** How a part of the product knows whose event it is: the team of the record that the event names, if it has it. */
export type InboundRoute = (
  ctx: Context,
  event: { type: string; data: Record<string, unknown> },
) => Promise<string | undefined>

/**
 * Where the data of events is kept that the log has no second copy of (`logged` of their type). Returns it by the ID of the
 * event; what is no longer kept is missing.
 */
export type DataSource = {
  types: readonly string[]
  read: (ctx: Context, events: readonly Event[]) => Promise<ReadonlyMap<string, Event['data']>>
}

/**
 * Runs before every request of a team that may change something: what it throws is the response, and nothing
 * was done. It runs for each of them, so it caches what it knows.
 */
export type Gate = (ctx: Context, endpoint: Endpoint) => void | Promise<void>

/** Started with the worker of a process, and stopped with it. */
export type Attendant = (runtime: Runtime) => { stop(): Promise<void> }

export type Registry = {
  reactionsTo(type: string): readonly string[]
  /** Those of them that the team itself sets up. */
  automationsOn(type: string): readonly string[]
  job(kind: string): JobDefinition | undefined
  scheduled: readonly ScheduledJob[]
  sweeps: readonly Sweep[]
  bearers: readonly BearerKind[]
  inboundRoutes: readonly InboundRoute[]
  dataSourceOf(type: string): DataSource | undefined
  gates: readonly Gate[]
  offers: Offers
}

export function createRegistry(parts: {
  reactions: readonly Reaction[]
  jobs: readonly JobDefinition[]
  scheduled: readonly ScheduledJob[]
  sweeps: readonly Sweep[]
  bearers?: readonly BearerKind[]
  inboundRoutes?: readonly InboundRoute[]
  dataSources?: readonly DataSource[]
  gates?: readonly Gate[]
  offers?: Offers
}): Registry {
  const definitions = new Map<string, JobDefinition>()
  for (const definition of [...parts.reactions, ...parts.jobs]) {
    if (definitions.has(definition.kind)) throw new Error(`two jobs are called ${definition.kind}`)
    definitions.set(definition.kind, definition)
  }
  const reactions = Map.groupBy(parts.reactions, reaction => reaction.on)
  const kindsOf = (keep: (reaction: Reaction) => boolean) =>
    new Map([...reactions].map(([type, list]) => [type, list.filter(keep).map(({ kind }) => kind)]))
  const own = kindsOf(({ automation }) => !automation)
  const automations = kindsOf(({ automation }) => automation === true)
  const sources = new Map(
    (parts.dataSources ?? []).flatMap(source => source.types.map(type => [type, source] as const)),
  )
  return {
    reactionsTo: type => own.get(type) ?? none,
    automationsOn: type => automations.get(type) ?? none,
    job: kind => definitions.get(kind),
    scheduled: parts.scheduled,
    sweeps: parts.sweeps,
    bearers: parts.bearers ?? [],
    inboundRoutes: parts.inboundRoutes ?? [],
    dataSourceOf: type => sources.get(type),
    gates: parts.gates ?? [],
    offers: parts.offers ?? {},
  }
}

const none: readonly string[] = []
