import type { Context } from '#platform/context.ts'
import { byKey } from '#platform/database/keyed.ts'
import { record } from '#platform/events.ts'
import type { Job } from '#platform/jobs/queue.ts'
import { findLeads } from '#domains/leads/service.ts'
import { runEvents } from './run-contract.ts'
import { aboutRun, actorOf, advanceRuns, told, type AdvancingRun } from './advance-runs.ts'
import { programOf } from './programs.ts'
import * as store from './run-store.ts'
import type { RunRow } from './run-store.ts'
import { findListeners } from './store.ts'
import { DELETED } from './values.ts'

/** Resumes runs whose time has come, of one team, many at once. */
export async function wakeRuns(ctx: Context, jobs: readonly Job[]): Promise<void> {
  byKey(ctx)
  const waits = new Set(jobs.map(({ id }) => id))
  const ids = new Set(jobs.map(job => (job.data as { run_id: string }).run_id))
  const locked = await store.lockRuns(ctx, [...ids])
  // A job that is not the run's current wait is left over from an earlier one. Both may come at once.
  const rows = locked.filter(({ wait_id, status }) => status === 'RUNNING' && wait_id && waits.has(wait_id))
  if (rows.length === 0) return
  const going = await readyToGo(ctx, rows)
  const gone = rows.filter(row => !going.some(({ row: { id } }) => id === row.id))
  store.updateRuns(
    ctx,
    gone.map(row => cancelled(ctx, row)),
  )
  if (going.length > 0) await advanceRuns(ctx, going)
}

/** The job failed permanently: the run waits for a person, who sees why. */
export async function loseRun(ctx: Context, job: Job): Promise<void> {
  const { run_id } = job.data as { run_id: string }
  const [row] = await store.lockRuns(ctx, [run_id])
  if (!row || row.wait_id !== job.id || row.status !== 'RUNNING') return
  const [workflow] = await findListeners(ctx, [row.workflow_id])
  const error = 'The run failed too many times because of an internal error.'
  store.updateRuns(ctx, [{ ...stopped(ctx, row), status: 'FAILED', error }])
  const by = workflow ?? { id: row.workflow_id, name: 'Workflow' }
  record(ctx.as(actorOf(by)), runEvents.failed, aboutRun(row), { ...told(row, by), reason: error })
}

/** Those whose workflow still exists. */
async function readyToGo(ctx: Context, rows: readonly RunRow[]): Promise<AdvancingRun[]> {
  const distinct = (pick: (row: RunRow) => string | null) => [
    ...new Set(rows.flatMap(row => pick(row) ?? [])),
  ]
  const workflows = new Map(
    (
      await findListeners(
        ctx,
        distinct(row => row.workflow_id),
      )
    ).map(workflow => [workflow.id, workflow]),
  )
  const lead_ids = distinct(row => row.lead_id)
  const leads = lead_ids.length === 0 ? [] : await findLeads(ctx, lead_ids)
  const alive = new Map(leads.filter(({ deleted_at }) => !deleted_at).map(lead => [lead.id, lead]))
  const going: AdvancingRun[] = []
  for (const row of rows) {
    const workflow = workflows.get(row.workflow_id)
    if (!workflow || workflow.deleted_at) continue
    going.push({
      row,
      isNew: false,
      workflow,
      program: await programOf(ctx, row.workflow_id, row.version),
      lead: alive.get(row.lead_id ?? '') ?? null,
    })
  }
  return going
}

function cancelled(ctx: Context, row: RunRow): RunRow {
  return { ...stopped(ctx, row), status: 'CANCELLED', error: DELETED }
}

function stopped(ctx: Context, row: RunRow): RunRow {
  return { ...row, wait_id: null, next_at: null, updated_at: ctx.now(), ended_at: ctx.now() }
}
