import { sql } from 'kysely'
import { tables } from './database/tables.ts'
import type { Context } from './context.ts'
import { Problem } from './problem.ts'
import { seal, unseal } from './seal.ts'

export const IDEMPOTENCY_LIFE_MS = 24 * 3_600_000
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255

const PURPOSE = 'saved answer'

export type SavedAnswer = { status: number; headers: Record<string, string>; body: string | null }

/**
 * Does the work of a request once per key. The answer is saved in the transaction of the effect: either both are
 * there or neither. A second request meanwhile is told to wait, never made to.
 */
export async function once(
  ctx: Context,
  { key, fingerprint }: { key: string; fingerprint: string },
  work: (ctx: Context) => Promise<SavedAnswer>,
): Promise<{ answer: SavedAnswer; replayed: boolean }> {
  const caller = callerOf(ctx)
  return ctx.transaction(async ctx => {
    await takeLock(ctx, `${ctx.team_id}/${caller}/${key}`)
    const saved = await ctx.first(
      db
        .selectFrom('idempotency_keys')
        .select(['fingerprint', 'status', 'headers', 'body', 'created_at'])
        .where('team_id', '=', ctx.team_id)
        .where('caller', '=', caller)
        .where('key', '=', key),
    )
    if (saved && saved.created_at > ctx.in(-IDEMPOTENCY_LIFE_MS)) {
      if (saved.fingerprint !== fingerprint) throw reused()
      return { answer: { ...saved, body: saved.body && openBody(ctx, saved.body) }, replayed: true }
    }
    const answer = await work(ctx)
    // Sealed: the answer to "create a key" shows a secret that is stored nowhere else.
    const body = answer.body && seal(ctx.runtime.settings, PURPOSE, answer.body)
    const row = { fingerprint, ...answer, headers: asJson(answer.headers), body, created_at: ctx.now() }
    ctx.later(
      db
        .insertInto('idempotency_keys')
        .values({ team_id: ctx.team_id, caller, key, ...row })
        .onConflict(conflict => conflict.columns(['team_id', 'caller', 'key']).doUpdateSet(row)),
    )
    return { answer, replayed: false }
  })
}

export async function pruneAnswers(ctx: Context): Promise<number> {
  return ctx.run(
    db
      .deleteFrom('idempotency_keys')
      .where('team_id', '=', ctx.team_id)
      .where('created_at', '<', ctx.in(-IDEMPOTENCY_LIFE_MS)),
  )
}

type Row = SavedAnswer & {
  team_id: string
  caller: string
  key: string
  fingerprint: string
  created_at: string
}
const db = tables<{ idempotency_keys: Row }>()

/** An app acts for many people: each of them has keys of their own, and never gets another's answer. */
function callerOf({ actor, principal }: Context): string {
  const caller = `${actor.kind}:${actor.id}`
  return actor.kind === 'app' ? `${caller}:${principal!.user_id}` : caller
}

/** Held until the transaction ends, so that the next look at the table sees what this request saved. */
async function takeLock(ctx: Context, name: string): Promise<void> {
  const row = await ctx.first(
    db.selectNoFrom(sql<boolean>`pg_try_advisory_xact_lock(hashtextextended(${name}, 0))`.as('taken')),
  )
  if (row?.taken) return
  throw new Problem('conflict', 'A request with this Idempotency-Key is still in progress.', {
    code: 'idempotency_key_in_flight',
    headers: { 'retry-after': '1' },
  })
}

function openBody(ctx: Context, sealed: string): string {
  const body = unseal(ctx.runtime.settings, PURPOSE, sealed)
  if (body !== undefined) return body
  throw new Problem('conflict', 'The request succeeded, but its saved response can no longer be read.', {
    code: 'idempotency_answer_lost',
  })
}

function reused(): Problem {
  return new Problem('invalid', 'This Idempotency-Key was already used for a different request.', {
    code: 'idempotency_key_reused',
  })
}

function asJson(headers: Record<string, string>): Record<string, string> {
  return JSON.stringify(headers) as unknown as Record<string, string>
}
