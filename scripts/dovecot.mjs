// The tests of mailboxes are tried at a real mail server as well: Dovecot. Run as a script, this installs it where that is possible.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apt, canInstall, isProgram } from './debian.mjs'

const PLACES = ['/usr/sbin/dovecot', '/usr/local/sbin/dovecot', '/opt/homebrew/sbin/dovecot']

export function findDovecot() {
  return PLACES.find(isProgram)
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) main()

function main() {
  if (findDovecot() || !canInstall(/^ID(?:_LIKE)?=.*debian/m)) return
  console.log('Installing Dovecot for the tests of mailboxes (once) …')
  apt('update')
  // Without it the tests run at the server of the tests alone.
  if (!apt('install', '--yes', '--no-install-recommends', 'dovecot-imapd') || !findDovecot())
    console.error('Dovecot could not be installed: mailboxes are not tried at a real server.')
}
