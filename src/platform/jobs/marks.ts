import { sql } from 'kysely'
import { systemContext, type Context, type Runtime } from '../context.ts'
import { idFrom, secondOf } from '../ids.ts'
import { raw, tables } from '../database/tables.ts'

declare module '../context.ts' {
  interface Runtime {
    /** Whether the tables of teams are on other nodes than the jobs (docs/decisions/0035). */
    sharded?: boolean
  }
}

/** A commit that a crash interrupted is completed within seconds, or when its node is back. */
const MARK_LIFE_MS = 7 * 86_400_000

/**
 * On a cluster a job can be claimed a moment before the rows that it is about can be read, or long before, if a node went down
 * in between. One mark per transaction shows that they can. What has an event needs none: without its event it is tried again.
 */
export function markOf(ctx: Context): string | null {
  if (!ctx.runtime.sharded || !ctx.hasTeam) return null
  const { items, isNew } = ctx.transactionOrThrow().gather<string>(MARKS)
  if (isNew) {
    items.push(ctx.newId())
    ctx.later(db.insertInto('commit_marks').values({ team_id: ctx.team_id, id: items[0]! }))
  }
  return items[0]!
}
const MARKS = {}

/** Fails, so that they are tried again later. All are of one team. */
export async function requireMarks(
  runtime: Runtime,
  jobs: readonly { team_id: string; mark?: string | null }[],
): Promise<void> {
  const oldest = Math.floor((runtime.clock.now() - MARK_LIFE_MS) / 1000)
  const marks = [...new Set(jobs.flatMap(({ mark }) => mark ?? []))].filter(mark => secondOf(mark) > oldest)
  if (marks.length === 0) return
  const ctx = systemContext(runtime, jobs[0]!.team_id)
  const rows = await ctx.all(
    raw<{ id: string }>(sql`select id from commit_marks
      where team_id = ${ctx.team_id} and id = any(${marks}::text[])`),
  )
  if (rows.length < marks.length) throw new Error('its transaction has not been committed on every node yet')
}

export async function pruneMarks(ctx: Context): Promise<number> {
  return ctx.run(
    db
      .deleteFrom('commit_marks')
      .where('team_id', '=', ctx.team_id)
      .where('id', '<', idFrom(ctx.in(-MARK_LIFE_MS), 0)),
  )
}

const db = tables<{ commit_marks: { team_id: string; id: string } }>()
