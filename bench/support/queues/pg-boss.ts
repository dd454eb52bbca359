import { PgBoss } from 'pg-boss'
import pg from 'pg'
import { CLAIM_COUNT, CONCURRENCY, POOL_SIZE, Tally, type Queue } from './queue.ts'

/** pg-boss with jobs taken and ended in batches, and no pause while there are more. */
export async function pgBossQueue(url: string): Promise<Queue> {
  const boss = new PgBoss({ connectionString: url, max: POOL_SIZE, supervise: false, schedule: false })
  boss.on('error', () => {})
  await boss.start()
  await boss.createQueue('tiny')
  const look = new pg.Pool({ connectionString: url, max: 1 })
  look.on('error', () => {})
  const left = async () => {
    const { rows } = await look.query(
      `select count(*)::int as left from pgboss.job where name = 'tiny' and state < 'completed'`,
    )
    return rows[0].left as number
  }
  return {
    name: 'pg-boss',
    async enqueueOne() {
      await boss.send('tiny')
    },
    async enqueueMany(count) {
      await boss.insert(
        'tiny',
        Array.from({ length: count }, () => ({})),
      )
    },
    async drain(count) {
      const tally = new Tally()
      const options = {
        batchSize: CLAIM_COUNT,
        localConcurrency: CONCURRENCY,
        burstWhenBatchFull: true,
        pollingIntervalSeconds: 0.5,
      }
      await boss.work('tiny', options, async jobs => {
        for (const _ of jobs) tally.count()
      })
      const seconds = await tally.until(count, left)
      await boss.offWork('tiny')
      await boss.deleteAllJobs('tiny')
      return seconds
    },
    async close() {
      await boss.stop({ graceful: false })
      await look.end()
    },
  }
}
