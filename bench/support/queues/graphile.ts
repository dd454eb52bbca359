import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import pg from 'pg'
import { CLAIM_COUNT, CONCURRENCY, POOL_SIZE, Tally, type Queue } from './queue.ts'

/** graphile-worker with everything its guide to performance offers: jobs taken and ended in batches. */
export async function graphileQueue(url: string): Promise<Queue> {
  const pgPool = new pg.Pool({ connectionString: url, max: POOL_SIZE })
  pgPool.on('error', () => {})
  pgPool.on('connect', client => void client.on('error', () => {}))
  const logger = new Logger(() => () => {})
  const utils = await makeWorkerUtils({ pgPool, logger })
  await utils.migrate()
  const left = async () => {
    const { rows } = await pgPool.query('select count(*)::int as left from graphile_worker._private_jobs')
    return rows[0].left as number
  }
  return {
    name: 'graphile-worker',
    async enqueueOne() {
      await utils.addJob('tiny', null)
    },
    async enqueueMany(count) {
      await utils.addJobs(Array.from({ length: count }, () => ({ identifier: 'tiny', payload: null })))
    },
    async drain(count) {
      const tally = new Tally()
      const runner = await run({
        pgPool,
        logger,
        noHandleSignals: true,
        taskList: { tiny: () => tally.count() },
        preset: {
          worker: {
            concurrentJobs: CONCURRENCY,
            localQueue: { size: CLAIM_COUNT },
            completeJobBatchDelay: 0,
            failJobBatchDelay: 0,
          },
        },
      })
      const seconds = await tally.until(count, left)
      await runner.stop()
      return seconds
    },
    async close() {
      await utils.release()
      await pgPool.end()
    },
  }
}
