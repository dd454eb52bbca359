import { pino } from 'pino'
import { systemClock } from '#platform/clock.ts'
import { systemContext, type Context, type Runtime } from '#platform/context.ts'
import { t } from '#platform/contract.ts'
import { openPool } from '#platform/database/pool.ts'
import { defineEvent, record } from '#platform/events.ts'
import { newId } from '#platform/ids.ts'
import { enqueue, insertJobs, jobRow } from '#platform/jobs/queue.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { createRegistry, job, on } from '#platform/registry.ts'
import { POOL_SIZE, Tally, type Queue } from './queue.ts'
import { testPorts } from '#test/ports.ts'
import { plainSettings } from '#test/settings.ts'

/** The product's queue as its domains use it: a team, a transaction, an effect that commits with the job's end. */
export function ourQueue(url: string): Queue {
  return openOurs(url, (ctx, count) =>
    ctx.later(insertJobs(Array.from({ length: count }, () => jobRow(ctx, { kind: 'tiny' })))),
  )
}

/** Reactions as the product has them: each reads its event and does nothing more. */
export function ourReactions(url: string): Queue {
  return openOurs(url, (ctx, count) => {
    for (let n = 0; n < count; n++) record(ctx, happened, { kind: 'thing', id: ctx.newId() }, { n })
  })
}

const happened = defineEvent('bench.happened', t.Object({ n: t.Integer() }))

function openOurs(url: string, write: (ctx: Context, count: number) => void): Queue {
  let tally = new Tally()
  const tiny = job('tiny', {}, async () => tally.count())
  const react = on(happened, 'bench', async () => tally.count())
  const runtime: Runtime = {
    pool: openPool({ url, size: POOL_SIZE, onError: () => {} }),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    registry: createRegistry({ jobs: [tiny], reactions: [react], scheduled: [], sweeps: [] }),
    settings: plainSettings,
    ports: testPorts(),
    wakeWorker: () => {},
    changes: undefined as never,
    windows: undefined as never,
  }
  const ctx = systemContext(runtime, newId())
  return {
    name: 'rapport',
    enqueueOne: () => ctx.transaction(async ctx => void enqueue(ctx, { kind: 'tiny' })),
    enqueueMany: count => ctx.transaction(async ctx => write(ctx, count)),
    async drain(count) {
      tally = new Tally()
      const worker = startWorker(runtime)
      const seconds = await tally.until(count, async () => count - worker.stats().done)
      await worker.stop()
      return seconds
    },
    close: () => runtime.pool.close(),
  }
}
