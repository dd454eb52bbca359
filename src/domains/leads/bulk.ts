import type { Context } from '#platform/context.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { record, type Telling } from '#platform/events.ts'
import type { Filter } from '#platform/filters/filter.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { invalid, isRefusal, Problem, within } from '#platform/problem.ts'
import { difference } from '#platform/records.ts'
import { nextVersion } from '#platform/version.ts'
import * as bulk from './bulk-store.ts'
import {
  bulkProgressed,
  leadChanged,
  leadRestored,
  leadTrashed,
  type BulkJob,
  type Lead,
  type LeadChange,
  type LeadSettings,
  type NewBulkJob,
} from './contract.ts'
import { countAsked, lockMatching } from './listing.ts'
import { faultsIn, repairedStage, wantedFields } from './model.ts'
import { getSettings, referenceFaults, recordStageChange } from './service.ts'
import { track } from './states.ts'
import { records } from './store.ts'
import type { bulkStatuses } from './values.ts'

export const BULK_JOB = 'leads.bulk_change'
/** So many leads share a transaction: cancelling waits for no more than these. */
export const BULK_BLOCK_LEADS = 500

type What = { set?: LeadChange; trashed?: boolean }

/** All or nothing: one id that is absent, or one value that is wrong, and no lead is changed. */
export async function bulkChangeLeads(ctx: Context, { ids, ...what }: What & { ids: string[] }) {
  checkWhat(what)
  return ctx.transaction(async ctx => {
    const leads = await records.lockAll(ctx, ids)
    if (leads.length < ids.length) throw new Problem('not_found', 'No such lead.')
    if (what.set && leads.some(lead => lead.deleted_at)) {
      throw new Problem('not_found', 'One of these leads is in the trash. Restore it to use it.', {
        code: 'in_trash',
      })
    }
    return applyToAll(ctx, leads, what)
  })
}

/** Starts a change of all matching leads. It runs in the background, block by block. */
export async function startBulkChange(
  ctx: Context,
  { filter: asked, ...what }: NewBulkJob,
): Promise<BulkJob> {
  checkWhat(what)
  return ctx.transaction(async ctx => {
    // What is wrong with the change itself is told now, not in the background.
    await checkSet(ctx, what, await getSettings(ctx))
    const { filter, count } = await countAsked(ctx, asked)
    const at = ctx.now()
    const row: bulk.BulkRow = {
      id: ctx.newId(),
      filter,
      change: what,
      status: 'RUNNING',
      total: count,
      processed: 0,
      changed: 0,
      last_id: '',
      until: at,
      actor: ctx.actor,
      error: null,
      created_at: at,
      updated_at: at,
      finished_at: null,
    }
    bulk.insert(ctx, row)
    enqueue(ctx, { kind: BULK_JOB, data: { id: row.id } })
    return shown(row)
  })
}

export async function getBulkChange(ctx: Context, id: string): Promise<BulkJob> {
  return shown(known(await bulk.find(ctx, id)))
}

type Listing = { status?: (typeof bulkStatuses)[number][]; limit?: number; cursor?: string }

export async function listBulkChanges(ctx: Context, { status, limit = LIST_LIMIT_DEFAULT, cursor }: Listing) {
  const rows = await bulk.list(ctx, {
    status,
    limit: limit + 1,
    before: cursor ? decodeInstantCursor(cursor) : undefined,
  })
  const page = pageOf(rows, limit)
  return { ...page, data: page.data.map(shown) }
}

/** The block that runs is finished, and no other is begun. */
export async function cancelBulkChange(ctx: Context, id: string): Promise<BulkJob> {
  return ctx.transaction(async ctx => {
    const row = known(await bulk.lock(ctx, id))
    return shown(row.status === 'RUNNING' ? progressed(ctx, row, { status: 'CANCELLED' }) : row)
  })
}

/** One block. Its changes, its events, the progress and the next block's job are one transaction. */
export async function changeBlock(ctx: Context, job: Job): Promise<void> {
  const row = await bulk.lock(ctx, (job.data as { id: string }).id)
  if (row?.status !== 'RUNNING') return
  const { filter, change, last_id, until } = row
  const block = { after: last_id, until, limit: BULK_BLOCK_LEADS }
  const leads = await lockMatching(ctx, filter, block)
  const last = leads.at(-1)
  if (!last) return void progressed(ctx, row, { status: 'DONE' })
  try {
    const { changed } = await applyToAll(ctx.as(row.actor), leads, change, { silent: true })
    progressed(ctx, row, {
      last_id: last.id,
      processed: row.processed + leads.length,
      changed: row.changed + changed,
      ...(leads.length < BULK_BLOCK_LEADS && { status: 'DONE' as const }),
    })
    if (leads.length === BULK_BLOCK_LEADS) enqueue(ctx, { kind: BULK_JOB, data: { id: row.id } })
  } catch (error) {
    // Settings that changed meanwhile, or a lead that would be left without a name: nothing of this block is written.
    if (!isRefusal(error)) throw error
    progressed(ctx, row, { status: 'FAILED', error: error.message })
  }
}

