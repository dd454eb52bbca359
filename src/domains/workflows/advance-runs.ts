import type { Actor, Context } from '#platform/context.ts'
import { isoAt } from '#platform/clock.ts'
import { record } from '#platform/events.ts'
import { insertJobs, jobRow } from '#platform/jobs/queue.ts'
import { isRefusal, type Problem } from '#platform/problem.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { runEvents } from './run-contract.ts'
import { advance } from './engine.ts'
import type { Request } from './nodes/action.ts'
import { actions } from './nodes/actions.ts'
import * as store from './run-store.ts'
import type { RunRow } from './run-store.ts'
import type { Done, Entry, Program, Step, Want } from './state.ts'
import { storedTrace } from './trace-format.ts'

export const WAKE_JOB = 'workflows.wake'
/** Rounds of actions per transaction; a run that needs more continues in the next. */
const ROUNDS_MAX = 30
const REASON_LENGTH_MAX = 500
const DEFAULT_ZONE = 'UTC'

/** A run being advanced, with everything that takes. */
export type AdvancingRun = {
  row: RunRow
  isNew: boolean
  workflow: { id: string; name: string; version: number; once_per_lead: boolean; author_id: string | null }
  program: Program
  lead: Lead | null
}

type Moving = Omit<AdvancingRun, 'lead'> & {
  ctx: Context
  entries: Entry[]
  done: Map<number, Done>
  step: Step | undefined
  /** The leads of all these runs, by ID: a change by one run is visible to the others. */
  leads: Map<string, Lead>
}

/**
 * Advances runs until each waits or has ended, and writes the result: effects, progress, trace and the next
 * wait are one transaction. Several runs share it, and their simultaneous actions are performed together. If
 * anything fails, nothing is written, and each run is done alone (see the lane of the queue); alone, a failed
 * action is rolled back, and the run records it.
 */
export async function advanceRuns(ctx: Context, all: readonly AdvancingRun[]): Promise<void> {
  const leads = new Map(all.flatMap(({ lead }) => (lead ? [[lead.id, lead] as const] : [])))
  const moving: Moving[] = all.map(({ lead: _, ...going }) => ({
    ...going,
    leads,
    ctx: ctx.as(actorOf(going.workflow), going.row.event_id ?? undefined),
    entries: [],
    done: new Map(),
    step: undefined,
  }))
  let left = moving
  for (let round = 0; left.length > 0; round++) {
    for (const run of left) move(ctx, run)
    left = left.filter(({ step }) => step!.wants.length > 0)
    if (left.length === 0 || round === ROUNDS_MAX) break
    await perform(ctx, left, all.length === 1)
  }
  await claimOnce(ctx, moving)
  write(ctx, moving)
}

export function actorOf({ id, name }: { id: string; name: string }): Actor {
  return { kind: 'workflow', id, name }
}

export function zoneOf(lead: Lead | null): string {
  return lead?.timezone ?? DEFAULT_ZONE
}

function leadOf({ row, leads }: Moving): Lead | null {
  return (row.lead_id && leads.get(row.lead_id)) || null
}

function move(ctx: Context, run: Moving): void {
  const { row } = run
  const lead = leadOf(run)
  run.step = advance(run.program, run.step?.state ?? row.state, {
    facts: { event: row.event ?? {}, lead },
    done: run.done,
    nowMs: ctx.runtime.clock.now(),
    zone: zoneOf(lead),
    draw: `${row.workflow_id} ${row.lead_id ?? row.id}`,
  })
  run.done.clear()
  run.entries.push(...run.step.entries)
}

/** A run that has got its lead on the way is the one that this lead goes through, unless it has been through it before. */
async function claimOnce(ctx: Context, runs: readonly Moving[]): Promise<void> {
  const late = runs.filter(
    ({ row, workflow }) => workflow.once_per_lead && row.lead_id !== null && row.once_key === null,
  )
  if (late.length === 0) return
  const keyOf = ({ workflow_id, lead_id }: RunRow) => `${workflow_id} ${lead_id}`
  const begun = await store.findBegun(
    ctx,
    late.map(({ row }) => ({ ...row, once_key: row.lead_id })),
  )
  const taken = new Set(begun.map(({ workflow_id, once_key }) => `${workflow_id} ${once_key}`))
  for (const { row } of late) {
    if (taken.has(keyOf(row))) continue
    taken.add(keyOf(row))
    row.once_key = row.lead_id
  }
}

type Wanted = { run: Moving; want: Want }

async function perform(ctx: Context, runs: readonly Moving[], alone: boolean): Promise<void> {
  const wanted = runs.flatMap(run => run.step!.wants.map(want => ({ run, want })))
  for (const [action, list] of Map.groupBy(wanted, ({ want }) => want.node.action)) {
    const groups = alone ? list.map(one => [one]) : [list]
    for (const group of groups) {
      const requests = group.map(requestOf)
      const does = () => actions[action](ctx, requests as Request<never>[])
      const done = alone ? [await attempt(ctx, async () => (await does())[0]!)] : await does()
      for (const [at, { run, want }] of group.entries()) run.done.set(want.thread, done[at]!)
    }
  }
}

