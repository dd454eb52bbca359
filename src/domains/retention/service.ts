import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { difference } from '#platform/records.ts'
import { nextVersion, unchangedSince } from '#platform/version.ts'
import { retentionChanged, type Retention, type RetentionChange } from './contract.ts'
import { findRetention, lockRetention, saveRetention, type RetentionRow } from './store.ts'
import { retentionKinds, retentionRules } from './values.ts'

const initial = {
  ...Object.fromEntries(retentionKinds.map(kind => [kind, null])),
  updated_at: new Date(0).toISOString(),
} as RetentionRow

export async function getRetention(ctx: Context): Promise<Retention> {
  return inFull((await findRetention(ctx)) ?? initial)
}

export async function changeRetention(
  ctx: Context,
  change: RetentionChange,
  ifMatch?: string,
): Promise<Retention> {
  return ctx.transaction(async ctx => {
    const before = unchangedSince(inFull(await lockRetention(ctx, initial)), ifMatch)
    const changes = difference(before, change)
    if (!changes) return before
    const written = { ...changes.after, updated_at: nextVersion(before.updated_at, ctx.now()) }
    saveRetention(ctx, written)
    record(ctx, retentionChanged, { kind: 'retention', id: ctx.team_id }, changes)
    return { ...before, ...written }
  })
}

/** With the product's default where the team has not chosen. */
function inFull(row: RetentionRow): Retention {
  const days = retentionKinds.map(kind => [kind, row[kind] ?? retentionRules[kind].days])
  return { ...Object.fromEntries(days), updated_at: row.updated_at } as Retention
}
