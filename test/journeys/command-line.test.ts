import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Domain } from '#app'
import {
  findEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#adapters/postgres/embedded.ts'
import { readConfig } from '#config'
import { systemContext } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { job } from '#platform/registry.ts'
import { client } from '#test/client.ts'
import { rapport, rapportHere, startRapport, type RunningRapport } from '#test/command-line.ts'
import { eventually } from '#test/eventually.ts'
import { testPorts } from '#test/ports.ts'
import { tell } from '#test/provider.ts'
import { full } from '#test/tier.ts'
import { openBase } from '../../src/process.ts'

const QUIET_MOMENT_MAX_MS = 40_000
const folder = mkdtempSync(join(tmpdir(), 'rapport-cli-'))
const home = join(folder, 'home')
const copy = join(folder, 'copy')
const backupFile = join(folder, 'all.backup.gz')
const env = { DATA_DIR: home }

const COMPARED = [
  'leads',
  'events',
  'lead_settings',
  'users',
  'teams',
  'memberships',
  'api_keys',
  'schema_migrations',
]

let running: RunningRapport
let backedUp: Record<string, string>
let restored: EmbeddedPostgres | undefined

beforeAll(async () => {
  // The bundle comes up three times as fast.
  running = await startRapport(env, { fromSources: full })
})

afterAll(async () => {
  await running?.stop()
  await restored?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('an installation', { shuffle: false }, () => {
  describe('words and exit codes', () => {
    test('help lists every command, and each explains itself', async () => {
      const [help, one] = [await rapport(['--help']), await rapportHere(['restore', '--help'])]
      expect([help.code, one.code]).toEqual([0, 0])
      for (const name of [
        'start',
        'migrate',
        'distribute',
        'seed',
        'signin-link',
        'token',
        'client',
        'plan',
        'inbox',
        'doctor',
        'backup',
        'restore',
        'release',
      ]) {
        expect(help.out).toMatch(new RegExp(`^  ${name} +\\w`, 'm'))
      }
      expect(one.out).toMatch(/Usage: rapport restore <file>[^]*--force/)
    })

    test('a call that makes no sense ends with 2 and the help, a failure with 1 and one plain line', async () => {
      const senseless = await rapport(['fly'])
      expect([senseless.code, senseless.err]).toEqual([2, expect.stringMatching(/^Unknown command: fly\./)])
      for (const words of [
        ['backup', '--to', 'x'],
        ['client', 'delete'],
        ['plan', '--team', 'ada@example.test', '--plan', 'GOLD'],
        ['inbox', '--assign', 'all'],
      ])
        expect((await rapportHere(words)).code, words.join(' ')).toBe(2)
      const scopeless = await rapportHere(['token', '--email', 'ada@example.test'])
      expect(scopeless.code).toBe(2)
      expect(scopeless.err).toMatch(/^--scope is missing\.[^]*Usage: rapport token/)
      const started = await rapport(['start'], { ...env, PORT: 'http' })
      expect([started.code, started.err]).toEqual([
        1,
        'PORT must be a whole number from 0 to 65535, not http.\n',
      ])
      const seeded = await rapportHere(['seed'], {
        ...env,
        NODE_ENV: 'production',
        BASE_URL: 'https://crm.example.com',
        SESSION_SECRET: randomBytes(32).toString('hex'),
        CRON_SECRET: 'x'.repeat(16),
        PAYMENT_WEBHOOK_SECRET: 'x',
        VOICE_WEBHOOK_SECRET: 'x',
        EMAIL_WEBHOOK_SECRET: 'x',
        REALTIME_WEBHOOK_SECRET: 'x',
      })
      expect([seeded.code, seeded.err]).toEqual([
        1,
        expect.stringMatching(/^The demo team is for development.*\n$/),
      ])
      const restored = await rapportHere(['restore', join(folder, 'nothing.gz')], env)
      expect([restored.code, restored.err]).toEqual([
        1,
        expect.stringMatching(/nothing\.gz cannot be read.*\n$/),
      ])
    })
  })

  describe('beside a running installation', () => {
    test('the first start brings the demo and a link that signs its operator in', async () => {
      expect((await client(running.url).get('/readyz')).status).toBe(200)
      expect(running.said.out).toMatch(/^ {2}chain +http:\S+ \(eip155:31337\), to try payments/m)
      const link = /http\S+\/api\/auth\/link\/\S+/.exec(running.said.out)![0]
      const page = await client('').get(link)
      expect(page.status).toBe(200)
      expect(page.text).toContain('maya.lindqvist@brightwater.test')
      const redeemed = await fetch(link, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'sec-fetch-site': 'same-origin' },
      })
      expect(redeemed.status).toBe(302)
      const cookie = redeemed.headers.getSetCookie()[0]!.split(';')[0]!
      const leads = await client(running.url, { cookie }).get('/api/crm/leads/outline')
      expect(leads.body.count).toBeGreaterThan(180)
    })

    test('token makes the person and a team of its own, and the key works at once', async () => {
      const made = await rapportHere(
        ['token', '--email', 'ada@example.test', '--scope', 'leads:read leads:write'],
        env,
      )
      expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^rpk_\S+\n$/) })
      const api = client(running.url, { authorization: `Bearer ${made.out.trim()}` })
      expect((await api.get('/api/crm/leads')).body).toEqual({ data: [], next_cursor: null })
      expect((await api.post('/api/crm/leads', { first_name: 'Grace', custom: {} })).status).toBe(201)
    })

    test('client create prints an id that the authorization server knows, and refuses a bad address', async () => {
      const words = ['client', 'create', '--name', 'Zap', '--redirect-uri']
      const made = await rapportHere([...words, 'https://app.example.test/cb http://127.0.0.1/cb'], env)
      expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^[0-9a-f]{24}\n$/) })
      const asked = (redirect_uri: string) =>
        client(running.url).get(
          `/api/oauth/authorize?${new URLSearchParams({ client_id: made.out.trim(), redirect_uri })}`,
        )
      expect((await asked('http://127.0.0.1:4567/cb')).headers.get('location')).toContain(
        'error=invalid_request',
      )
      expect((await asked('https://evil.example/cb')).status).toBe(400)
      const secret = await rapportHere([...words, 'https://app.example.test/cb', '--confidential'], env)
      expect(secret.out).toMatch(/^[0-9a-f]{24}\nrps_\S+\n$/)
      const bad = await rapportHere([...words, 'http://app.example.test/cb'], env)
      expect([bad.code, bad.err]).toEqual([1, expect.stringMatching(/^redirect_uris\[0\]: must be https/)])
    })

    test('plan makes a team read-only and opens it again, at once, and gives it credits', async () => {
      const made = await rapportHere(['token', '--email', 'eve@example.test', '--scope', 'leads:write'], env)
      const api = client(running.url, { authorization: `Bearer ${made.out.trim()}` })
      const addLead = () => api.post('/api/crm/leads', { first_name: 'Grace' })
      expect((await addLead()).status).toBe(201)
      const change = ['--plan', 'EXPIRED', '--credits', '50', '--quota', '7']
      const closed = await rapportHere(['plan', '--team', 'eve@example.test', ...change], env)
      expect(closed.out).toMatch(
        /^Eve's team \([0-9a-f]{24}\): EXPIRED, 150 credits, 7 per month, next on \d{4}-\d\d-\d\d\n$/,
      )
      await eventually(async () => expect((await addLead()).status).toBe(403))
      const id = /[0-9a-f]{24}/.exec(closed.out)![0]
      const opened = await rapportHere(['plan', '--team', id, '--plan', 'trial', '--days', '3'], env)
      const nobody = await rapportHere(['plan', '--team', 'nobody@example.test'], env)
      expect(opened.out).toMatch(/TRIAL until \d{4}-\d\d-\d\dT\S+Z, 150 credits/)
      await eventually(async () => expect((await addLead()).status).toBe(201))
      const told = 'No team member has the address nobody@example.test.\n'
      expect([nobody.code, nobody.err]).toEqual([1, told])
    })

    test('inbox assigns what no team can be found for', async () => {
      const secrets = JSON.parse(readFileSync(join(env.DATA_DIR, 'secrets.json'), 'utf8'))
      const body = { eventId: 'astray', type: 'call_ended', data: { callId: 'astray', durationSec: 3 } }
      await tell(running.url, 'voice', body, { secret: secrets.VOICE_WEBHOOK_SECRET })
      const id = await eventually(async () => {
        const { out } = await rapportHere(['inbox'], env)
        expect(out).toMatch(/^[0-9a-f]{24}  \S+Z  voice  call_ended  astray\n$/)
        return out.slice(0, 24)
      })
      expect((await rapportHere(['doctor'], env)).out).toContain('1 event is unassigned')
      expect((await rapportHere(['inbox', '--show', id], env)).out).toBe(`${JSON.stringify(body)}\n`)
      const assigned = await rapportHere(['inbox', '--assign', id, '--team', 'eve@example.test'], env)
      expect(assigned.out).toMatch(/^Assigned 1 event to team [0-9a-f]{24}\.\n$/)
      expect((await rapportHere(['inbox'], env)).out).toBe('Every event is assigned to a team.\n')
      const again = await rapportHere(['inbox', '--assign', id, '--team', 'eve@example.test'], env)
      expect([again.code, again.err]).toEqual([1, `No unassigned event has the id ${id}.\n`])
    })

    test('signin-link works for the same person, once', async () => {
      const { code, out } = await rapportHere(['signin-link', '--email', 'ada@example.test'], {
        ...env,
        BASE_URL: running.url,
      })
      expect(code).toBe(0)
      const redeem = () =>
        fetch(out.trim(), {
          method: 'POST',
          redirect: 'manual',
          headers: { 'sec-fetch-site': 'same-origin' },
        })
      const statuses = [(await redeem()).status, (await redeem()).status]
      expect(statuses).toEqual([302, 404])
    })

    test('doctor sees it running', async () => {
      const { out } = await rapportHere(['doctor'], env)
      expect(out).toMatch(/^✓ processes +1 running$/m)
      expect(out).toMatch(/^✓ schema/m)
    })

    test('a backup is made, and a restore over the running product is refused', async () => {
      const original = await connect((await findEmbeddedPostgres(home))!.url)
      onTestFinished(() => original.end())
      // The product goes on working. What is the same before and after is what the backup has.
      await eventually(async () => {
        rmSync(backupFile, { force: true })
        backedUp = await digests(original)
        const made = await rapportHere(['backup', '--file', backupFile], env)
        expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^Wrote [\d,]+ rows/) })
        expect(made.out).toContain(`Copy them too, after the backup: ${join(home, 'files')}.`)
        expect(await digests(original)).toEqual(backedUp)
      }, QUIET_MOMENT_MAX_MS)
      const refused = await rapportHere(['restore', backupFile, '--force'], env)
      expect(refused).toMatchObject({ code: 1, err: 'Rapport is running on this database. Stop it first.\n' })
    })
  })

  describe('a restored copy', () => {
    let outside: Client

    beforeAll(async () => {
      const { code, out, err } = await rapportHere(['restore', backupFile], { DATA_DIR: copy })
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toContain('Outgoing work is on hold')
      restored = await startEmbeddedPostgres({ dataDir: copy, log: () => {} })
      outside = await connect(restored.url)
    })
    afterAll(() => outside?.end())

    test('has the same rows, and refuses a second backup on top', async () => {
      expect(await digests(outside)).toEqual(backedUp)
      expect((await outside.query('select from changes')).rowCount).toBe(0)
      const again = await rapportHere(['restore', backupFile], { DATA_DIR: copy })
      expect(again).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^The database is not empty.*--force.*\n$/),
      })
    })

    test('sends nothing that is due until the operator releases it', async () => {
      const done: string[] = []
      const jobs = [
        job('test.send', { outgoing: true }, async () => void done.push('sent')),
        job('test.count', {}, async () => void done.push('counted')),
      ]
      const domains: Domain[] = [{ name: 'test', endpoints: {}, api: {}, jobs }]
      const config = { ...readConfig({ DATA_DIR: copy }), logLevel: 'silent', databasePoolSize: 3 }
      const base = openBase({ config, databaseUrl: restored!.url, ports: testPorts(), domains })
      await systemContext(base.runtime).transaction(async ctx => {
        enqueue(ctx, { kind: 'test.send' })
        enqueue(ctx, { kind: 'test.count' })
      })
      const worker = startWorker(base.runtime)
      try {
        await eventually(() => expect(done).toEqual(['counted']))
        const released = await rapportHere(['release'], { DATA_DIR: copy })
        expect(released.out).toBe('Outgoing work has resumed: 1 job was waiting.\n')
        await eventually(() => expect(done).toEqual(['counted', 'sent']))
        expect((await rapportHere(['release'], { DATA_DIR: copy })).out).toBe('Nothing is on hold.\n')
      } finally {
        await worker.stop()
        await base.close()
      }
    })

    test('seed --remove takes the demo and nothing else', async () => {
      expect((await rapportHere(['seed', '--remove'], { DATA_DIR: copy })).out).toBe(
        'The demo team was removed.\n',
      )
      const { rows } = await outside.query('select email from users order by email')
      expect(rows).toEqual([{ email: 'ada@example.test' }, { email: 'eve@example.test' }])
      const names = (await outside.query('select distinct first_name from leads')).rows
      expect(names).toEqual([{ first_name: 'Grace' }])
    })
  })

  test('SIGTERM ends everything with 0, and leaves no server behind', async () => {
    const { pid } = (await findEmbeddedPostgres(home))!
    expect(await running.stop()).toBe(0)
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/)
    expect(await findEmbeddedPostgres(home)).toBeUndefined()
  })
})

async function connect(url: string): Promise<Client> {
  const connection = new Client({ connectionString: url })
  await connection.connect()
  return connection
}

/** What each compared table holds, in one word per table. */
async function digests(connection: Client): Promise<Record<string, string>> {
  const words: Record<string, string> = {}
  for (const table of COMPARED) words[table] = await digest(connection, table)
  return words
}

/** A table's rows in one word, whatever their order. */
async function digest(connection: Client, table: string): Promise<string> {
  const { rows } = await connection.query<{ digest: string }>(
    `select count(*) || ' ' || md5(coalesce(string_agg(row::text, '' order by row::text), '')) as digest from ${table} as row`,
  )
  return rows[0]!.digest
}
