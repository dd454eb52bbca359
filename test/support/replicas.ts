import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, chown, cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { serverAccount, type Account } from '#adapters/postgres/account.ts'
import { findBinaries } from '#adapters/postgres/binaries.ts'
import { OWNER } from '#adapters/postgres/connection.ts'
import { initialise } from '#adapters/postgres/initialise.ts'
import { freePort } from './programs.ts'
import { eventually } from './eventually.ts'

export type Replicas = {
  /** Names both servers, whichever is the primary. */
  url: string
  primary: Replica
  standby: Replica
  close(): Promise<void>
}
export type Replica = {
  url: string
  query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>
  /** A standby becomes the primary, without waiting for anybody. */
  promote(): Promise<void>
  kill(): Promise<void>
}

/**
 * A primary and a standby that it waits for with every commit. The standby begins as a copy of the files from before the
 * first start, so that the embedded PostgreSQL is enough: it has no pg_basebackup.
 */
export async function startReplicas(): Promise<Replicas> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-replicas-'))
  await chmod(folder, 0o755)
  const account = await serverAccount(folder)
  const binaries = await findBinaries(folder, account)
  const [data, copy] = [join(folder, 'primary'), join(folder, 'standby')]
  await initialise({ folder: data, account, binaries, password: 'unused' })
  await writeFile(
    join(data, 'pg_hba.conf'),
    'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n',
  )
  const [port, standbyPort] = [await freePort(), await freePort()]
  await appendFile(join(data, 'postgresql.conf'), SETTINGS)
  await cp(data, copy, { recursive: true })
  await writeFile(join(copy, 'standby.signal'), '')
  await appendFile(
    join(copy, 'postgresql.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=${OWNER} application_name=standby'\n`,
  )
  if (account) await giveTo(account, copy)
  const start = (data: string, port: number) =>
    startServer({ program: binaries.postgres, account, data, port })
  const primary = await start(data, port)
  const standby = await start(copy, standbyPort)
  await eventually(async () => {
    const rows = await primary.query(`select from pg_stat_replication where state = 'streaming'`)
    if (rows.length !== 1) throw new Error('the standby does not follow')
  })
  await primary.query(`alter system set synchronous_standby_names = 'standby'`)
  await primary.query('select pg_reload_conf()')
  return {
    url: `postgres://${OWNER}@127.0.0.1:${port},127.0.0.1:${standbyPort}/postgres?target_session_attrs=read-write`,
    primary,
    standby,
    async close() {
      await Promise.all([primary.kill(), standby.kill()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
wal_keep_size = '1GB'
max_connections = 200
hot_standby = on
full_page_writes = off
`

async function giveTo({ uid, gid }: Account, folder: string): Promise<void> {
  await chown(folder, uid, gid)
  for (const entry of await readdir(folder, { recursive: true })) await chown(join(folder, entry), uid, gid)
}

type Start = { program: string; account: Account | undefined; data: string; port: number }

async function startServer({ program, account, data, port }: Start): Promise<Replica> {
  const child = spawn(program, ['-D', data, '-p', String(port)], {
    ...account,
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    stdio: 'ignore',
  })
  const url = `postgres://${OWNER}@127.0.0.1:${port}/postgres`
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(text)).rows as never
    } finally {
      await client.end()
    }
  }
  await eventually(() => query('select 1'))
  return {
    url,
    query,
    promote: async () => void (await query('select pg_promote(wait => true)')),
    kill: () => killHard(child),
  }
}

/** As a machine that loses its power: none of the server's processes says goodbye. */
async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
