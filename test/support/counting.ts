import type { Runtime } from '#platform/context.ts'

/** The same process, whose statements are counted, and how often it went to the database with them. */
export function countingRuntime(runtime: Runtime) {
  const { pool } = runtime
  const counted = { statements: 0, trips: 0 }
  const counting: Runtime = {
    ...runtime,
    pool: {
      ...pool,
      async checkOut() {
        const checkout = await pool.checkOut()
        return {
          ...checkout,
          flush(statements) {
            counted.statements += statements.length
            counted.trips++
            return checkout.flush(statements)
          },
        }
      },
    },
  }
  return { counted, runtime: counting }
}
