import { sql } from 'kysely'
import { tables } from './database/tables.ts'
import type { Context } from './context.ts'
import { jobsTable } from './jobs/queue.ts'

/** A restored copy must not send what is overdue: everything outgoing waits until the operator releases it. */
export async function isHeld(ctx: Context): Promise<boolean> {
  const row = await ctx.first(
    db.selectFrom('installation').select('value').where('key', '=', 'hold_outgoing'),
  )
  return row?.value === 'on'
}

/** From the next claim on; claims read this row (see jobs/claim.ts). What is under way ends. */
export async function hold(ctx: Context): Promise<void> {
  await ctx.run(
    db
      .insertInto('installation')
      .values({ key: 'hold_outgoing', value: 'on' })
      .onConflict(conflict => conflict.column('key').doUpdateSet({ value: 'on' })),
  )
}

/** Answers how many jobs have come due meanwhile and run now. */
export async function release(ctx: Context): Promise<number> {
  return ctx.transaction(async ctx => {
    const released = await ctx.run(db.deleteFrom('installation').where('key', '=', 'hold_outgoing'))
    if (released === 0) return 0
    ctx.afterCommit(ctx.runtime.wakeWorker)
    const due = jobsTable.selectFrom('jobs').where('state', '=', 'ready').where('outgoing', '=', true)
    const row = await ctx.first(
      due.where('run_at', '<=', ctx.now()).select(sql<number>`count(*)`.as('count')),
    )
    return row!.count
  })
}

const db = tables<{ installation: { key: string; value: string } }>()
