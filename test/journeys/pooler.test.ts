import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { throughPooler } from '#platform/database/pooler.ts'
import { webhookSecret } from '#test/webhook-secret.ts'
import { client, type Client } from '#test/client.ts'
import { rapportHere, startRapport, type RunningRapport } from '#test/command-line.ts'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { eventually } from '#test/eventually.ts'
import { inOrder } from '#test/in-order.ts'
import { startPgBouncer, type PgBouncer } from '#test/pgbouncer.ts'
import { tell } from '#test/provider.ts'
import { findProxy } from '../../scripts/proxies.mjs'

// A real process behind a real pooler.

const LEADS = '/api/crm/leads'

describe.skipIf(!findProxy('pgbouncer'))('behind PgBouncer in transaction mode (scripts/proxies.mjs)', () => {
  inOrder()
  let database: TestDatabase
  let dataDir: string
  let pooler: PgBouncer
  let product: RunningRapport
  let caller: Client
  beforeAll(async () => {
    database = await createDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'rapport-pooler-'))
    pooler = await startPgBouncer(database.url)
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      DATABASE_LOGIN_URL: database.loginUrl,
      DATABASE_POOLER_URL: pooler.url,
      RATE_LIMIT: 'off',
      VOICE_WEBHOOK_SECRET: webhookSecret('voice'),
    }
    const words = ['token', '--email', 'a@example.test', '--scope', 'leads:read leads:write']
    const made = await rapportHere(words, env)
    expect(made.code, made.err).toBe(0)
    product = await startRapport(env)
    caller = client(product.url, { authorization: `Bearer ${made.out.trim()}` })
  })
  afterAll(async () => {
    product?.process.kill('SIGTERM')
    await product?.ended
    await pooler?.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  test('the application works in its own role, with its own settings, on few connections', async () => {
    const pooled = new pg.Client({ connectionString: throughPooler(database.loginUrl, pooler.url) })
    await pooled.connect()
    const { rows } = await pooled.query(
      `select current_user::text as role, current_setting('timezone') as timezone,
         current_setting('statement_timeout') as timeout, current_setting('client_min_messages') as messages`,
    )
    await pooled.end()
    expect(rows).toEqual([{ role: 'rapport_app', timezone: 'UTC', timeout: '30s', messages: 'warning' }])
  })

  test('fifty requests at once share three connections, and each sees its own team', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) => caller.post(LEADS, { first_name: `Pooled ${n}` })),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    const found = await caller.get(`${LEADS}?q=Pooled&limit=100`)
    expect(found.body.data).toHaveLength(50)
    const used = await database.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and usename like '%login' and application_name not like 'rapport%'`,
    )
    expect(used[0]!.count).toBeLessThanOrEqual(pooler.connections)
  })

  test('the same statements again and again, mixed with ones that fail', async () => {
    const { body } = await caller.post(LEADS, { first_name: 'Again', email: 'again@example.test' })
    for (let n = 0; n < 20; n++) {
      const [read, changed, refused] = await Promise.all([
        caller.get(`${LEADS}/${body.id}`),
        caller.patch(`${LEADS}/${body.id}`, { last_name: `Round ${n}` }),
        caller.patch(`${LEADS}/${body.id}`, { account_id: '0123456789abcdef01234567' }),
      ])
      expect([read.status, changed.status]).toEqual([200, 200])
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(refused.status).toBeLessThan(500)
    }
    expect((await caller.get(`${LEADS}/${body.id}`)).body.last_name).toBe('Round 19')
  })

  test('jobs run, and live updates arrive', async () => {
    const reader = (await fetch(`${product.url}/api/live`, { headers: caller.headers })).body!.getReader()
    await tell(product.url, 'voice', { eventId: 'pooled-1', type: 'call_ended', data: { durationSec: 60 } })
    await eventually(async () => {
      const effect = `select from events where type = 'webhook:call_ended' and data ->> 'eventId' = 'pooled-1'`
      expect(await database.query(effect)).toHaveLength(1)
    })
    const { body } = await caller.post(LEADS, { first_name: 'Live' })
    let text = ''
    while (!text.includes(body.id)) text += Buffer.from((await reader.read()).value!).toString()
    await reader.cancel()
  })

  test('nothing of it was logged as an error', () => {
    expect(product.said.out.split('\n').filter(line => /"level":(50|60)/.test(line))).toEqual([])
  })

  test('a table that changes its shape is read again at once', async () => {
    await database.query('alter table leads add column later text')
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => (await caller.get(LEADS)).status),
    )
    // As with direct connections, a connection may notice once.
    await database.query('alter table leads drop column later')
    expect(statuses.filter(status => status === 200).length).toBeGreaterThan(0)
    await eventually(async () => {
      const again = await Promise.all(
        Array.from({ length: 12 }, async () => (await caller.get(LEADS)).status),
      )
      expect(again).toEqual(again.map(() => 200))
    })
  })

  test('a pooler that goes away and comes back costs 503s and no restart', async () => {
    const port = Number(new URL(pooler.url).port)
    await pooler.close()
    expect((await caller.get(LEADS)).status).toBe(503)
    pooler = await startPgBouncer(database.url, port)
    await eventually(async () => expect((await caller.get(LEADS)).status).toBe(200))
    expect(product.process.exitCode).toBeNull()
  })
})
