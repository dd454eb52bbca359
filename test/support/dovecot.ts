import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findDovecot as findProgram } from '../../scripts/dovecot.mjs'
import { freePort } from './programs.ts'
import { eventually } from './eventually.ts'
import { IMAP_PASSWORD, IMAP_USER, imapUrl } from './imap-server.ts'

/** The server lets nobody read mail as root: then it is the account that owns nothing. */
const NOBODY = 65_534

/** The program, where one is installed whose configuration is written as below. */
export function findDovecot(): string | undefined {
  const path = findProgram()
  if (!path) return undefined
  return execFileSync(path, ['--version'], { encoding: 'utf8' }).startsWith('2.3.') ? path : undefined
}

/** `userinfo`: where it asks whose token it was shown; without that it takes the password only. */
type Options = { userinfo?: string }

/** A real mail server with one mailbox, which has an empty inbox and a folder for sent mails. */
export async function startDovecot(program: string, { userinfo }: Options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-dovecot-'))
  const port = await freePort()
  const tlsPort = await freePort()
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
  writeFileSync(
    join(folder, 'oauth2'),
    `introspection_mode = auth\nintrospection_url = ${userinfo}\nusername_attribute = email\nactive_attribute = active\nactive_value = true\n`,
  )
  writeFileSync(
    file,
    configuration(folder, { port, tlsPort }, isRoot ? undefined : userInfo().username, userinfo),
  )
  // A group of its own, so that all of its processes can be ended at once.
  const server = spawn(program, ['-F', '-c', file], { stdio: 'ignore', detached: true })
  async function end(signal: () => unknown): Promise<void> {
    if (server.exitCode === null && server.signalCode === null) {
      signal()
      await once(server, 'exit')
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
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
    port,
    tlsPort,
    async deliver(raw: string) {
      const name = `${Date.now()}.${++delivered}.test`
      const draft = join(mailbox, 'tmp', name)
      writeFileSync(draft, raw)
      chownSync(draft, uid, gid)
      renameSync(draft, join(mailbox, 'new', name))
    },
    /** What is in a folder: the flags of each mail and its bytes. */
    mailsIn(name: string) {
      const path = name === 'INBOX' ? mailbox : join(mailbox, `.${name}`)
      return ['cur', 'new'].flatMap(part => {
        const names = existsSync(join(path, part)) ? readdirSync(join(path, part)) : []
        return names.map(file => ({
          flags: file.split(':2,')[1] ?? '',
          bytes: readFileSync(join(path, part, file)),
        }))
      })
    },
    /** As an operator stops it: it says goodbye to who is connected, and takes a second for the rest. */
    stop: () => end(() => server.kill()),
    close: () => end(() => process.kill(-server.pid!, 'SIGKILL')),
  }
}

const certificate = (name: string) => fileURLToPath(new URL(`./certificate/${name}`, import.meta.url))

function configuration(
  folder: string,
  { port, tlsPort }: { port: number; tlsPort: number },
  account: string | undefined,
  userinfo: string | undefined,
): string {
  return `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <${certificate('certificate.pem')}
ssl_key = <${certificate('key.pem')}
disable_plaintext_auth = no
auth_mechanisms = plain login${userinfo ? ' xoauth2' : ''}
first_valid_uid = 1
auth_failure_delay = 0
mail_location = maildir:${folder}/mail
namespace inbox {
  inbox = yes
  mailbox "Gesendete Objekte" {
    auto = create
    special_use = \\Sent
  }
}
${account ? `default_internal_user = ${account}\ndefault_login_user = ${account}\ndefault_internal_group = ` : ''}
${
  userinfo
    ? `passdb {
  driver = oauth2
  mechanisms = xoauth2
  args = ${folder}/oauth2
}`
    : ''
}
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
    address = localhost
    port = ${tlsPort}
  }
}
# Without its count of failed logins, by which it lets who failed before wait for seconds.
service anvil {
  ${account ? 'chroot =' : ''}
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
`
}
