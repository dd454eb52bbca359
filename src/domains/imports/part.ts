import type { Context } from '#platform/context.ts'
import type { CsvRow } from '#platform/csv-read.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { memberFaults, membersByEmail } from '#domains/identity/members.ts'
import type { Lead, LeadSettings, NewLead } from '#domains/leads/contract.ts'
import { addLeads, changeLeads, findByKey, keyValueOf } from '#domains/leads/intake.ts'
import { newLead, wantedFields } from '#domains/leads/model.ts'
import { getSettings } from '#domains/leads/service.ts'
import { judged, rowReader, type CellError, type RowReader } from './rows.ts'
import { PART_JOB, progressed } from './service.ts'
import * as store from './store.ts'

/** Two imports of a team take turns; who comes while the other one writes comes again after this. */
const TURN_WAIT_MS = 100

/**
 * One part of the file. Its leads, their events, its errors, the progress and the next part's job are one transaction:
 * however often it is tried, it happens once.
 */
export async function importPart(ctx: Context, job: Job): Promise<void> {
  const { id, n } = job.data as { id: string; n: number }
  if (!(await store.takeTurn(ctx))) {
    return void enqueue(ctx, { kind: PART_JOB, data: job.data, run_at: ctx.in(TURN_WAIT_MS) })
  }
  const row = await store.lock(ctx, id)
  // Cancelled, gone, or done by a try whose end was not noticed.
  if (row?.status !== 'RUNNING' || row.next_part !== n) return
  const part = await store.findPart(ctx, id, n)
  if (!part) throw new Error(`part ${n} of import ${id} is missing`)
  const starter = ctx.as(row.actor)
  const outcome = await sortedOut(starter, row, part)
  const processed = row.processed + part.rows.length
  const last = processed >= row.total
  if (!last) store.writeInBulk(ctx)
  const telling = { silent: true, automations: row.automations }
  addLeads(starter, outcome.added, telling)
  changeLeads(starter, outcome.changed, telling)
  store.insertFaulty(ctx, id, outcome.faulty)
  progressed(starter, row, {
    next_part: n + 1,
    processed,
    created: row.created + outcome.added.length,
    updated: row.updated + outcome.updated,
    skipped: row.skipped + outcome.skipped,
    failed: row.failed + outcome.faulty.length,
    ...(last && { status: 'DONE' as const }),
  })
  if (!last) enqueue(ctx, { kind: PART_JOB, data: { id, n: n + 1 } })
}

/** The queue gave up on a part. Rows imported before stay, and the import is shown as failed. */
export async function failImport(ctx: Context, job: Job): Promise<void> {
  const { id, n } = job.data as { id: string; n: number }
  const row = await store.lock(ctx, id)
  if (row?.status !== 'RUNNING' || row.next_part !== n) return
  const error = 'The import failed because of an internal error. Start it again to continue.'
  progressed(ctx.as(row.actor), row, { status: 'FAILED', error })
}

export async function readerFor(
  ctx: Context,
  row: Pick<store.ImportRow, 'columns' | 'mapping'>,
  settings: LeadSettings,
  rows: readonly CsvRow[],
): Promise<RowReader> {
  const column = row.mapping.indexOf('owner')
  const addresses =
    column < 0 ? [] : rows.map(({ cells }) => cells[column]!.trim().toLowerCase()).filter(Boolean)
  const owners = await membersByEmail(ctx, [...new Set(addresses)])
  return rowReader(row, { ...settings, owners })
}

type Outcome = {
  added: Lead[]
  changed: { before: Lead; after: Lead }[]
  /** Rows that found their lead and were merged into it. */
  updated: number
  skipped: number
  faulty: store.FaultyRow[]
}

/** What becomes of each row. A lead that an earlier row of the part has made counts like one that was there before. */
async function sortedOut(ctx: Context, row: store.ImportRow, part: store.Part): Promise<Outcome> {
  const { duplicates, duplicate_key, defaults } = row
  const settings = await getSettings(ctx)
  const reader = await readerFor(ctx, row, settings, part.rows)
  const ownerFaults = await memberFaults(ctx, defaults.owner_id, 'owner_id')
  const read = part.rows.map(({ cells }) => reader.read(cells))
  const keys = read.map(({ input }) =>
    duplicates === 'create' ? undefined : keyValueOf(input as Partial<Lead>, duplicate_key),
  )
  const wanted = [...new Set(keys.filter(key => key !== undefined))]
  const known = await findByKey(ctx, duplicate_key, wanted, { lock: duplicates === 'update' })
  const added = new Map<string, Lead>()
  const changed = new Map<string, { before: Lead; after: Lead }>()
  const outcome = { updated: 0, skipped: 0, faulty: [] as store.FaultyRow[] }
  const at = ctx.now()

  read.forEach(({ input, errors }, index) => {
    const key = keys[index]
    const match = key === undefined ? undefined : known.get(key)
    const result =
      errors.length > 0 ? errors : judged(reader, () => (match ? merged(match, input) : made(input)))
    if (Array.isArray(result)) outcome.faulty.push(faulty(index, result))
    else if (!match) added.set(result.id, result)
    else if (duplicates === 'skip') outcome.skipped++
    else {
      outcome.updated++
      if (added.has(match.id)) added.set(match.id, result)
      else changed.set(match.id, { before: changed.get(match.id)?.before ?? match, after: result })
    }
    if (key !== undefined && !Array.isArray(result) && duplicates !== 'create') known.set(key, result)
  })
  return { ...outcome, added: [...added.values()], changed: [...changed.values()] }

  function made(input: NewLead): Lead {
    const found = input.owner_id === undefined ? ownerFaults : []
    return newLead({ ...defaults, ...input }, settings, { id: ctx.newId(), at }, found)
  }

  function merged(lead: Lead, input: NewLead): Lead {
    return duplicates === 'skip' ? lead : { ...lead, ...wantedFields(lead, input, settings) }
  }

  function faulty(index: number, errors: CellError[]): store.FaultyRow {
    return { ...part.rows[index]!, errors }
  }
}
