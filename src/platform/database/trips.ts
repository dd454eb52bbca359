import { combine } from './combine.ts'
import type { Statement, StatementResult } from './flush.ts'
import { isConnectionLoss, type Pool } from './pool.ts'

/** Trips at the same time: while they are on their way, the next one fills. */
const TRIPS_MAX = 4
const STATEMENTS_PER_TRIP_MAX = 50
/** A write that waits longer for a lock leaves the line and goes alone: others have nothing to do with it. */
const LOCK_WAIT_MS = 50

type Passenger = {
  /** Trips lock in the order of these, so that two never wait for each other in a circle. */
  order: string
  statements: readonly Statement[]
  resolve: (results: StatementResult[]) => void
  reject: (error: unknown) => void
}

/**
 * One transaction for the statements of several callers of the same moment: alone they are sent immediately, and under
 * load many cost as much as one. Each caller is answered after the commit they share. If one of them fails, nothing of
 * the trip has happened, and each is tried on its own.
 */
export function shareTrip(
  pool: Pool,
  settings: readonly Statement[],
  order: string,
  statements: readonly Statement[],
  isOnlyAdding = false,
): Promise<StatementResult[]> {
  const { promise, resolve, reject } = Promise.withResolvers<StatementResult[]>()
  const line = lineOf(pool, settings, isOnlyAdding)
  line.waiting.push({ order, statements, resolve, reject })
  if (!line.announced && line.trips < TRIPS_MAX) {
    line.announced = true
    // Whatever else this turn of the loop has read from its sockets comes along.
    setImmediate(() => depart(line))
  }
  return promise
}

/** The same for a whole transaction that only adds rows, with others of its team. */
export function shareCommit(
  pool: Pool,
  team: Statement,
  statements: readonly Statement[],
): Promise<StatementResult[]> {
  return shareTrip(pool, [team, LOCK_WAIT], '', statements, true)
}

/** Whether these only add rows, and few of them: nothing another transaction of the same moment could notice. */
export function mayShareCommit(statements: readonly Statement[]): boolean {
  return statements.length <= SHARED_STATEMENTS_MAX && statements.every(({ text }) => ADDS_ROWS.test(text))
}
const SHARED_STATEMENTS_MAX = 10
const ADDS_ROWS = /^(insert into |select from add_listened_jobs\()/
const LOCK_WAIT: Statement = {
  text: `set local lock_timeout = ${LOCK_WAIT_MS}`,
  values: [],
  quiet: true,
}

type Line = {
  name: string
  pool: Pool
  /** The first says whose rows are seen; the others only hold for trips of the line. */
  settings: readonly Statement[]
  /** Then their order among each other does not matter, and rows for the same table go together. */
  isOnlyAdding: boolean
  waiting: Passenger[]
  trips: number
  announced: boolean
}
const lines = new WeakMap<Pool, Map<string, Line>>()

function lineOf(pool: Pool, settings: readonly Statement[], isOnlyAdding: boolean): Line {
  let ofPool = lines.get(pool)
  if (!ofPool) lines.set(pool, (ofPool = new Map()))
  const name = settings.map(({ text }) => text).join()
  let line = ofPool.get(name)
  if (!line)
    ofPool.set(name, (line = { name, pool, settings, isOnlyAdding, waiting: [], trips: 0, announced: false }))
  return line
}

function depart(line: Line): void {
  line.announced = false
  while (line.trips < TRIPS_MAX && line.waiting.length > 0) {
    line.trips++
    void travel(line, board(line.waiting))
  }
  const ofPool = lines.get(line.pool)!
  if (line.trips === 0 && ofPool.get(line.name) === line) ofPool.delete(line.name)
}

/** Passengers that have to be sent again leave the line first, so that no one waits behind a lock. */
async function travel(line: Line, passengers: readonly Passenger[]): Promise<void> {
  const { pool, settings, isOnlyAdding } = line
  const again = await send(pool, settings, passengers, isOnlyAdding)
  line.trips--
  depart(line)
  for (const passenger of again) void send(pool, settings.slice(0, 1), [passenger])
}

/** As many as fit, at least one. */
function board(waiting: Passenger[]): Passenger[] {
  let statements = 0
  const full = waiting.findIndex(
    (passenger, at) => (statements += passenger.statements.length) > STATEMENTS_PER_TRIP_MAX && at > 0,
  )
  return waiting.splice(0, full === -1 ? waiting.length : full)
}

/** Answers those who should be tried on their own. */
async function send(
  pool: Pool,
  settings: readonly Statement[],
  passengers: readonly Passenger[],
  isOnlyAdding = false,
): Promise<readonly Passenger[]> {
  const inOrder = passengers.toSorted((a, b) => compare(a.order, b.order))
  try {
    const own = inOrder.map(({ statements }) => statements)
    const { statements, answer } = isOnlyAdding ? combine(own) : oneByOne(own)
    const results = (await pool.flush([...settings, ...statements])).slice(settings.length)
    for (const [at, { resolve }] of inOrder.entries()) resolve(answer(results, at))
    return []
  } catch (error) {
    // Whether a commit that was never answered took place, nobody knows: trying it again could answer wrongly.
    const mayGoAgain = passengers.length > 1 || isLockTimeout(error)
    if (mayGoAgain && !isConnectionLoss(error)) return passengers
    for (const { reject } of passengers) reject(error)
    return []
  }
}

function oneByOne(callers: readonly (readonly Statement[])[]): ReturnType<typeof combine> {
  let end = 0
  const starts = callers.map(({ length }) => (end += length) - length)
  return {
    statements: callers.flat(),
    answer: (results, caller) => results.slice(starts[caller], starts[caller]! + callers[caller]!.length),
  }
}

function isLockTimeout(error: unknown): boolean {
  return (error as { code?: string }).code === '55P03'
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
