import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '#adapters/postgres/embedded.ts'
import { client, type Client, type Reply } from '#test/client.ts'
import { rapport, rapportHere, startRapport, type RunningRapport } from '#test/command-line.ts'
import { databaseUrl } from '#test/postgres.ts'
import { expectProblem } from '#test/problem.ts'
import { freePort } from '#test/programs.ts'
import { tell } from '#test/provider.ts'
import { full, further } from '#test/tier.ts'
import { webhookSecret } from '#test/webhook-secret.ts'

// Real processes that are really killed: each test takes seconds.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const LEADS = '/api/crm/leads'
const MIGRATIONS = readdirSync(new URL('../../migrations', import.meta.url)).toSorted()
const ROUNDS = Array.from({ length: full ? 6 : 1 }, (_, n) => n + 1)
const WRITERS = full ? 8 : 4
const TELLERS = full ? 3 : 2
const WRITER_PAUSE_MS = full ? 3 : 10
const WRITTEN = 20
const TOLD = 6
const PATIENCE = { timeout: 30_000, interval: 20 }
/** The full tier checks the promise itself. A busy machine is slower, and without the limits nothing would ever end. */
const SLOWER = full ? 1 : 3

// One folder for the whole file, in the order of the tests: to create a database takes longer than most of them.
const dataDir = await makeFolder()
const env = { DATA_DIR: dataDir, RATE_LIMIT: 'off', VOICE_WEBHOOK_SECRET: webhookSecret('voice') }
let key: string

// The first command makes the schema. One that is there already brings no demo along, which nobody needs here.
beforeAll(async () => void (key = await newKey(env)))
afterAll(() => removeFolder(dataDir))

