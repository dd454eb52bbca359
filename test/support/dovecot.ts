import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from './programs.ts'
import { eventually } from './eventually.ts'
import { IMAP_PASSWORD, IMAP_USER, imapUrl } from './imap-server.ts'

const PLACES = ['/usr/sbin/dovecot', '/usr/local/sbin/dovecot', '/opt/homebrew/sbin/dovecot']
/** The server lets nobody read mail as root: then it is the account that owns nothing. */
const NOBODY = 65_534

/** The program, where one is installed whose configuration is written as below. */
export function findDovecot(): string | undefined {
  const path = PLACES.find(place => existsSync(place))
  if (!path) return undefined
  return execFileSync(path, ['--version'], { encoding: 'utf8' }).startsWith('2.3.') ? path : undefined
}

/** A real mail server with one empty mailbox. */
export async function startDovecot(program: string) {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-dovecot-'))
  const port = await freePort()
  const isRoot = process.getuid?.() === 0
  const { uid, gid } = isRoot ? { uid: NOBODY, gid: NOBODY } : userInfo()
  const mailbox = join(folder, 'mail')
  for (const name of ['', 'cur', 'new', 'tmp']) {
    mkdirSync(join(mailbox, name), { recursive: true })
    chownSync(join(mailbox, name), uid, gid)
  }
  chmodSync(folder, 0o755)
  const password = Buffer.from(IMAP_PASSWORD).toString('base64')
  writeFileSync(join(folder, 'passwd'), `${IMAP_USER}:{PLAIN.B64}${password}:${uid}:${gid}::${folder}::\n`)
  const file = join(folder, 'dovecot.conf')
  writeFileSync(file, configuration(folder, port, isRoot ? undefined : userInfo().username))
  const server = spawn(program, ['-F', '-c', file], { stdio: 'ignore' })
  await eventually(async () => {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'data')
    } finally {
      socket.destroy()
    }
  })
  let delivered = 0
  return {
    url: imapUrl(port),
    async deliver(raw: string) {
      const name = `${Date.now()}.${++delivered}.test`
      const draft = join(mailbox, 'tmp', name)
      writeFileSync(draft, raw)
      chownSync(draft, uid, gid)
      renameSync(draft, join(mailbox, 'new', name))
    },
    async close() {
      server.kill()
      if (server.exitCode === null) await once(server, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function configuration(folder: string, port: number, account: string | undefined): string {
  return `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
first_valid_uid = 1
auth_failure_delay = 0
mail_location = maildir:${folder}/mail
${account ? `default_internal_user = ${account}\ndefault_login_user = ${account}\ndefault_internal_group = ` : ''}
passdb {
  driver = passwd-file
  args = ${folder}/passwd
}
userdb {
  driver = passwd-file
  args = ${folder}/passwd
}
service imap-login {
  ${account ? 'chroot =' : ''}
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  ${account ? 'chroot =' : ''}
}
`
}
