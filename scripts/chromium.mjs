// The browser tests drive the system's Chromium. Run as a script, this finds one or installs it where that is possible.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MAC_APPS = ['Google Chrome', 'Chromium'].map(name => `/Applications/${name}.app/Contents/MacOS/${name}`)

export function findChromium() {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  if (CHROMIUM_PATH) return isProgram(CHROMIUM_PATH) ? CHROMIUM_PATH : undefined
  const folders = ['/usr/bin', ...PATH.split(delimiter)]
  return [...NAMES.flatMap(name => folders.map(folder => join(folder, name))), ...MAC_APPS].find(isProgram)
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) main()

function main() {
  if (findChromium()) return
  if (process.env.CHROMIUM_PATH) return fail(`CHROMIUM_PATH names no program: ${process.env.CHROMIUM_PATH}`)
  if (process.getuid?.() !== 0 || !isDebian()) {
    return fail(
      'The browser tests need Chromium, and none was found. Install it (on Debian: sudo apt-get install chromium), ' +
        'or set CHROMIUM_PATH to a Chromium or Chrome that is already there.',
    )
  }
  console.log('Installing Chromium for the browser tests (once) …')
  apt('update')
  apt('install', '--yes', '--no-install-recommends', 'chromium')
  if (!findChromium()) fail('Chromium was installed, but cannot be found: set CHROMIUM_PATH.')
}

// Ubuntu is left out on purpose: its package is a stub for a snap, which does not run in a container.
function isDebian() {
  try {
    return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
  } catch {
    return false
  }
}

function apt(...words) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status } = spawnSync('apt-get', ['-qq', ...words], { env, stdio: 'inherit' })
  if (status !== 0) fail(`Chromium could not be installed: \`apt-get ${words.join(' ')}\` failed.`)
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function fail(line) {
  console.error(line)
  process.exit(1)
}
