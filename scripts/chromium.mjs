// The browser tests drive the system's Chromium. Run as a script, this finds one or installs it where that is possible.
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apt, canInstall, fail, isProgram } from './debian.mjs'

// The shell first: it has no windows of its own to draw, and the tests take a quarter less time in it.
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const PACKAGES = ['chromium-headless-shell', 'chromium']
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
  // Ubuntu is left out on purpose: its package is a stub for a snap, which does not run in a container.
  if (!canInstall(/^ID=debian$/m)) {
    return fail(
      'The browser tests need Chromium, and none was found. Install it (on Debian: sudo apt-get install chromium), ' +
        'or set CHROMIUM_PATH to a Chromium or Chrome that is already there.',
    )
  }
  console.log('Installing Chromium for the browser tests (once) …')
  apt('update')
  // Not every release has the shell.
  PACKAGES.some(name => apt('install', '--yes', '--no-install-recommends', name))
  if (!findChromium()) fail('Chromium could not be installed, or cannot be found: set CHROMIUM_PATH.')
}
