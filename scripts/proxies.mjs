// The tests of several machines put real proxies between the processes: HAProxy and PgBouncer. Run as a script, this finds
// them or installs them where that is possible; the tests that need them say so where they are missing.
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apt, canInstall, isProgram } from './debian.mjs'

const programs = ['haproxy', 'pgbouncer']

/** `HAPROXY_PATH` and `PGBOUNCER_PATH` name another program. */
export function findProxy(name) {
  const { PATH = '', [`${name.toUpperCase()}_PATH`]: given } = process.env
  if (given) return isProgram(given) ? given : undefined
  const folders = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin', ...PATH.split(delimiter)]
  return folders.map(folder => join(folder, name)).find(isProgram)
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) main()

function main() {
  const missing = programs.filter(name => !findProxy(name))
  if (missing.length === 0) return
  const words = missing.join(' and ')
  if (!canInstall(/^ID(?:_LIKE)?=.*debian/m)) {
    console.log(
      `Without ${words} the tests of several machines are left out (Debian: apt-get install ${missing.join(' ')}).`,
    )
    return
  }
  console.log(`Installing ${words} for the tests of several machines (once) …`)
  apt('update')
  apt('install', '--yes', '--no-install-recommends', ...missing)
}
