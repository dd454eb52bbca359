import { sql } from 'kysely'
import { systemContext, type Context, type Runtime } from './context.ts'
import { raw } from './database/tables.ts'
import { isConnectionLoss } from './database/pool.ts'
import { isId } from './ids.ts'
import type { Audience } from './scopes.ts'

declare module './context.ts' {
  interface Runtime {
    changes: ChangeFeed
  }
}

const POLL_MS = 150
const BATCH_MAX = 1_000
/** A reader that missed more than this starts afresh. */
const BACKLOG_MAX = 1_000
const KEPT_MS = 24 * 3_600_000
/** A reader that does not keep up is told to start afresh, and cut off. */
const BUFFER_MAX = 5_000

/** The place of a change in the order of commits. */
export type Position = { xid: string; event_id: string }
export type Change = Position & { team_id: string; scope: Audience; message: unknown }

/** `since`: an instant that lies a few seconds back, for who has just read what it shows and may have missed a change meanwhile. */
export type Start = Position | { since: string } | undefined

export type ChangeFeed = {
  /**
   * The team's changes from now on, from a position, or from a moment ago. `undefined` in place of a change means: too
   * much was missed, read everything afresh. Ends when the signal aborts.
   */
  read(team_id: string, from: Start, signal: AbortSignal): AsyncIterable<Change | undefined>
  stop(): void
}

/**
 * One reader per process tails the live log of the teams that somebody listens to here, and hands each team its changes. Ids are given before commit, so their
 * order is not the order of commits: it reads only below the oldest transaction that runs in this database, where
 * nothing can appear any more.
 */
export function startChangeFeed(runtime: Runtime): ChangeFeed {
  const ctx = systemContext(runtime)
  const readers = new Set<Reader>()
  let tailing: Promise<void> | undefined
  let endRest = () => {}
  let stopped = false

  async function tail(): Promise<void> {
    let position: Position | undefined
    while (readers.size > 0) {
      try {
        position ??= await currentPosition(ctx)
        // A client that connects while a batch is being read starts after it, so that no one sees half a
        // batch.
        for (const reader of readers) reader.begin(position)
        const batch = await readAfter(ctx, position, [...new Set([...readers].map(({ team_id }) => team_id))])
        position = batch.position
        handOut(batch.changes)
        if (batch.changes.length === BATCH_MAX) continue
      } catch (error) {
        if (!isConnectionLoss(error)) runtime.log.error({ err: error }, 'reading live changes failed')
      }
      await rest()
    }
    // Nobody listens: the next reader begins at its own present.
    tailing = undefined
  }

  function handOut(changes: Change[]): void {
    for (const reader of readers) {
      for (const change of changes) reader.offer(change)
      if (reader.ended) readers.delete(reader)
    }
  }

  function rest(): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, POLL_MS)
      endRest = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function* read(team_id: string, start: Start, signal: AbortSignal) {
    if (stopped || signal.aborted) return
    const reader = new Reader(team_id)
    const leave = () => {
      reader.end()
      readers.delete(reader)
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      // The reader listens before the backlog is fetched, so that nothing falls between the two.
      readers.add(reader)
      tailing ??= tail()
      endRest()
      const begun = await reader.begun
      if (!begun) return
      const from = start && 'xid' in start ? start : undefined
      const missed = from
        ? await missedSince(ctx, team_id, from, begun)
        : start && (await latestSince(ctx, team_id, (start as { since: string }).since, begun))
      const resumed = missed === 'too much' ? undefined : from
      if (missed === 'too much') yield undefined
      else if (missed) yield* missed
      for (;;) {
        // Another process may have announced a change that this one has yet to read.
        for (const change of reader.drain()) {
          if (reader.ended) break
          if (!resumed || isAfter(change, resumed)) yield change
        }
        if (reader.ended) break
        await reader.wait()
      }
      if (reader.overrun) yield undefined
    } finally {
      signal.removeEventListener('abort', leave)
      leave()
    }
  }

  return {
    read,
    stop() {
      stopped = true
      for (const reader of readers) reader.end()
      readers.clear()
      endRest()
    },
  }
}

/** Everything before the first change that is still kept: read in the order of the key, it costs what it deletes. */
export async function pruneChanges(ctx: Context): Promise<number> {
  return ctx.run(
    raw(sql`delete from changes where xid < coalesce(
      (select xid from changes where at >= ${ctx.in(-KEPT_MS)} order by xid, event_id limit 1),
      (${oldestRunning}))`),
  )
}

export function parsePosition(text: string | undefined): Position | undefined {
  const [xid, event_id] = text?.split('-') ?? []
  return xid && /^\d{1,19}$/.test(xid) && isId(event_id) ? { xid, event_id } : undefined
}

export function formatPosition({ xid, event_id }: Position): string {
  return `${xid}-${event_id}`
}

class Reader {
  /** Where it begins; undefined when it ended before. */
  readonly begun: Promise<Position | undefined>
  begin: (at: Position | undefined) => void
  ended = false
  overrun = false
  readonly team_id: string
  private buffer: Change[] = []
  private listening = false
  private notify = () => {}

