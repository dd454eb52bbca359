// The tests of a sharded installation need Citus, an extension of PostgreSQL. This starts a cluster from one that is installed:
// a coordinator and workers in a folder of their own. Run as a script, it runs one until Ctrl-C.
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { isProgram } from './debian.mjs'

export const CITUS_MISSING =
  'This machine has no Citus: install it from its packages (https://docs.citusdata.com/en/stable/installation/), ' +
  'or set CITUS_PG_BIN to the folder with the programs of a PostgreSQL that has it.'

const OWNER = 'rapport_owner'
const HOST = '127.0.0.1'
const START_TIMEOUT_MS = 60_000
const RETRY_MS = 50

/** The programs of a PostgreSQL that has the extension; undefined when there is none. */
export function findCitus() {
  const { CITUS_PG_BIN } = process.env
  const installed = CITUS_PG_BIN ? [CITUS_PG_BIN] : [...debianFolders(), ...redHatFolders(), pathFolder()]
  return installed.find(bin => bin && isProgram(join(bin, 'postgres')) && hasCitus(bin))
}

/**
 * A coordinator with so many workers. `settings` are those of every node; data need not survive a power failure unless they
 * say so.
 */
export async function startCitus({ workers = 2, settings = {} } = {}) {
  const bin = findCitus()
  if (!bin) throw new Error(CITUS_MISSING)
  const folder = mkdtempSync(join(tmpdir(), 'rapport-citus-'))
  const account = serverAccount()
  if (account) chownSync(folder, account.uid, account.gid)
  const nodes = []

  async function startNode() {
    const node = makeNode({ bin, folder: join(folder, `node-${nodes.length}`), account, settings })
    nodes.push(node)
    await node.start()
    return node
  }

  const cluster = {
    nodes,
    get coordinator() {
      return nodes[0]
    },
    /** A database that all nodes share, empty but for the extension. */
    async createDatabase(name) {
      await Promise.all(nodes.map(node => node.createDatabase(name)))
      await cluster.coordinator.run(
        name,
        `select citus_set_coordinator_host('${HOST}', ${cluster.coordinator.port})`,
      )
      for (const node of nodes.slice(1)) await cluster.addToDatabase(name, node)
      return cluster.coordinator.url(name)
    },
    async addToDatabase(name, node) {
      await cluster.coordinator.run(name, `select citus_add_node('${HOST}', ${node.port})`)
    },
    /** One more node; it holds nothing until shards are moved to it. */
    async addNode(name) {
      const node = await startNode()
      await node.createDatabase(name)
      await cluster.addToDatabase(name, node)
      return node
    },
    async stop() {
      await Promise.all(nodes.map(node => node.stop()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    await Promise.all(Array.from({ length: workers + 1 }, startNode))
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return cluster
}

function makeNode({ bin, folder, account, settings }) {
  let server
  let ended
  const node = {
    port: 0,
    get pid() {
      return server?.pid
    },
    url: (database, user = OWNER) => `postgres://${user}@${HOST}:${node.port}/${database}`,
    /** `extra` settings hold until the next start. */
    async start(extra = {}) {
      if (!existsSync(folder)) {
        const made = spawnSync(
          join(bin, 'initdb'),
          ['-D', folder, '-U', OWNER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
          { ...account, cwd: '/', encoding: 'utf8' },
        )
        if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error}`)
      }
      node.port ||= await freePort()
      const all = { ...SETTINGS, port: node.port, ...settings, ...extra }
      const words = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
      server = spawn(join(bin, 'postgres'), ['-D', folder, ...words], {
        ...account,
        cwd: folder,
        // Nodes connect to each other: not with the certificates and passwords of the person who starts them.
        env: { PATH: process.env.PATH, HOME: folder, TMPDIR: tmpdir() },
        stdio: 'ignore',
      })
      ended = new Promise(done => void server.once('exit', done))
      // Who is stopped in the middle leaves no servers running.
      const started = server
      const endWithUs = () => started.kill('SIGQUIT')
      process.once('exit', endWithUs)
      started.once('exit', () => process.off('exit', endWithUs))
      await reachable(node)
    },
    async run(database, text) {
      const client = new pg.Client({ connectionString: node.url(database) })
      await client.connect()
      try {
        return (await client.query(text)).rows
      } finally {
        await client.end()
      }
    },
    async createDatabase(name) {
      await node.run('postgres', `create database "${name}"`)
      await node.run(name, 'create extension citus')
    },
    /** As a power failure does, but for the disk. */
    async kill() {
      server.kill('SIGQUIT')
      await ended
    },
    async stop() {
      if (!server || server.exitCode !== null || server.signalCode !== null) return
      server.kill('SIGINT')
      await ended
    },
  }
  return node
}

const SETTINGS = {
  listen_addresses: HOST,
  unix_socket_directories: '',
  shared_preload_libraries: 'citus',
  'citus.local_hostname': HOST,
  'citus.node_conninfo': 'sslmode=disable',
  'citus.enable_statistics_collection': 'off',
  // To move shards while they are written to.
  wal_level: 'logical',
  max_prepared_transactions: 300,
  max_connections: 300,
  max_wal_senders: 20,
  max_replication_slots: 20,
  max_worker_processes: 40,
  logging_collector: 'off',
  log_min_messages: 'fatal',
  fsync: 'off',
  full_page_writes: 'off',
}

async function reachable(node) {
  const until = Date.now() + START_TIMEOUT_MS
  for (;;) {
    try {
      return await node.run('postgres', 'select 1')
    } catch (error) {
      if (Date.now() > until || node.pid === undefined) throw error
      await new Promise(done => void setTimeout(done, RETRY_MS))
    }
  }
}

function hasCitus(bin) {
  const version = /(\d+)\/bin$/.exec(bin)?.[1]
  const shares = [sharePath(bin), join(bin, '../share'), `/usr/share/postgresql/${version}`]
  return shares.some(share => share && existsSync(join(share, 'extension', 'citus.control')))
}

function sharePath(bin) {
  const { stdout } = spawnSync(join(bin, 'pg_config'), ['--sharedir'], { encoding: 'utf8' })
  return stdout?.trim()
}

function pathFolder() {
  return spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim()
}

function debianFolders() {
  return newestFirst('/usr/lib/postgresql').map(version => `/usr/lib/postgresql/${version}/bin`)
}

function redHatFolders() {
  return newestFirst('/usr')
    .filter(name => name.startsWith('pgsql-'))
    .map(name => `/usr/${name}/bin`)
}

function newestFirst(folder) {
  return existsSync(folder) ? readdirSync(folder).toSorted((a, b) => parseInt(b) - parseInt(a)) : []
}

/** PostgreSQL does not run as root. */
function serverAccount() {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
  const found = ['postgres', 'nobody'].map(wanted => accounts.find(([name]) => name === wanted)).find(Boolean)
  if (!found)
    throw new Error('PostgreSQL cannot run as root, and there is no `postgres` or `nobody` account.')
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

function freePort() {
  return new Promise(done => {
    const server = createServer().listen(0, HOST, () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await main()

async function main() {
  if (!findCitus()) {
    console.error(CITUS_MISSING)
    process.exitCode = 1
    return
  }
  const cluster = await startCitus({ settings: { fsync: 'on', full_page_writes: 'on' } })
  const url = await cluster.createDatabase('rapport')
  console.log(
    `A coordinator and ${cluster.nodes.length - 1} workers are running.\n\n  DATABASE_URL=${url}\n\nCtrl-C stops them.`,
  )
  await new Promise(done => process.once('SIGINT', done).once('SIGTERM', done))
  await cluster.stop()
}
