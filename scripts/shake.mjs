// Runs the suite, or the files that are named, again and again under bad conditions, and lists what failed and how often:
//   npm run test:shake -- --rounds 6 [--at-once 2] [--risky] [file …]
// Each round has its own seed and order of files and tests, a busy neighbour on every core, a disk that somebody else
// writes to, and an event loop that stands still now and then. What fails here fails by chance elsewhere. With
// --at-once the rounds are each other's busy neighbours, and no core is busy for nothing. --risky chooses the files with
// browsers, clocks, kills and workers. Each finished round is added to a file (--tally <file>), so that clean rounds of a
// commit add up over sessions; --rounds 0 prints the counts.
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { addRound, currentCommit, linesOf, readRounds, talliesOf, TALLY_FILE } from '../test/run/tally.ts'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const NEIGHBOUR = join(ROOT, 'scripts', 'neighbour.mjs')
const ROUNDS = 6
const MESSAGE_LENGTH = 300
const SEEN_LENGTH = 2_000
const RISKY =
  /FakeClock|useFakeTimers|\bclock\.|SIGKILL|\bkill\(|[Ww]orker|\.child\.ts|from '\.\/browser\.ts'/

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: String(ROUNDS) },
    seed: { type: 'string' },
    'at-once': { type: 'string', default: '1' },
    risky: { type: 'boolean', default: false },
    calm: { type: 'boolean', default: false },
    tally: { type: 'string', default: TALLY_FILE },
  },
})
const files = [...positionals, ...(values.risky ? riskyFiles() : [])]
const rounds = Number(values.rounds)
const atOnce = Number(values['at-once'])
if (!Number.isInteger(rounds) || rounds < 0 || !Number.isInteger(atOnce) || atOnce < 1) {
  console.error('--rounds takes a number from 0 on, --at-once one from 1 on.')
  process.exit(2)
}
if (rounds === 0) {
  printTally()
  process.exit()
}
const firstSeed = Number(values.seed ?? Date.now() % 1_000_000)
const folder = mkdtempSync(join(tmpdir(), 'rapport-shake-'))
const neighbours = values.calm ? [] : startNeighbours()
process.on('exit', () => {
  for (const neighbour of neighbours) neighbour.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
const running = new Set()
let stopping = false
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)

const failures = new Map()
let begun = 0
await Promise.all(Array.from({ length: atOnce }, goOn))
for (const [name, { message, seeds }] of failures) {
  console.log(`\n${seeds.length} of ${rounds}: ${name}\n  seeds ${seeds.join(', ')}\n  ${message}`)
}
const times = [...failures.values()].reduce((sum, { seeds }) => sum + seeds.length, 0)
console.log(`\n${rounds} rounds: ${times} failures of ${failures.size} tests`)
printTally()
process.exit(failures.size > 0 ? 1 : 0)

/** A run has processes and folders of its own: it is asked to end, and waited for. */
function stop() {
  if (stopping || running.size === 0) process.exit(1)
  stopping = true
  for (const child of running) child.kill('SIGTERM')
}

function printTally() {
  console.log(`\nKept in ${values.tally}:`)
  for (const tally of talliesOf(readRounds(values.tally))) console.log(linesOf(tally).join('\n'))
}

function riskyFiles() {
  return globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: ROOT })
    .filter(file => RISKY.test(readFileSync(join(ROOT, file), 'utf8')))
    .toSorted()
}

async function goOn() {
  while (begun < rounds && !stopping) await shake(++begun)
}

async function shake(round) {
  const seed = firstSeed + round
  const commit = currentCommit()
  const started = performance.now()
  const { passed, failed } = await runOnce(seed)
  if (stopping) return
  for (const { name, message } of failed) {
    const known = failures.get(name) ?? { message, seeds: [] }
    failures.set(name, { ...known, seeds: [...known.seeds, seed] })
  }
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(
    `Round ${round} of ${rounds}, seed ${seed}: ${passed} passed, ${failed.length} failed, ${seconds} s`,
  )
  // Files that changed meanwhile belong to no commit.
  if (commit === currentCommit())
    addRound(values.tally, {
      commit,
      files,
      calm: values.calm,
      seed,
      at: new Date().toISOString(),
      failed: failed.map(({ name }) => name),
    })
  // Told at once: who stops the shaking early wants to know as well.
  for (const { name, message } of failed)
    console.log(`  ✗ ${name}\n    ${message.replaceAll('\n', '\n    ')}`)
}

function startNeighbours() {
  const busy = atOnce > 1 ? [] : Array.from({ length: availableParallelism() }, () => ['cpu'])
  return [...busy, ['disk', folder]].map(words =>
    spawn(process.execPath, [NEIGHBOUR, ...words], { stdio: 'ignore' }),
  )
}

async function runOnce(seed) {
  const report = join(folder, `${seed}.json`)
  const log = []
  const child = spawn('vitest', ['run', '--reporter=json', `--outputFile=${report}`, ...files], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
      TEST_SEED: String(seed),
      TEST_SHAKE: values.calm ? 'order' : 'all',
    },
  })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => log.push(text))
  running.add(child)
  const code = await new Promise(resolve => child.on('close', resolve))
  running.delete(child)
  if (stopping && running.size === 0) process.exit(1)
  const words = Buffer.concat(log).toString()
  const failed = readFailures(report).map(test => ({ ...test, message: test.message + seenAt(test, words) }))
  // A run can also break outside of any test.
  if (code !== 0 && failed.length === 0) failed.push({ name: 'the run itself', message: words.slice(-2_000) })
  return { passed: countPassed(report), failed }
}

function readFailures(file) {
  return readReport(file).flatMap(({ name, assertionResults, message }) => {
    const at = name.slice(ROOT.length + 1)
    const tests = assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ title, fullName, failureMessages }) => ({
        title,
        name: `${at} > ${fullName}`,
        message: brief(failureMessages.join('\n')),
      }))
    return tests.length > 0 || !message ? tests : [{ name: at, message: brief(message) }]
  })
}

/** What the windows of the browser showed, and which jobs were not done, when it failed. */
function seenAt({ title }, words) {
  const at =
    [`${title}\nA window at`, `${title}\nAt `].map(begin => words.indexOf(begin)).find(at => at >= 0) ?? -1
  if (at < 0) return ''
  const [seen] = words.slice(at + title.length + 1).split('\n\n', 1)
  return `\n  ${seen.slice(0, SEEN_LENGTH)}`
}

function countPassed(file) {
  return readReport(file)
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed').length
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).testResults
  } catch {
    return []
  }
}

function brief(text) {
  return text.slice(0, MESSAGE_LENGTH).replaceAll('\n', '\n  ')
}
