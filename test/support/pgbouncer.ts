import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { serverAccount } from '#adapters/postgres/account.ts'
import { throughPooler } from '#platform/database/pooler.ts'
import { findProxy } from '../../scripts/proxies.mjs'
import { freePort } from './programs.ts'
import { eventually } from './eventually.ts'

const CONNECTIONS = 3

export type PgBouncer = { url: string; connections: number; close(): Promise<void> }

/** Debian's PgBouncer in transaction mode, as docs/deploy.md configures it: it asks the server for passwords. */
export async function startPgBouncer(ownerUrl: string, port?: number): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-pgbouncer-'))
  const account = await serverAccount(folder)
  const listening = port ?? (await freePort())
  const owner = new pg.Client({ connectionString: ownerUrl })
  const file = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'userlist.txt')
  await writeFile(users, `"${owner.user}" "${owner.password ?? ''}"\n`)
  await writeFile(
    file,
    `[databases]
* = host=${owner.host} port=${owner.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listening}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
auth_user = ${owner.user}
pool_mode = transaction
default_pool_size = ${CONNECTIONS}
server_connect_timeout = 2
server_login_retry = 1
`,
  )
  if (account) for (const path of [folder, file, users]) await chown(path, account.uid, account.gid)
  await chmod(folder, 0o755)
  const child = spawn(findProxy('pgbouncer')!, [file], { ...account, cwd: '/', stdio: 'ignore' })
  const url = `postgres://127.0.0.1:${listening}/${owner.database}`
  await eventually(async () => {
    const client = new pg.Client({ connectionString: throughPooler(ownerUrl, url) })
    await client.connect()
    await client.end()
  })
  return {
    url,
    connections: CONNECTIONS,
    async close() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
