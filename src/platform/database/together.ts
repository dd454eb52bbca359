import type { Compilable } from 'kysely'
import type { Context, Runtime } from '../context.ts'
import type { Statement } from './flush.ts'
import { INSTALLATION_SETTING } from './transaction.ts'

/** Trips at the same time: while they are on their way, the next one fills. */
const TRIPS_MAX = 4
const STATEMENTS_PER_TRIP_MAX = 50

type Waiting = {
  /** Trips lock in the order of these, so that two never wait for each other in a circle. */
  order: string
  statement: Statement
  resolve: (rows: unknown[]) => void
  reject: (error: unknown) => void
}

/**
 * A standalone statement that may share its trip and its commit with others of the same moment: alone it is
 * sent immediately, and under load many cost as much as one. Each is answered after the commit they share. If
 * one of them fails, nothing of the trip has happened, and each is tried on its own.
 */
export function together<Row>(ctx: Context, order: string, query: Compilable<Row>): Promise<Row[]> {
  const { sql, parameters } = query.compile()
  const { promise, resolve, reject } = Promise.withResolvers<unknown[]>()
  const line = lineOf(ctx.runtime)
  line.waiting.push({ order, statement: { text: sql, values: parameters }, resolve, reject })
  if (!line.announced && line.trips < TRIPS_MAX) {
    line.announced = true
    // Whatever else this turn of the loop has read from its sockets comes along.
    setImmediate(() => depart(ctx.runtime, line))
  }
  return promise as Promise<Row[]>
}

type Line = { waiting: Waiting[]; trips: number; announced: boolean }
const lines = new WeakMap<Runtime, Line>()

function lineOf(runtime: Runtime): Line {
  let line = lines.get(runtime)
  if (!line) lines.set(runtime, (line = { waiting: [], trips: 0, announced: false }))
  return line
}

function depart(runtime: Runtime, line: Line): void {
  line.announced = false
  while (line.trips < TRIPS_MAX && line.waiting.length > 0) {
    const passengers = line.waiting
      .splice(0, STATEMENTS_PER_TRIP_MAX)
      .toSorted((a, b) => (a.order < b.order ? -1 : 1))
    line.trips++
    void travel(runtime, passengers).finally(() => {
      line.trips--
      depart(runtime, line)
    })
  }
}

async function travel(runtime: Runtime, passengers: Waiting[]): Promise<void> {
  try {
    const statements = passengers.map(({ statement }) => statement)
    const [, ...results] = await runtime.pool.flush([INSTALLATION_SETTING, ...statements])
    passengers.forEach(({ resolve }, at) => resolve(results[at]!.rows))
  } catch (error) {
    if (passengers.length === 1) return passengers[0]!.reject(error)
    await Promise.all(passengers.map(passenger => travel(runtime, [passenger])))
  }
}
