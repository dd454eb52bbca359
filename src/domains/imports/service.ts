import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import type { Context } from '#platform/context.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { record } from '#platform/events.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { invalid, Problem, type Fault } from '#platform/problem.ts'
import { nextVersion, unchangedSince } from '#platform/version.ts'
import { memberFaults } from '#domains/identity/members.ts'
import type { LeadSettings } from '#domains/leads/contract.ts'
import { getSettings } from '#domains/leads/service.ts'
import { importDeleted, importProgressed, type Import, type ImportChange } from './contract.ts'
import { faultsBeforeStart, faultsInPlan } from './mapping.ts'
import * as store from './store.ts'

export const PART_JOB = 'imports.part'
const UPLOADING_MAX_MS = 86_400_000
const KEPT_MS = 30 * 86_400_000

export async function listImports(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string },
) {
  const rows = await store.list(ctx, limit + 1, cursor ? decodeInstantCursor(cursor) : undefined)
  const page = pageOf(rows, limit)
  return { ...page, data: page.data.map(shown) }
}

export async function getImport(ctx: Context, id: string): Promise<Import> {
  return shown(known(await store.find(ctx, id)))
}

export async function changeImport(
  ctx: Context,
  id: string,
  change: ImportChange,
  ifMatch?: string,
): Promise<Import> {
  return ctx.transaction(async ctx => {
    const row = unchangedSince(known(await store.lock(ctx, id)), ifMatch)
    if (row.status !== 'READY') throw notReady('An import can be changed only before it is started.')
    const after = { ...row, ...change, updated_at: nextVersion(row.updated_at, ctx.now()) }
    await check(ctx, after)
    store.update(ctx, after)
    return shown(after)
  })
}

/** Runs in the background, part by part. A failed import continues where it stopped. */
export async function startImport(ctx: Context, id: string): Promise<Import> {
  return ctx.transaction(async ctx => {
    const row = known(await store.lock(ctx, id))
    if (row.status !== 'READY' && row.status !== 'FAILED')
      throw notReady('This import has already been started.')
    await check(ctx, row, faultsBeforeStart(row))
    enqueue(ctx, { kind: PART_JOB, data: { id, n: row.next_part } })
    const started_at = row.started_at ?? ctx.now()
    const begun = { status: 'RUNNING' as const, started_at, finished_at: null, error: null, actor: ctx.actor }
    return shown(progressed(ctx, row, begun))
  })
}

/** The part that runs is finished, and no other is begun. */
export async function cancelImport(ctx: Context, id: string): Promise<Import> {
  return ctx.transaction(async ctx => {
    const row = known(await store.lock(ctx, id))
    return shown(row.status === 'RUNNING' ? progressed(ctx, row, { status: 'CANCELLED' }) : row)
  })
}

export async function deleteImport(ctx: Context, id: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const { status, file_name } = known(await store.lock(ctx, id))
    if (status === 'RUNNING' || status === 'UPLOADING') {
      throw new Problem('conflict', 'This import is still running. Cancel it first.', {
        code: 'import_running',
      })
    }
    record(ctx, importDeleted, { kind: 'import', id }, { file_name })
    await store.remove(ctx, id)
  })
}

/** Those that were never finished go after a day, those that ended, or were never started, after thirty. */
export async function pruneImports(ctx: Context): Promise<number> {
  return store.prune(ctx, { begun: ctx.in(-UPLOADING_MAX_MS), ended: ctx.in(-KEPT_MS) })
}

/** Writes how far it has come, and tells those who look on. */
export function progressed(
  ctx: Context,
  row: store.ImportRow,
  fields: Partial<store.ImportRow>,
): store.ImportRow {
  const at = ctx.now()
  const ended = fields.status !== undefined && fields.status !== 'RUNNING'
  const updated_at = nextVersion(row.updated_at, at)
  const after = { ...row, ...fields, updated_at, ...(ended && { finished_at: at }) }
  store.update(ctx, after)
  const { status, total, processed, created, updated, skipped, failed } = after
  const counts = { status, total, processed, created, updated, skipped, failed }
  record(ctx, importProgressed, { kind: 'import', id: row.id }, counts)
  return after
}

export function known(row: store.ImportRow | undefined): store.ImportRow {
  if (row) return row
  throw new Problem('not_found', 'No such import.')
}

export function shown({ next_part: _, actor: __, ...row }: store.ImportRow): Import {
  return row
}

/** Every fault at once: of the plan itself, of what every lead gets, and of what else is asked. */
async function check(ctx: Context, row: store.ImportRow, more: readonly Fault[] = []): Promise<void> {
  const settings = await getSettings(ctx)
  const faults = [
    ...faultsInPlan(row, settings.custom_fields),
    ...(await faultsInDefaults(ctx, row.defaults, settings)),
    ...more,
  ]
  if (faults.length > 0) throw invalid(faults)
}

async function faultsInDefaults(
  ctx: Context,
  { owner_id, pipeline_stage }: Import['defaults'],
  { pipeline_stages }: LeadSettings,
): Promise<Fault[]> {
  const isStage = pipeline_stage === undefined || pipeline_stages.includes(pipeline_stage)
  return [
    ...(await memberFaults(ctx, owner_id, 'defaults.owner_id')),
    ...(isStage
      ? []
      : [{ path: 'defaults.pipeline_stage', message: `must be one of ${pipeline_stages.join(', ')}` }]),
  ]
}

function notReady(message: string): Problem {
  return new Problem('conflict', message, { code: 'not_ready' })
}
