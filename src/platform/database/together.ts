import type { Compilable } from 'kysely'
import type { Context } from '../context.ts'
import type { Statement, StatementResult } from './flush.ts'
import type { Pool } from './pool.ts'
import { INSTALLATION_SETTING } from './team-setting.ts'

/** Trips at the same time: while they are on their way, the next one fills. */
const TRIPS_MAX = 4
const STATEMENTS_PER_TRIP_MAX = 50
/** A write that waits longer for a lock makes others wait that have nothing to do with it: each then goes alone. */
const SHARED_LOCK_WAIT_MS = 50

type Passenger = {
  /** Trips lock in the order of these, so that two never wait for each other in a circle. */
  order: string
  statements: readonly Statement[]
  resolve: (results: StatementResult[]) => void
  reject: (error: unknown) => void
}

/**
 * A standalone statement that may share its trip and its commit with others of the same moment: alone it is
 * sent immediately, and under load many cost as much as one. Each is answered after the commit they share. If
 * one of them fails, nothing of the trip has happened, and each is tried on its own.
 */
export async function together<Row>(ctx: Context, order: string, query: Compilable<Row>): Promise<Row[]> {
  const { sql, parameters } = query.compile()
  const statements = [{ text: sql, values: parameters }]
  const [result] = await join(lineOf(ctx.runtime.pool, [INSTALLATION_SETTING]), order, statements)
  return result!.rows as Row[]
}

/**
 * The same for a whole transaction that only adds rows. They share it with others of their team: what fails or has to
 * wait for a lock is none of their companions' business, and is tried again on its own.
 */
export function commitTogether(
  pool: Pool,
  team: Statement,
  statements: readonly Statement[],
): Promise<StatementResult[]> {
  return join(lineOf(pool, [team, LOCK_WAIT]), '', statements)
}

/** Whether these only add rows, and few of them: nothing another transaction of the same moment could notice. */
export function mayShareCommit(statements: readonly Statement[]): boolean {
  return statements.length <= SHARED_STATEMENTS_MAX && statements.every(({ text }) => ADDS_ROWS.test(text))
}
const SHARED_STATEMENTS_MAX = 10
const ADDS_ROWS = /^insert into /
const LOCK_WAIT: Statement = {
  text: `set local lock_timeout = ${SHARED_LOCK_WAIT_MS}`,
  values: [],
  quiet: true,
}

type Line = {
  name: string
  pool: Pool
  /** The first says whose rows are seen; the others matter only where a trip is shared. */
  settings: readonly Statement[]
  waiting: Passenger[]
  trips: number
  announced: boolean
}
const lines = new WeakMap<Pool, Map<string, Line>>()

function lineOf(pool: Pool, settings: readonly Statement[]): Line {
  let ofPool = lines.get(pool)
  if (!ofPool) lines.set(pool, (ofPool = new Map()))
  const name = settings.map(({ text }) => text).join()
  let line = ofPool.get(name)
  if (!line) ofPool.set(name, (line = { name, pool, settings, waiting: [], trips: 0, announced: false }))
  return line
}

function join(line: Line, order: string, statements: readonly Statement[]): Promise<StatementResult[]> {
  const { promise, resolve, reject } = Promise.withResolvers<StatementResult[]>()
  line.waiting.push({ order, statements, resolve, reject })
  if (!line.announced && line.trips < TRIPS_MAX) {
    line.announced = true
    // Whatever else this turn of the loop has read from its sockets comes along.
    setImmediate(() => depart(line))
  }
  return promise
}

function depart(line: Line): void {
  line.announced = false
  while (line.trips < TRIPS_MAX && line.waiting.length > 0) {
    const passengers = board(line.waiting).toSorted((a, b) => compare(a.order, b.order))
    line.trips++
    void travel(line, passengers).finally(() => {
      line.trips--
      depart(line)
    })
  }
  const ofPool = lines.get(line.pool)!
  if (line.trips === 0 && ofPool.get(line.name) === line) ofPool.delete(line.name)
}

/** As many as fit, at least one. */
function board(waiting: Passenger[]): Passenger[] {
  let statements = 0
  const full = waiting.findIndex(
    (passenger, at) => (statements += passenger.statements.length) > STATEMENTS_PER_TRIP_MAX && at > 0,
  )
  return waiting.splice(0, full === -1 ? waiting.length : full)
}

async function travel(line: Line, passengers: Passenger[]): Promise<void> {
  const { pool, settings } = line
  try {
    const shared = passengers.length > 1 ? settings : settings.slice(0, 1)
    const all = await pool.flush([...shared, ...passengers.flatMap(({ statements }) => statements)])
    let at = shared.length
    for (const { statements, resolve } of passengers) resolve(all.slice(at, (at += statements.length)))
  } catch (error) {
    if (passengers.length === 1) return passengers[0]!.reject(error)
    await Promise.all(passengers.map(passenger => travel(line, [passenger])))
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
