// Everything that is checked besides the tests, one line each. All of it runs even when something fails early, so that
// one run shows all there is to mend.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024

const checks = [
  { name: 'types, server', command: 'tsc -p tsconfig.json' },
  { name: 'types, web', command: 'tsc -p src/web', needs: 'src/web/tsconfig.json' },
  { name: 'lint', command: 'oxlint' },
  { name: 'format', command: 'oxfmt --check' },
  { name: 'tidy, words', command: 'vitest run test/tidy.test.ts test/words.test.ts' },
  { name: 'openapi', command: 'node scripts/openapi.ts --check', needs: 'scripts/openapi.ts' },
  { name: 'openapi lint', command: 'node scripts/lint-openapi.mjs' },
  { name: 'bundle', command: 'node scripts/bundle-budget.mjs', needs: 'scripts/bundle-budget.mjs' },
]

const failed = checks.filter(check => !passes(check))
if (failed.length > 0) console.error(`\nFailed: ${failed.map(({ name }) => name).join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0

function passes({ name, command, needs }) {
  if (needs && !existsSync(join(ROOT, needs))) return report(name, '–', `no ${needs}`)
  const started = performance.now()
  const [program, ...words] = command.split(' ')
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd: ROOT,
    env: environment(),
    encoding: 'utf8',
    maxBuffer: OUTPUT_MAX_BYTES,
  })
  report(name, status === 0 ? '✓' : '✗', `${((performance.now() - started) / 1000).toFixed(1)} s`)
  if (status !== 0) console.log(`\n${error?.message ?? ''}${stdout}${stderr}`)
  return status === 0
}

function report(name, sign, remark) {
  console.log(`${sign} ${name.padEnd(14)} ${remark}`)
  return true
}

/** The pinned Node and the installed tools come first, whatever started this script. */
function environment() {
  return { ...process.env, PATH: [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter) }
}
