/**
 * A worker in a process of its own, for tests that kill it or freeze it: it says on its standard output when it has a
 * job in hand, and a job waits in it until a line comes on its standard input.
 */
import { once } from 'node:events'
import { sql } from 'kysely'
import { pino } from 'pino'
import { systemClock } from '../clock.ts'
import { openPool } from '../database/pool.ts'
import { createRegistry, job } from '../registry.ts'
import { raw } from '../database/tables.ts'
import { startWorker } from './worker.ts'
import { testPorts } from '#test/ports.ts'
import { plainSettings } from '#test/settings.ts'

const say = (word: string) => process.stdout.write(`${word}\n`)
const toldToGoOn = once(process.stdin, 'data')

const slow = job('slow', {}, async (ctx, job) => {
  const leaveEffect = () => ctx.run(raw(sql`insert into effects (job_id, note) values (${job.id}, 'child')`))
  // A transaction that has written holds up the live updates of the whole server: one that is frozen writes later.
  if (process.argv[3] === 'writes at once') await leaveEffect()
  else await ctx.all(raw(sql`select 1`))
  say(`began ${job.id}`)
  await toldToGoOn
  await leaveEffect()
})

const worker = startWorker({
  pool: openPool({ url: process.argv[2]!, size: 16, onError: () => {} }),
  clock: systemClock,
  log: pino({ level: 'silent' }),
  registry: createRegistry({ jobs: [slow], reactions: [], scheduled: [], sweeps: [] }),
  settings: plainSettings,
  ports: testPorts(),
  wakeWorker: () => {},
  changes: undefined as never,
  windows: undefined as never,
})

await toldToGoOn
while (worker.stats().inHand > 0) await new Promise(resolve => setTimeout(resolve, 5))
say(`done ${worker.stats().done} failed ${worker.stats().failed}`)
await worker.stop()
process.exit(0)
