import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { insertJobs } from '#platform/jobs/queue.ts'
import { Problem } from '#platform/problem.ts'
import { nameOf } from '#domains/leads/model.ts'
import { findLeads } from '#domains/leads/service.ts'
import { runEvents, type ListRuns, type Run, type RunInFull } from './run-contract.ts'
import { aboutRun, told, wakeJob } from './advance-runs.ts'
import * as store from './run-store.ts'
import type { RunRow } from './run-store.ts'
import { startAgain, triggerDataOf } from './start-runs.ts'
import { findListeners, findVersion, records } from './store.ts'
import type { RunStatus } from './values.ts'

export async function listRuns(ctx: Context, workflow_id: string, query: ListRuns) {
  await records.get(ctx, workflow_id)
  const { data, next_cursor } = await store.listRuns(ctx, workflow_id, query)
  return { data: await withNames(ctx, data), next_cursor }
}

export async function readRun(ctx: Context, id: string): Promise<RunInFull> {
  const row = known(await store.findRun(ctx, id))
  const [[shown], [workflow], version, trace, event] = await Promise.all([
    withNames(ctx, [row]),
    findListeners(ctx, [row.workflow_id]),
    findVersion(ctx, row.workflow_id, row.version),
    store.findTrace(ctx, row),
    triggerDataOf(ctx, row),
  ])
  const empty = { trigger: '', filters: [], once_per_lead: false, nodes: [] }
  return {
    ...shown!,
    workflow_name: workflow?.name ?? 'Deleted workflow',
    event,
    definition: version?.definition ?? empty,
    trace,
  }
}

export async function cancelRun(ctx: Context, id: string): Promise<Run> {
  return changeRun(ctx, id, ['RUNNING', 'PAUSED', 'FAILED'], (ctx, row) => ({
    ...row,
    status: 'CANCELLED',
    wait_id: null,
    next_at: null,
    ended_at: ctx.now(),
  }))
}

/** Pauses it where it is. Time passes: its wait may be over when it is resumed. */
export async function pauseRun(ctx: Context, id: string): Promise<Run> {
  return changeRun(ctx, id, ['RUNNING'], (_, row) => ({
    ...row,
    status: 'PAUSED',
    wait_id: null,
    next_at: null,
  }))
}

export async function resumeRun(ctx: Context, id: string): Promise<Run> {
  return changeRun(ctx, id, ['PAUSED'], resumeNow)
}

export async function retryRun(ctx: Context, id: string): Promise<Run> {
  return changeRun(ctx, id, ['FAILED'], (ctx, row) => {
    // A run stopped before it started has nowhere to continue from.
    if (row.state.threads.length === 0 || row.failed_path === null) throw refusal('FAILED', 'retried')
    return resumeNow(ctx, row)
  })
}

export async function replayRun(ctx: Context, id: string): Promise<Run> {
  return ctx.transaction(async ctx => {
    const before = known(await store.findRun(ctx, id))
    if (before.status === 'RUNNING' || before.status === 'PAUSED') throw refusal(before.status, 'run again')
    const run = await startAgain(ctx, before)
    return (await withNames(ctx, [run]))[0]!
  })
}

export { countFailed as countFailedRuns } from './run-store.ts'

async function changeRun(
  ctx: Context,
  id: string,
  from: readonly RunStatus[],
  change: (ctx: Context, row: RunRow) => RunRow,
): Promise<Run> {
  return ctx.transaction(async ctx => {
    const [row] = await store.lockRuns(ctx, [id])
    const before = known(row)
    if (!from.includes(before.status)) throw refusal(before.status, 'changed this way')
    const after = { ...change(ctx, before), updated_at: ctx.now() }
    store.updateRuns(ctx, [after])
    const [workflow] = await findListeners(ctx, [before.workflow_id])
    record(ctx, runEvents.controlled, aboutRun(before), {
      ...told(before, workflow ?? { id: before.workflow_id, name: 'Workflow' }),
      before: before.status,
      after: after.status,
    })
    return (await withNames(ctx, [after]))[0]!
  })
}

function resumeNow(ctx: Context, row: RunRow): RunRow {
  const job = wakeJob(ctx, row, ctx.now())
  ctx.later(insertJobs([job]))
  ctx.afterCommit(ctx.runtime.wakeWorker)
  return {
    ...row,
    status: 'RUNNING',
    wait_id: job.id,
    next_at: ctx.now(),
    error: null,
    failed_path: null,
    ended_at: null,
  }
}

async function withNames(ctx: Context, rows: readonly RunRow[]): Promise<Run[]> {
  const ids = [...new Set(rows.flatMap(({ lead_id }) => lead_id ?? []))]
  const leads = ids.length === 0 ? [] : await findLeads(ctx, ids)
  const names = new Map(leads.map(lead => [lead.id, nameOf(lead)]))
  return rows.map(row => ({
    id: row.id,
    workflow_id: row.workflow_id,
    version: row.version,
    status: row.status,
    lead_id: row.lead_id,
    lead_name: names.get(row.lead_id ?? '') ?? null,
    error: row.error,
    failed_path: row.failed_path,
    next_at: row.next_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ended_at: row.ended_at,
  }))
}

function known(row: RunRow | undefined): RunRow {
  if (!row) throw new Problem('not_found', 'No such run.')
  return row
}

function refusal(status: RunStatus, doing: string): Problem {
  const words = {
    RUNNING: 'is still running',
    PAUSED: 'is paused',
    DONE: 'is done',
    FAILED: 'has failed',
    CANCELLED: 'was cancelled',
  }
  return new Problem('conflict', `This run ${words[status]}: it cannot be ${doing}.`, {
    code: 'wrong_run_status',
  })
}