/** The queue gave up on a block. Changes already made stay, and the change is shown as failed. */
export async function failBulkChange(ctx: Context, job: Job): Promise<void> {
  const row = await bulk.lock(ctx, (job.data as { id: string }).id)
  if (row?.status !== 'RUNNING') return
  progressed(ctx, row, {
    status: 'FAILED',
    error: 'The change failed because of an internal error.',
  })
}

/** Finished ones are kept for a while, so that people find the result when they come back. */
export async function pruneBulkChanges(ctx: Context): Promise<number> {
  return bulk.prune(ctx, ctx.in(-KEPT_MS))
}
const KEPT_MS = 30 * 86_400_000

/** The same for each of them, written in as few statements as the values allow. */
async function applyToAll(ctx: Context, leads: Lead[], what: What, telling: Telling = {}) {
  const settings = await getSettings(ctx)
  await checkSet(ctx, what, settings)
  const judged = leads.map(lead => ({ lead, fields: fieldsFor(ctx, lead, what, settings) }))
  const changes = judged.filter(({ fields }) => fields !== undefined) as {
    lead: Lead
    fields: Partial<Lead>
  }[]
  const groups = Map.groupBy(changes, ({ fields }) => JSON.stringify(fields))
  for (const group of groups.values()) {
    records.updateAll(
      ctx,
      group.map(({ lead }) => lead.id),
      group[0]!.fields,
    )
  }
  const data = judged.map(({ lead, fields }) => {
    if (!fields) return lead
    const after = { ...lead, ...fields, updated_at: nextVersion(lead.updated_at, ctx.now()) }
    tell(ctx, lead, after, fields, telling)
    track(ctx, lead, after)
    return after
  })
  return { changed: changes.length, data }
}

/** What changes in this lead; undefined when it is so already. */
function fieldsFor(
  ctx: Context,
  lead: Lead,
  { set, trashed }: What,
  settings: LeadSettings,
): Partial<Lead> | undefined {
  if (set) return within('set', () => difference(lead, wantedFields(lead, set, settings))?.after)
  if (trashed === Boolean(lead.deleted_at)) return undefined
  return trashed ? { deleted_at: ctx.now() } : { ...repairedStage(lead, settings), deleted_at: null }
}

function tell(ctx: Context, before: Lead, after: Lead, fields: Partial<Lead>, telling: Telling): void {
  const about = records.about(after)
  const { deleted_at, ...others } = fields
  if (deleted_at) record(ctx, leadTrashed, about, {}, telling)
  if (deleted_at === null) record(ctx, leadRestored, about, {}, telling)
  const changes = difference(before, others)
  if (changes) record(ctx, leadChanged, about, changes, telling)
  recordStageChange(ctx, before, after, telling)
}

/** What is wrong with the change whatever lead it meets. */
async function checkSet(ctx: Context, { set }: What, settings: LeadSettings): Promise<void> {
  if (!set) return
  const faults = [...faultsIn(set, settings), ...(await referenceFaults(ctx, set))]
  if (faults.length > 0) throw invalid(faults.map(({ path, message }) => ({ path: `set.${path}`, message })))
}

function checkWhat({ set, trashed }: What): void {
  if ((set === undefined) === (trashed === undefined)) {
    throw invalid([{ path: '', message: 'Send either set or trashed.' }])
  }
}

function progressed(ctx: Context, row: bulk.BulkRow, fields: Partial<bulk.BulkRow>): bulk.BulkRow {
  const at = ctx.now()
  const ended = fields.status !== undefined && fields.status !== 'RUNNING'
  const after = { ...row, ...fields, updated_at: at, ...(ended && { finished_at: at }) }
  bulk.update(ctx, after)
  const { status, processed, changed, total } = after
  record(
    ctx.as(row.actor),
    bulkProgressed,
    { kind: 'bulk_change', id: row.id },
    { status, processed, changed, total },
  )
  return after
}

function known(row: bulk.BulkRow | undefined): bulk.BulkRow {
  if (row) return row
  throw new Problem('not_found', 'No such change.')
}

function shown({ filter, change, last_id: _, until: __, actor: ___, ...row }: bulk.BulkRow): BulkJob {
  const isWhole = filter.filter !== undefined && Object.keys(filter).length === 1
  return { ...row, filter: isWhole ? (JSON.parse(filter.filter!) as Filter) : filter, ...change }
}
