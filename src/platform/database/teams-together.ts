import type { Runtime } from '../context.ts'
import type { Statement, StatementResult } from './flush.ts'
import { whenAllHaveAsked } from './moment.ts'
import { isConnectionLoss } from './pool.ts'

type Asked = {
  statements: readonly Statement[]
  resolve: (results: StatementResult[]) => void
  reject: (error: unknown) => void
}

/**
 * For regular work on many teams: what they ask in the same moment, outside transactions of their own, is sent as one
 * transaction, and each statement names its team before it. If one fails, nothing of it has happened, and each is sent alone.
 */
export function teamsTogether(runtime: Runtime): Runtime {
  const { pool } = runtime
  let asked: Asked[] = []

  async function send(): Promise<void> {
    const all = asked
    asked = []
    try {
      const results = await pool.flush(all.flatMap(({ statements }) => statements))
      let at = 0
      for (const { statements, resolve } of all) resolve(results.slice(at, (at += statements.length)))
    } catch (error) {
      for (const one of all) {
        // Whether it was committed, nobody knows: it may not be sent again.
        if (all.length === 1 || isConnectionLoss(error)) one.reject(error)
        else await pool.flush(one.statements).then(one.resolve, one.reject)
      }
    }
  }

  return {
    ...runtime,
    pool: {
      ...pool,
      flush(statements) {
        const { promise, resolve, reject } = Promise.withResolvers<StatementResult[]>()
        if (asked.push({ statements, resolve, reject }) === 1) void whenAllHaveAsked().then(send)
        return promise
      },
    },
  }
}
