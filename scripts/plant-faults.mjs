// Plants one fault after another into a copy of the last commit and runs the tests that ought to find it:
//   npm run test:faults -- [--only name-part …] [--list] [--with file …] [--at-once 2] [--skip-green]
// A suite that stays green over a fault has a hole. `--with` takes a file from the working tree, such as a test that was
// just written to close one; with `--at-once` several faults are tried side by side, each in a copy of its own;
// `--skip-green` leaves out the run that shows that the tests are green without any fault.
// Nothing is ever changed in the working tree.
import { spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../src/adapters/postgres/embedded.ts'
import { faults } from '../test/run/faults.ts'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const RUN_TIMEOUT_MS = 300_000
const SEED_MAX = 2 ** 31
const LOG_SHOWN_CHARS = 4_000
const TEST_SHOWN_CHARS = 110

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    with: { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false },
    'at-once': { type: 'string', default: '1' },
    'skip-green': { type: 'boolean', default: false },
  },
})
const chosen = faults.filter(({ name }) => values.only.some(part => name.includes(part)))
if (chosen.length === 0) fail('No fault has such a name.')
if (values.list) {
  for (const { name, file, tests } of chosen) console.log(`${name}\n  ${file} → ${tests.join(', ')}`)
  process.exit(0)
}
const atOnce = Number(values['at-once'])
if (!Number.isInteger(atOnce) || atOnce < 1) fail('--at-once takes a number from 1 on.')

const seed = process.env.TEST_SEED ?? String(Math.floor(Math.random() * SEED_MAX))
const folder = mkdtempSync(join(tmpdir(), 'rapport-planted-'))
const running = new Set()
let stopping = false
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
process.on('exit', cleanUp)

/** Where faults are planted one at a time: a copy of the sources with a database server of its own. */
const lanes = Array.from({ length: atOnce }, (_, number) => ({
  copy: join(folder, `checkout-${number}`),
  report: join(folder, `report-${number}.json`),
}))
for (const { copy } of lanes) makeCopy(copy)
for (const fault of chosen) refuseRotten(fault)
for (const [number, lane] of lanes.entries()) lane.server = await startPostgres(`data-${number}`)
if (!values['skip-green']) await demandGreen([...new Set(chosen.flatMap(({ tests }) => tests))].toSorted())
const waiting = [...chosen]
const rows = []
await Promise.all(
  lanes.map(async lane => {
    for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
      const row = await plant(lane, fault)
      rows.push(row)
      console.log(lineOf(row))
    }
  }),
)
const missed = rows.filter(({ foundBy }) => !foundBy)
printTable()
await end(missed.length > 0 ? 1 : 0)

function makeCopy(copy) {
  git(ROOT, 'worktree', 'add', '--quiet', '--detach', copy, 'HEAD')
  for (const file of values.with) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    copyFileSync(join(ROOT, file), join(copy, file))
  }
  // With another lock file the set-up would install the copy's packages over those of the working tree.
  if (read(ROOT, 'package-lock.json') !== read(copy, 'package-lock.json'))
    fail('package-lock.json differs from the last commit: commit it first.')
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  // The web app that is built already; it is built anew where its sources differ.
  if (existsSync(join(ROOT, 'dist'))) cpSync(join(ROOT, 'dist'), join(copy, 'dist'), { recursive: true })
}

/** One for all runs of a lane, where each would make its own: the tests bring every schema to it themselves. */
async function startPostgres(name) {
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_connections: '300',
  }
  return startEmbeddedPostgres({ dataDir: join(folder, name), log: () => {}, settings })
}

/** The list must not rot silently while the code it speaks of moves on. */
function refuseRotten({ name, file, find, replace, tests }) {
  const [{ copy }] = lanes
  for (const path of [file, ...tests])
    if (!existsSync(join(copy, path))) fail(`“${name}” names ${path}, which does not exist.`)
  const times = read(copy, file).split(find).length - 1
  if (times !== 1) fail(`“${name}”: its text occurs ${times} times in ${file}, and must occur once.`)
  if (find === replace) fail(`“${name}” changes nothing.`)
}

