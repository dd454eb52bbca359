// The tests of calendars write into a real one: Radicale. Run as a script, this finds it or installs it where that is possible.
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apt, canInstall, fail, isProgram } from './debian.mjs'

export function findRadicale() {
  const { RADICALE_PATH, PATH = '' } = process.env
  if (RADICALE_PATH) return isProgram(RADICALE_PATH) ? RADICALE_PATH : undefined
  const folders = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', ...PATH.split(delimiter)]
  return folders.map(folder => join(folder, 'radicale')).find(isProgram)
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) main()

function main() {
  if (findRadicale()) return
  if (process.env.RADICALE_PATH) return fail(`RADICALE_PATH names no program: ${process.env.RADICALE_PATH}`)
  if (!canInstall(/^ID(?:_LIKE)?=.*debian/m)) {
    return fail(
      'The tests of calendars need Radicale, and none was found. Install it (on Debian and Ubuntu: sudo apt-get install ' +
        'radicale; elsewhere: pipx install radicale), or set RADICALE_PATH to the program where it is already there.',
    )
  }
  console.log('Installing Radicale for the tests of calendars (once) …')
  apt('update')
  apt('install', '--yes', '--no-install-recommends', 'radicale')
  if (!findRadicale()) fail('Radicale could not be installed, or cannot be found: set RADICALE_PATH.')
}
