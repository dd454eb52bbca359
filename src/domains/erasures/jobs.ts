import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { job, type JobDefinition } from '#platform/registry.ts'
import { unseal } from '#platform/seal.ts'
import { erasureFinished } from './contract.ts'
import { aboutLead, ERASE_JOB, WORDS_PURPOSE } from './service.ts'
import * as store from './store.ts'

/**
 * Work in progress during the first pass may have written something behind it: the second pass finds that.
 */
const PASSES = 2
export const PASS_PAUSE_MS = 5_000

type Place = { id: string; pass: number; at: number }

export const jobs: JobDefinition[] = [job(ERASE_JOB, { alone: true, buried: giveUp }, eraseNext)]

/** One table in each transaction: none is held up for long, and what was done is done when the process dies. */
async function eraseNext(ctx: Context, { data }: Job): Promise<void> {
  const { id, pass, at } = data as Place
  const erasure = await store.findForWork(ctx, id)
  if (!erasure) return
  const tables = await store.listTables(ctx)
  const table = tables[at]
  if (table === undefined) return endPass(ctx, { id, pass }, erasure)
  const pattern = unseal(ctx.runtime.settings, WORDS_PURPOSE, erasure.words ?? '')
  if (pattern === undefined)
    throw new Error("the person's identifiers were encrypted with a different SESSION_SECRET")
  const touched = await store.eraseIn(ctx, table, erasure.lead_id, pattern)
  // What belongs to the lead is found again in the second pass, and was counted in the first.
  if (pass === 1 && touched > 0) store.update(ctx, id, { counts: { ...erasure.counts, [table]: touched } })
  enqueue(ctx, { kind: ERASE_JOB, data: { id, pass, at: at + 1 } })
}

function endPass(
  ctx: Context,
  { id, pass }: { id: string; pass: number },
  { lead_id, counts }: { lead_id: string; counts: Record<string, number> },
): void {
  if (pass < PASSES)
    return void enqueue(ctx, {
      kind: ERASE_JOB,
      data: { id, pass: pass + 1, at: 0 },
      run_at: ctx.in(PASS_PAUSE_MS),
    })
  store.update(ctx, id, { status: 'DONE', erased_at: ctx.now(), words: null })
  record(ctx, erasureFinished, aboutLead(lead_id), { counts })
}

async function giveUp(ctx: Context, { data }: Job): Promise<void> {
  store.update(ctx, (data as Place).id, { status: 'FAILED' })
}