async function demandGreen(tests) {
  console.log(`${chosen.length} faults, seed ${seed}. First ${tests.length} test files without any fault …`)
  const { code, failed, seconds, log } = await runTests(lanes[0], tests)
  if (code === 0) return console.log(`Green after ${seconds} s.\n`)
  for (const test of failed) console.error(`✗ ${test}`)
  fail(
    `${failed.length > 0 ? '' : log.slice(-LOG_SHOWN_CHARS)}\nThese must be green before anything is planted.`,
  )
}

async function plant(lane, { name, file, find, replace, tests }) {
  const { copy } = lane
  const sound = read(copy, file)
  writeFileSync(
    join(copy, file),
    sound.replace(find, () => replace),
  )
  try {
    const { code, failed, seconds, log } = await runTests(lane, tests, '--bail=1')
    // A run that breaks before any test has begun says nothing about the tests.
    const foundBy = code !== 0 ? failed[0] : undefined
    return { name, foundBy, seconds, remark: code === 0 ? 'all tests passed' : log.slice(-LOG_SHOWN_CHARS) }
  } finally {
    writeFileSync(join(copy, file), sound)
  }
}

async function runTests(lane, tests, ...options) {
  const started = performance.now()
  // Tests of the web app's pure files read them as they stand; all others may open it in a browser.
  if (!tests.every(test => test.startsWith('src/web/'))) {
    const { code, log } = await run(lane, process.execPath, ['scripts/setup.mjs'])
    if (code !== 0) fail(`The copy could not be set up.\n${log.slice(-LOG_SHOWN_CHARS)}`)
  }
  rmSync(lane.report, { force: true })
  const { code, log } = await run(lane, 'vitest', [
    'run',
    ...options,
    '--reporter=json',
    `--outputFile=${lane.report}`,
    ...tests,
  ])
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  return { code, log, seconds, failed: readFailed(lane) }
}

function readFailed({ copy, report }) {
  if (!existsSync(report)) return []
  return JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'failed' && failureMessages.length > 0)
      .map(({ fullName }) => `${name.slice(copy.length + 1)} > ${fullName}`),
  )
}

function run({ copy, server }, program, words) {
  const { promise, resolve } = Promise.withResolvers()
  const pieces = []
  const child = spawn(program, words, {
    cwd: copy,
    // A group of its own, so that a fault that makes a test compute forever ends with all its workers.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
      TEST_DATABASE_URL: server.url,
      TEST_SEED: seed,
      TEST_TIER: 'quick',
    },
  })
  running.add(child)
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), RUN_TIMEOUT_MS)
  for (const stream of [child.stdout, child.stderr]) stream.on('data', piece => pieces.push(piece))
  child.on('error', error => fail(error.message))
  child.on('close', code => {
    clearTimeout(timer)
    running.delete(child)
    if (stopping) return running.size > 0 ? undefined : void end(1)
    resolve({ code, log: Buffer.concat(pieces).toString() })
  })
  return promise
}

/** What runs has processes and folders of its own: it is asked to end, and waited for. */
function stop() {
  if (stopping) process.exit(1)
  stopping = true
  for (const child of running) child.kill('SIGTERM')
  if (running.size === 0) void end(1)
}

async function end(code) {
  await Promise.all(lanes.map(({ server }) => server?.stop()))
  process.exit(code)
}

function cleanUp() {
  rmSync(folder, { recursive: true, force: true })
  spawnSync('git', ['worktree', 'prune'], { cwd: ROOT })
}

function printTable() {
  console.log('\nFound by')
  for (const row of rows) console.log(lineOf(row))
  for (const { name, remark } of missed) console.log(`\nMissed: ${name}\n${remark}`)
  console.log(`\n${rows.length - missed.length} found, ${missed.length} missed`)
}

function lineOf({ name, foundBy, seconds }) {
  const width = Math.max(...chosen.map(each => each.name.length))
  const by = foundBy && foundBy.length > TEST_SHOWN_CHARS ? `${foundBy.slice(0, TEST_SHOWN_CHARS)}…` : foundBy
  return `${foundBy ? '✓' : '✗'} ${name.padEnd(width)} ${seconds.padStart(6)} s  ${by ?? 'MISSED'}`
}

function read(root, file) {
  return readFileSync(join(root, file), 'utf8')
}

function git(cwd, ...words) {
  const { status, stderr } = spawnSync('git', words, { cwd, encoding: 'utf8' })
  if (status !== 0) fail(stderr)
}

function fail(line) {
  console.error(line)
  process.exit(1)
}