/** A use case's refusal fails the node; an internal error does not, and is retried by the queue. */
async function attempt(ctx: Context, work: () => Promise<Done>): Promise<Done> {
  try {
    return await ctx.attempt(work)
  } catch (error) {
    if (isRefusal(error)) return { ok: false, reason: wordsOf(error) }
    if (isRefusedByDatabase(error))
      return { ok: false, reason: 'The database rejected it because it conflicts with existing data.' }
    throw error
  }
}

function wordsOf({ message, errors }: Problem): string {
  const words =
    errors && errors.length > 1
      ? errors.map(({ path, message }) => `${path}: ${message}`).join('; ')
      : message
  return words.slice(0, REASON_LENGTH_MAX)
}

/** Classes 22 and 23: values and constraints. Anything else is not the action's fault. */
function isRefusedByDatabase(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string }).code ?? '')
}

function requestOf({ run, want }: Wanted): Request {
  const { row, workflow } = run
  const lead = leadOf(run)
  return {
    ctx: run.ctx,
    node: want.node,
    path: want.path,
    key: `${row.id} ${want.key}`,
    workflow,
    run: {
      id: row.id,
      event_id: row.event_id,
      subject_kind: row.subject_kind,
      subject_id: row.subject_id,
    },
    facts: want.facts,
    lead,
    zone: zoneOf(lead),
    setLead: lead => void run.leads.set(lead.id, lead),
    becomeLead: lead => {
      row.lead_id = lead.id
      run.leads.set(lead.id, lead)
    },
  } as Request
}

function write(ctx: Context, runs: readonly Moving[]): void {
  const jobs: ReturnType<typeof jobRow>[] = []
  const rows = runs.map(run => {
    const row = settled(ctx, run, jobs)
    if (run.isNew && row.lead_id) tellStarted(ctx, run)
    if (row.status === 'FAILED') notifyFailed(run, row.error!)
    return {
      ...row,
      ...(isWhole(run) && { trace: JSON.stringify(storedTrace(run.entries)) }),
      isNew: run.isNew,
    }
  })
  store.insertRuns(
    ctx,
    rows.filter(({ isNew }) => isNew),
  )
  store.updateRuns(
    ctx,
    rows.filter(({ isNew }) => !isNew),
  )
  store.insertTraces(
    ctx,
    runs
      .filter(run => run.entries.length > 0 && !isWhole(run))
      .map(({ row, entries }) => ({ run_id: row.id, part: row.parts, entries })),
  )
  if (jobs.length === 0) return
  ctx.later(insertJobs(jobs))
  if (jobs.some(({ run_at }) => run_at <= ctx.now())) ctx.afterCommit(ctx.runtime.wakeWorker)
}

/** It ended in the transaction that started it. */
function isWhole({ isNew, entries, step }: Moving): boolean {
  return isNew && entries.length > 0 && step!.ended !== null
}

/** The row afterwards: ended, failed where it is, or waiting for its next moment. */
function settled(ctx: Context, { row, entries, step }: Moving, jobs: ReturnType<typeof jobRow>[]): RunRow {
  const at = ctx.now()
  const { state, ended, wakeMs, wants } = step!
  const parts = row.parts + (entries.length > 0 ? 1 : 0)
  const after = {
    ...row,
    state,
    parts,
    updated_at: at,
    wait_id: null,
    next_at: null,
    error: null,
    failed_path: null,
  }
  if (ended?.as === 'DONE') return { ...after, status: 'DONE', ended_at: at }
  if (ended?.as === 'FAILED') {
    const { reason, path } = ended
    return { ...after, status: 'FAILED', ended_at: at, error: reason, failed_path: path }
  }
  const next_at = wants.length > 0 ? at : isoAt(wakeMs!)
  const job = wakeJob(ctx, row, next_at)
  jobs.push(job)
  return { ...after, status: 'RUNNING', wait_id: job.id, next_at }
}

/** The wait is a row of the queue; a job that is not the run's current wait does nothing. */
export function wakeJob(ctx: Context, { id, event_id }: Pick<RunRow, 'id' | 'event_id'>, run_at: string) {
  return jobRow(ctx, {
    kind: WAKE_JOB,
    data: { run_id: id },
    run_at,
    ...(event_id !== null && { event_id }),
  })
}

export function aboutRun({ id, lead_id }: Pick<RunRow, 'id' | 'lead_id'>) {
  return { kind: 'workflow_run', id, lead_id }
}

/** A manual start is recorded as done by that person. */
function tellStarted(by: Context, { ctx, row, workflow }: Moving): void {
  record(by.actor.kind === 'system' ? ctx : by, runEvents.started, aboutRun(row), told(row, workflow))
}

function notifyFailed({ ctx, row, workflow }: Moving, reason: string): void {
  record(ctx, runEvents.failed, aboutRun(row), { ...told(row, workflow), reason })
}

export function told({ version }: Pick<RunRow, 'version'>, { id, name }: { id: string; name: string }) {
  return { workflow_id: id, name, version }
}
