// Lints openapi.json, or the file named as the last word, with Redocly and Spectral. They bring hundreds of packages that
// nothing else needs, so they have a lock file of their own and are installed here on first use.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'openapi-lint')
const STAMP = join(FOLDER, 'node_modules', '.installed')
/** Neither tells anybody about us, nor asks for newer versions. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

const file = resolve(process.argv[2] ?? join(FOLDER, '..', '..', 'openapi.json'))
install()
const results = [
  lint('redocly', ['lint', file, '--config', join(FOLDER, 'redocly.yaml')]),
  lint('spectral', ['lint', file, '--ruleset', join(FOLDER, 'spectral.yaml'), '--fail-severity', 'hint']),
]
process.exitCode = results.every(Boolean) ? 0 : 1

function install() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(FOLDER, 'package-lock.json')))
    .digest('hex')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', words, { cwd: FOLDER, stdio: 'inherit' })
  if (status !== 0) {
    console.error('The linters could not be installed: is there a network connection?')
    process.exit(1)
  }
  writeFileSync(STAMP, wanted)
}

function lint(program, words) {
  const { status } = spawnSync(join(FOLDER, 'node_modules', '.bin', program), words, {
    cwd: FOLDER,
    env: { ...process.env, ...QUIET },
    stdio: 'inherit',
  })
  return status === 0
}
