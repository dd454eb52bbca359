/**
 * The fault laboratory: real processes on a real PostgreSQL, disturbed by a plan that comes of a seed, and compared in the end
 * with what clients and providers know. See docs/tests.md.
 *   npm run chaos -- --seed 7 --faults 1000 --minutes 30
 */
import { parseArgs } from 'node:util'
import { bundleFolder } from '../run/bundle.ts'
import { openLaboratory } from './laboratory.ts'
import { faultTable, findingsTable } from './report.ts'
import { planFaults } from './schedule.ts'

const MINUTE_MS = 60_000
const say = (line: string) => process.stdout.write(`${line}\n`)

const HELP = `npm run chaos -- [--seed N] [--faults 100] [--minutes 5] [--api 2] [--workers 2] [--writers 4] [--pause 200]
--writers: clients at work; --pause: milliseconds between two stories of one. The same seed plans the same faults.`

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    faults: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '5' },
    api: { type: 'string', default: '2' },
    workers: { type: 'string', default: '2' },
    writers: { type: 'string', default: '4' },
    pause: { type: 'string', default: '200' },
    help: { type: 'boolean', default: false },
  },
})
const { help, ...texts } = values
if (help) {
  say(HELP)
  process.exit(0)
}
const numbers = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)]))
for (const [name, number] of Object.entries(numbers)) {
  if (number > 0 || (number === 0 && ['seed', 'pause', 'faults'].includes(name))) continue
  say(`--${name} takes a positive number.`)
  process.exit(2)
}
const { seed, faults, minutes, api, workers, writers, pause } = numbers as Record<keyof typeof texts, number>

const plan = planFaults({ seed, faults, lengthMs: minutes * MINUTE_MS })
const laboratory = await openLaboratory({
  seed,
  api,
  workers,
  writers,
  pauseMs: pause,
  smallDisk: true,
  programs: bundleFolder,
  say,
})
const { folder, nodes, shop } = laboratory.cluster
say(`Seed ${seed}: ${faults} faults in ${minutes} minutes, ${api} api, ${workers} workers. Logs: ${folder}`)
for (const { name, disk } of nodes)
  if (typeof disk === 'string') say(`The disk of ${name} is not filled: ${disk}.`)

if (typeof shop === 'string') say(`Nothing is bought on a chain: ${shop}.`)

const began = performance.now()
await laboratory.follow(plan, minutes * MINUTE_MS)
const tookMin = (performance.now() - began) / MINUTE_MS
say('All is healed; waiting until nothing is left to do.')
const { findings, outcomes, unclean, bad } = await laboratory.conclude()
await laboratory.close({ keep: bad })

const done = outcomes.filter(({ done }) => done !== undefined).length
say(`\nSeed ${seed}: ${done} faults in ${tookMin.toFixed(1)} minutes, ${laboratory.workload.told()} stories`)
say(faultTable(outcomes))
say(findingsTable(findings))
for (const [what, count] of laboratory.ledger.surprises) say(`  answered ${count} times: ${what}`)
if (unclean.length > 0) say(`  not stopped cleanly: ${unclean.join(', ')}`)
if (bad)
  say(
    `\nLogs and the database are in ${folder}. Look at the database with: ` +
      `DATA_DIR=${folder}/database npx rapport start --role api, or connect to it while that runs.`,
  )
process.exit(bad ? 1 : 0)