describe('real processes', { shuffle: false }, () => {
  further('two first starts on one empty folder share one database', async () => {
    const folder = await makeFolder()
    onTestFinished(() => removeFolder(folder))
    const here = { ...env, DATA_DIR: folder }
    const products = await Promise.all([startRapport(here), startRapport(here)])
    const ours = await newKey(here)
    const [one, other] = products.map(({ url }) => callerOf(url, ours))
    const { body } = await one!.post(LEADS, { first_name: 'Shared' })
    expect((await other!.get(`${LEADS}/${body.id}`)).body).toEqual(body)
    for (const product of products) product.process.kill('SIGTERM')
    const ends = await Promise.all(products.map(({ ended }) => ended))
    expect(ends.map(({ code }) => code)).toEqual([0, 0])
  })

  further('four processes that migrate one empty database apply each step once', async () => {
    const server = inject('postgresUrl')
    const name = `test_faults_${process.pid}`
    await queryOnce(server, `create database ${name}`)
    onTestFinished(() => queryOnce(server, `drop database if exists ${name} with (force)`).then(() => {}))
    const url = databaseUrl(server, name)
    const migrate = async () => (await rapport(['migrate'], { ...env, DATABASE_URL: url })).out
    const outputs = await Promise.all(Array.from({ length: 4 }, migrate))
    const applied = outputs.flatMap(text => [...text.matchAll(/\d{4}_\w+\.sql/g)].map(([file]) => file))
    expect(applied.toSorted()).toEqual(MIGRATIONS)
    expect(await queryOnce(url, 'select from schema_migrations')).toHaveLength(MIGRATIONS.length)
  })

  describe('kill -9 while leads are written and events come in', () => {
    let port: number
    let product: RunningRapport
    let writers: Writers
    let provider: Writers

    beforeAll(async () => {
      port = await freePort()
      product = await startRapport(env, { port })
      const caller = callerOf(product.url)
      writers = startWriters(WRITERS, name => insist(caller, name))
      provider = startWriters(TELLERS, name => insistOnEvent(product.url, name))
    })
    afterAll(async () => {
      product.process.kill('SIGTERM')
      await product.ended
    })

    test.for(ROUNDS)(
      'of the process, round %i: nothing acknowledged is lost, the next start is clean',
      async round => {
        await acknowledge()
        await sleep((round * 37) % 100)
        product.process.kill('SIGKILL')
        await product.ended
        product = await startRapport(env, { port })
        expect(product.said.out).not.toMatch(/"level":(50|60)/)
        await expectNothingLost()
      },
    )

    test.for(ROUNDS)(
      'of the database, round %i: nothing acknowledged is lost, the process goes on',
      async round => {
        await acknowledge()
        await sleep((round * 37) % 100)
        await killDatabase()
        // And once more while everybody is coming back.
        await sleep((round * 7) % 30)
        await killDatabase()
        await acknowledge()
        expect(product.process.exitCode).toBeNull()
        await expectNothingLost()
      },
    )

    test('in the end each lead exists once, however often its writer had to ask', async () => {
      const ids = await writers.stop()
      expect(ids.length).toBeGreaterThanOrEqual(ROUNDS.length * 3 * WRITTEN)
      const ours = "select id from leads where source = 'faults'"
      const rows = await query(ours)
      expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      const events = `select from events where type = 'lead.created' and lead_id in (${ours})`
      expect(await query(events)).toHaveLength(ids.length)
    })

    test('in the end each event came in once, and was told once', async () => {
      const told = await provider.stop()
      expect(told.length).toBeGreaterThanOrEqual(ROUNDS.length * 3 * TOLD)
      const recorded = `select data ->> 'eventId' as id from events where type = 'webhook:call_ended'`
      await expect
        .poll(async () => (await query(recorded)).map(({ id }) => id).toSorted(), PATIENCE)
        .toEqual(told.toSorted())
      expect(await query(`select from inbound_events`)).toHaveLength(told.length)
    })

    async function acknowledge(): Promise<void> {
      await Promise.all([writers.acknowledge(WRITTEN), provider.acknowledge(TOLD)])
    }

    /** Answers when another server has taken the place of the killed one. */
    async function killDatabase(): Promise<void> {
      const { pid } = (await findEmbeddedPostgres(dataDir))!
      process.kill(pid, 'SIGKILL')
      const current = async () => (await findEmbeddedPostgres(dataDir))?.pid ?? pid
      await expect.poll(current, PATIENCE).not.toBe(pid)
    }

    /** Straight from the table, each with the event that was committed with it. */
    async function expectNothingLost(): Promise<void> {
      const ids = writers.acknowledged()
      const lost = await query(
        `select given.id from unnest($1::text[]) as given (id)
       where not exists (select from leads where leads.id = given.id)
          or not exists (select from events where events.lead_id = given.id and type = 'lead.created')`,
        [ids],
      )
      expect(lost, `of ${ids.length} acknowledged`).toEqual([])
      const told = provider.acknowledged()
      const events = await query('select event_id from inbound_events where event_id = any($1::text[])', [
        told,
      ])
      expect(events).toHaveLength(told.length)
    }

    async function query(text: string, values: unknown[] = []) {
      const server = await findEmbeddedPostgres(dataDir)
      return queryOnce(server!.url, text, values)
    }
  })

  describe('a database that goes away', () => {
    const AWAY_MS = full ? 10_000 : 1_500
    const RECOVERY_MS = 5_000 * SLOWER
    const ANSWER_MS = 6_000 * SLOWER

    test('for seconds costs 503s that say when to come back, and no restart', async () => {
      let server = await startEmbeddedPostgres({ dataDir, log: () => {} })
      const product = await startRapport({ ...env, DATABASE_URL: server.url })
      onTestFinished(async () => {
        product.process.kill('SIGTERM')
        await product.ended
        await server.stop()
      })
      const caller = callerOf(product.url)
      const watching = watch(caller)
      await sleep(500)

      await server.stop()
      const away = performance.now()
      while (performance.now() - away < AWAY_MS) {
        const asked = performance.now()
        for (const reply of [await caller.get(LEADS), await caller.post(LEADS, { first_name: 'Later' })]) {
          expectProblem(reply, 503, 'database_unavailable')
          expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
        }
        expect(performance.now() - asked).toBeLessThan(ANSWER_MS)
        expect((await caller.get('/readyz')).status).toBe(503)
        expect((await caller.get('/healthz')).status).toBe(200)
        await sleep(250)
      }

      server = await startEmbeddedPostgres({ dataDir, log: () => {} })
      const back = async () => (await caller.post(LEADS, { first_name: 'Back' })).status
      await expect.poll(back, { timeout: RECOVERY_MS }).toBe(201)
      expect((await caller.get('/readyz')).status).toBe(200)
      expect(product.process.exitCode).toBeNull()
      // Nobody saw anything but success or a 503, not even those whose request was under way at the moment.
      const statuses = await watching.stop()
      expect(statuses).toContain(201)
      expect([...statuses].filter(status => ![200, 201, 503].includes(status))).toEqual([])
    })
  })

  describe('SIGTERM', () => {
    const EXIT_MS = 10_000 * SLOWER

    test('answers what is in hand, takes nothing new, and ends with 0 in time', async () => {
      const product = await startRapport(env)
      const caller = callerOf(product.url)
      expect((await caller.post(LEADS, { first_name: 'Before' })).status).toBe(201)
      // One who listens, one who only trickles: neither may hold up the end.
      const listening = await fetch(`${product.url}/api/live`, { headers: caller.headers })
      const { hostname, port } = new URL(product.url)
      const trickling = connect(Number(port), hostname).on('error', () => {})
      trickling.write(`POST ${LEADS} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nAuthorization: `)

      // The table is held, so that eight requests are surely under way when the signal comes.
      const { url } = (await findEmbeddedPostgres(dataDir))!
      const holder = new pg.Client({ connectionString: url })
      await holder.connect()
      await holder.query('begin; lock table leads in exclusive mode')
      const inHand = Array.from({ length: 8 }, (_, n) => caller.post(LEADS, { first_name: `In hand ${n}` }))
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into "leads"%'`
      await expect.poll(() => queryOnce(url, waiting), PATIENCE).toHaveLength(8)
      const signalled = performance.now()
      product.process.kill('SIGTERM')
      await expect.poll(() => isOpen(product.url), PATIENCE).toBe(false)
      await holder.query('commit')
      await holder.end()

      const replies = await Promise.all(inHand)
      expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201))
      expect(await product.ended).toEqual({ code: 0, signal: null })
      expect(performance.now() - signalled).toBeLessThan(EXIT_MS)
      expect(await listening.text()).toContain('retry:')
      expect(product.said.out).not.toMatch(/"level":(50|60)/)
    })
  })
})

