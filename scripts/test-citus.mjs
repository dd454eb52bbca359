// Runs tests on Citus: a coordinator and two workers, started for them, with every table where it belongs.
//   npm run test:citus [-- --part 1/4] [file or folder …]
// Without files, those of the domains, the platform, HTTP and the journeys. Reports what fails and is not in test/run/on-citus.ts, and what
// is in that list and does not fail. `--part` runs one of so many parts.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compare, exceptions } from '../test/run/on-citus.ts'
import { CITUS_MISSING, findCitus } from './citus.mjs'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const FILES = ['src/domains', 'src/http', 'src/platform', 'test/journeys']
const MESSAGE_LENGTH = 300

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { part: { type: 'string' } },
})
if (!findCitus()) {
  console.error(CITUS_MISSING)
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'rapport-on-citus-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const report = join(folder, 'report.json')
const code = await runTests()
const files = readReport()
if (files.length === 0) {
  console.error('No test ran.')
  process.exit(code || 1)
}

const faults = compare(files.map(outcomeOf))
for (const { name, message } of faults) console.log(`\n✗ ${name}\n  ${message}`)
const ran = new Set(files.map(({ name }) => pathOf(name)))
const known = exceptions.filter(({ file }) => ran.has(file))
if (known.length > 0) console.log('\nCannot run on Citus:')
for (const { file, tests, reason } of known)
  console.log(
    `  ${file}${tests ? ` (${tests.length} ${tests.length === 1 ? 'test' : 'tests'})` : ''}: ${reason}`,
  )
const passed = files
  .flatMap(({ assertionResults }) => assertionResults)
  .filter(({ status }) => status === 'passed')
console.log(`\nOn Citus: ${files.length} files, ${passed.length} tests passed, ${faults.length} unexpected.`)
process.exit(faults.length > 0 ? 1 : 0)

function runTests() {
  const part = values.part ? [`--shard=${values.part}`] : []
  const child = spawn(
    'vitest',
    [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile=${report}`,
      ...part,
      ...(positionals.length > 0 ? positionals : FILES),
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: {
        ...process.env,
        PATH: [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
        TEST_CITUS: 'on',
      },
    },
  )
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  return new Promise(resolve => child.on('close', resolve))
}

function readReport() {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults
  } catch {
    return []
  }
}

function pathOf(name) {
  return name.slice(ROOT.length + 1)
}

function outcomeOf({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter(test => test.status === 'failed')
  const messages = new Map(failed.map(test => [test.fullName, test.failureMessages.join('\n')]))
  return {
    file: pathOf(name),
    isBroken: status === 'failed',
    failed: failed.map(({ fullName }) => fullName),
    message: test => brief(messages.get(test) ?? message),
  }
}

function brief(text) {
  return text.slice(0, MESSAGE_LENGTH).replaceAll('\n', '\n  ')
}