  constructor(team_id: string) {
    const { promise, resolve } = Promise.withResolvers<Position | undefined>()
    this.team_id = team_id
    this.begun = promise
    this.begin = at => {
      this.listening = true
      resolve(at)
    }
  }

  offer(change: Change): void {
    if (change.team_id !== this.team_id || !this.listening || this.ended) return
    this.buffer.push(change)
    if (this.buffer.length > BUFFER_MAX) {
      this.overrun = true
      this.end()
    }
    this.notify()
  }

  drain(): Change[] {
    return this.buffer.splice(0)
  }

  wait(): Promise<void> {
    if (this.buffer.length > 0 || this.ended) return Promise.resolve()
    return new Promise(resolve => (this.notify = resolve))
  }

  end(): void {
    this.ended = true
    this.buffer = []
    this.begin(undefined)
    this.notify()
  }
}

/** Transaction ids are numbers of up to 19 digits: the longer one is the later one. */
function isAfter(change: Position, { xid, event_id }: Position): boolean {
  if (change.xid.length !== xid.length) return change.xid.length > xid.length
  return change.xid === xid ? change.event_id > event_id : change.xid > xid
}

async function currentPosition(ctx: Context): Promise<Position> {
  const row = await ctx.first<{ xid: string }>(raw(sql`select (${oldestRunning})::text as xid`))
  return { xid: row!.xid, event_id: '' }
}

/** The next changes of these teams in the order of commits, each team's read off its own part of the index. */
async function readAfter(ctx: Context, { xid, event_id }: Position, teams: readonly string[]) {
  const rows = await ctx.all<{ bound: string } & (Change | { xid: null })>(
    raw(sql`with bound as materialized (select (${oldestRunning}) as xid)
      select bound.xid::text as bound, found.xid, found.event_id, found.team_id, found.scope, found.message from bound left join lateral (
        select of_team.* from unnest(${teams}::text[]) as listened (team_id) cross join lateral (
          select ${columns}, changes.xid as number from changes
          where changes.team_id = listened.team_id and (xid, event_id) > (${xid}::text::xid8, ${event_id}) and xid < bound.xid
          order by changes.xid, changes.event_id limit ${BATCH_MAX}) as of_team
        order by number, event_id limit ${BATCH_MAX}) as found on true
      order by found.number, found.event_id`),
  )
  const changes = rows.filter(row => row.xid !== null) as Change[]
  const last = changes.at(-1)
  const position = changes.length === BATCH_MAX ? last! : { xid: rows[0]!.bound, event_id: '' }
  return { changes, position: { xid: position.xid, event_id: position.event_id } }
}

/**
 * What lies between two positions. A position that is not kept any more, or never was here, cannot be resumed from; nor
 * can one of another server that is ahead of this one. One that was handed out here has nothing below it that could still
 * appear, and is not compared with the oldest transaction: that one may seem to go back when one of another database ends.
 */
async function missedSince(
  ctx: Context,
  team_id: string,
  from: Position,
  until: Position,
): Promise<Change[] | 'too much'> {
  const known = await ctx.first(
    raw(sql`select 1 from changes where xid = ${from.xid}::text::xid8 and event_id = ${from.event_id}
      and xid < pg_snapshot_xmax(pg_current_snapshot())`),
  )
  if (!known) return 'too much'
  const missed = await ctx.all<Change>(
    raw(sql`select ${columns} from changes
      where (xid, event_id) > (${from.xid}::text::xid8, ${from.event_id})
        and (xid, event_id) <= (${until.xid}::text::xid8, ${until.event_id}) and team_id = ${team_id}
      order by changes.xid, changes.event_id limit ${BACKLOG_MAX + 1}`),
  )
  return missed.length > BACKLOG_MAX ? 'too much' : missed
}

/** The team's last changes that are no older. */
async function latestSince(ctx: Context, team_id: string, since: string, until: Position): Promise<Change[]> {
  return ctx.all<Change>(
    raw(sql`select xid::text as xid, event_id, team_id, scope, message from (
        select * from changes where team_id = ${team_id}
          and (xid, event_id) <= (${until.xid}::text::xid8, ${until.event_id})
        order by changes.xid desc, changes.event_id desc limit ${BACKLOG_MAX}) as latest
      where at >= ${since} order by latest.xid, event_id`),
  )
}

/**
 * Transaction ids are counted for the whole server. One that runs in another database writes nothing here, however long
 * it takes, and is passed over. One that nobody can be found for counts as ours: it has just ended, or is prepared.
 */
const oldestRunning = sql`select coalesce(
  (select xid from pg_snapshot_xip(pg_current_snapshot()) as running (xid)
    where not exists (
      select from pg_locks join pg_stat_activity as process using (pid)
      where locktype = 'transactionid' and mode = 'ExclusiveLock' and transactionid = running.xid::xid
        and datname <> current_database())
    order by xid limit 1),
  pg_snapshot_xmax(pg_current_snapshot()))`

const columns = sql`xid::text as xid, event_id, changes.team_id, scope, message`