async function newKey(env: Record<string, string>): Promise<string> {
  const words = ['token', '--email', 'a@example.test', '--scope', 'leads:read leads:write']
  return (await rapportHere(words, env)).out.trim()
}

function callerOf(url: string, by = key): Client {
  return client(url, { authorization: `Bearer ${by}` })
}

type Writers = {
  /** Waits until this many more leads were acknowledged. */
  acknowledge(more: number): Promise<void>
  acknowledged(): string[]
  /** Answers all ids once every writer has got its last answer. */
  stop(): Promise<string[]>
}

/** Eight that write leads nearly without pause, and ask again by the same key for whatever was not answered. */
function startWriters(count: number, insist: (name: string) => Promise<string>): Writers {
  const ids: string[] = []
  let stopping = false
  let asked = 0
  const write = async (): Promise<void> => {
    while (!stopping) {
      ids.push(await insist(`writing-${++asked}`))
      await sleep(WRITER_PAUSE_MS)
    }
  }
  const running = Promise.all(Array.from({ length: count }, write))
  running.catch(() => {})
  return {
    async acknowledge(more) {
      const wanted = ids.length + more
      const enough = async () => {
        while (ids.length < wanted) await sleep(WRITER_PAUSE_MS)
      }
      await Promise.race([enough(), running])
    },
    acknowledged: () => [...ids],
    async stop() {
      stopping = true
      await running
      return ids
    },
  }
}

/** Until it is answered with success: a lost connection, a 503 or a 409 say to ask again, everything else is wrong. */
async function insist(caller: Client, name: string): Promise<string> {
  for (;;) {
    const lead = { first_name: name, source: 'faults' }
    const reply = await caller
      .post(LEADS, lead, { 'idempotency-key': name })
      .catch((): undefined => undefined)
    if (reply?.status === 201) return reply.body.id as string
    if (reply && ![409, 503].includes(reply.status))
      throw new Error(`a writer was told ${reply.status} ${reply.text}`)
    await sleep(20)
  }
}

/** A provider sends an event again until it is taken. */
async function insistOnEvent(url: string, eventId: string): Promise<string> {
  for (;;) {
    const event = { eventId, type: 'call_ended', data: { durationSec: 200 } }
    const reply = await tell(url, 'voice', event).catch((): undefined => undefined)
    if (reply?.status === 200) return eventId
    if (reply && reply.status !== 503) throw new Error(`a provider was told ${reply.status} ${reply.text}`)
    await sleep(20)
  }
}

/** Somebody who never stops asking, through thick and thin. */
function watch(caller: Client) {
  const statuses = new Set<number>()
  let stopping = false
  const ask = async (request: () => Promise<Reply>) => {
    while (!stopping) {
      statuses.add((await request()).status)
      await sleep(5)
    }
  }
  const running = Promise.all([
    ask(() => caller.get(LEADS)),
    ask(() => caller.post(LEADS, { first_name: 'Watch' })),
    ask(() => caller.post(LEADS, { first_name: 'Watch' }, { 'idempotency-key': 'watch' })),
  ])
  return {
    async stop() {
      stopping = true
      await running
      return statuses
    },
  }
}

async function queryOnce(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

async function isOpen(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
  const open = await promise
  socket.destroy()
  return open
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}

/** Open to the account that runs PostgreSQL when the tests run as root. */
async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'rapport-faults-')))
  await chmod(folder, 0o755)
  return folder
}
