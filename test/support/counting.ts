import type { Runtime } from '#platform/context.ts'

/** The same process, whose statements are counted, and how often it went to the database with them. */
export function countingRuntime(runtime: Runtime) {
  const { pool } = runtime
  const counted = { statements: 0, trips: 0 }
  const count = (statements: readonly unknown[]) => {
    counted.statements += statements.length
    counted.trips++
  }
  const counting: Runtime = {
    ...runtime,
    pool: {
      ...pool,
      flush(statements) {
        count(statements)
        return pool.flush(statements)
      },
      async checkOut() {
        const checkout = await pool.checkOut()
        return {
          ...checkout,
          flush(statements) {
            count(statements)
            return checkout.flush(statements)
          },
        }
      },
    },
  }
  return { counted, runtime: counting }
}
