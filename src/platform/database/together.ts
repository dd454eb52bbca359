import type { Compilable } from 'kysely'
import type { Context } from '../context.ts'
import { INSTALLATION_SETTING } from './team-setting.ts'
import { shareTrip } from './trips.ts'

/**
 * A standalone statement that may share its trip and its commit with others of the same moment. Trips lock in the
 * `order` of their statements, so that two never wait for each other in a circle.
 */
export async function together<Row>(ctx: Context, order: string, query: Compilable<Row>): Promise<Row[]> {
  const { sql, parameters } = query.compile()
  const statements = [{ text: sql, values: parameters }]
  const [result] = await shareTrip(ctx.runtime.pool, [INSTALLATION_SETTING], order, statements)
  return result!.rows as Row[]
}
