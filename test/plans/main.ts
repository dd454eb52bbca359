/**
 * Reads the plan of every statement that the tests send, on an installation that has grown: a million leads and five million
 * events, half of them in one team. Names each that reads more, the more there is (docs/tests.md, decision 0040).
 *   npm run plans                     runs the tests and makes the installation, which takes a quarter of an hour
 *   npm run plans -- --in <folder>    keeps both there and uses them again
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openGrown, type GrownInstallation } from '../../bench/support/grown.ts'
import { readCatalog } from './catalog.ts'
import { describeFinding, judgeFindings } from './exceptions.ts'
import { findAll } from './findings.ts'
import { pretendGrown } from './pretend-grown.ts'
import { readRecorded } from './recorder.ts'

const ROWS = 1_000_000
const say = (line: string) => process.stdout.write(`${line}\n`)

const { values: flags, positionals: tests } = parseArgs({
  options: { in: { type: 'string' } },
  allowPositionals: true,
})
const folder = flags.in ?? (await mkdtemp(join(tmpdir(), 'rapport-plans-')))
const recorded = join(folder, 'statements')
if (!existsSync(recorded)) await recordTests()
const grown = await openGrown(folder)
let isGood = false
try {
  isGood = await report(grown)
} finally {
  await grown.stop()
  if (!flags.in) await rm(folder, { recursive: true, force: true })
}
process.exitCode = isGood ? 0 : 1

async function recordTests(): Promise<void> {
  await mkdir(recorded, { recursive: true })
  const run = spawnSync('npm', ['test', '--', ...tests], {
    stdio: 'inherit',
    env: { ...process.env, TEST_STATEMENTS: recorded },
  })
  if (run.status !== 0) say('Some tests failed: the statements that they would have sent are not planned.')
}

async function report({ url, team_id }: GrownInstallation): Promise<boolean> {
  const statements = readRecorded(recorded)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    // Of what has no rows there, the planner gets statistics instead.
    await pretendGrown(client, { rows: ROWS, team: team_id })
    const findings = await findAll(client, statements, await readCatalog(client), team_id)
    const { unknown, unused } = judgeFindings(findings)
    for (const finding of unknown) say(`✗ ${describeFinding(finding)}`)
    // The others apply to statistics without data, which the test looks at.
    const gone = unused.filter(({ isRare }) => isRare)
    for (const { name, statement } of gone)
      say(`✗ The exception "${name}" no longer applies to: ${statement}`)
    const allowed = findings.length - unknown.length
    say(`${statements.length} statements, ${unknown.length} findings, ${allowed} allowed with a reason.`)
    return unknown.length === 0 && gone.length === 0
  } finally {
    await client.query('rollback')
    await client.end()
  }
}
