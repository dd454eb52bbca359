import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { webhookSecret } from '#test/webhook-secret.ts'
import { client, type Client } from '#test/client.ts'
import { rapport, startRapport, type RunningRapport } from '#test/command-line.ts'
import { freePort } from '#test/programs.ts'
import { eventually } from '#test/eventually.ts'
import { DRAIN_MS, startHaProxy, type HaProxy } from '#test/haproxy.ts'
import { inOrder } from '#test/in-order.ts'
import { tell } from '#test/provider.ts'
import { startReplicas, type Replica, type Replicas } from '#test/replicas.ts'
import { findProxy } from '../../scripts/proxies.mjs'

// Real processes, a real standby and a real proxy, one story: each process takes seconds to start.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const API = 3
const WORKERS = 3
const LEADS = '/api/crm/leads'
const WRITERS = 6
const ACKNOWLEDGED = 120
/** From the promotion of the standby until a lead is created again. */
const RECOVERY_MS = 10_000
const PAUSE_MS = 5

describe.skipIf(!findProxy('haproxy'))('several machines (needs HAProxy: scripts/proxies.mjs)', () => {
  inOrder()

  let replicas: Replicas
  let dataDir: string
  let env: Record<string, string>
  let ports: number[]
  let api: RunningRapport[]
  let workers: RunningRapport[]
  let proxy: HaProxy
  let caller: Client

  beforeAll(async () => {
    replicas = await startReplicas()
    dataDir = await realpath(await mkdtemp(join(tmpdir(), 'rapport-machines-')))
    await chmod(dataDir, 0o755)
    env = {
      DATA_DIR: dataDir,
      DATABASE_URL: replicas.url,
      RATE_LIMIT: 'off',
      SHUTDOWN_DRAIN_MS: String(DRAIN_MS),
      VOICE_WEBHOOK_SECRET: webhookSecret('voice'),
    }
    const migrated = await rapport(['migrate'], env)
    expect(migrated.code, migrated.err).toBe(0)
    const words = ['token', '--email', 'a@example.test', '--scope', 'leads:read leads:write']
    const key = (await rapport(words, env)).out.trim()
    ports = await Promise.all(Array.from({ length: API }, freePort))
    ;[api, workers] = await Promise.all([
      Promise.all(ports.map(startApi)),
      Promise.all(Array.from({ length: WORKERS }, () => startRapport(env, { role: 'worker' }))),
    ])
    proxy = await startHaProxy(ports)
    await eventually(async () => expect(await proxy.countReady()).toBe(API))
    caller = client(proxy.url, { authorization: `Bearer ${key}` })
  })
  afterAll(async () => {
    await proxy?.close()
    for (const { process } of [...(api ?? []), ...(workers ?? [])]) process.kill('SIGKILL')
    await replicas?.close()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  })

  const startApi = (port: number) => startRapport(env, { role: 'api', port })

  test('processes are restarted one after the other, and no request fails', async () => {
    const seen = new Map<string, number>()
    let stopping = false
    const ask = async (request: () => Promise<{ status: number }>) => {
      while (!stopping) {
        const outcome = await request().then(({ status }) => String(status), String)
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
      }
    }
    const asking = Array.from({ length: WRITERS }, (_, n) =>
      ask(() => (n % 2 ? caller.get(LEADS) : caller.post(LEADS, { first_name: 'Rolling' }))),
    )
    for (const [at, port] of ports.entries()) {
      const { process, ended } = api[at]!
      process.kill('SIGTERM')
      expect(await ended).toEqual({ code: 0, signal: null })
      api[at] = await startApi(port)
      // The proxy sends requests to it again before the next one goes.
      await eventually(async () => expect(await proxy.countReady()).toBe(API))
    }
    stopping = true
    await Promise.all(asking)
    expect([...seen.keys()].toSorted()).toEqual(['200', '201'])
    expect(seen.get('201')).toBeGreaterThan(10)
  })

  test('a process that is asked to stop says so first, and closes each connection after its response', async () => {
    const [{ url, process }] = api as [RunningRapport]
    process.kill('SIGTERM')
    await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(503))
    const reply = await fetch(`${url}/healthz`)
    expect([reply.status, reply.headers.get('connection')]).toEqual([200, 'close'])
    expect(await api[0]!.ended).toEqual({ code: 0, signal: null })
    api[0] = await startApi(ports[0]!)
  })

  describe('the primary is killed under load, and the standby is promoted', () => {
    let writers: Writers
    let provider: Writers
    let now: Replica

    test('leads are created again within ten seconds, without a restart', async () => {
      const before = [...api, ...workers]
      writers = startWriters('lead', name => insist(caller, name))
      provider = startWriters('call', id => insistOnEvent(proxy.url, id))
      await Promise.all([writers.acknowledge(ACKNOWLEDGED), provider.acknowledge(ACKNOWLEDGED / 3)])
      await replicas.primary.kill()
      now = replicas.standby
      await now.promote()
      const promoted = performance.now()
      await writers.acknowledge(1)
      expect(performance.now() - promoted).toBeLessThan(RECOVERY_MS)
      await Promise.all([writers.acknowledge(ACKNOWLEDGED), provider.acknowledge(ACKNOWLEDGED / 3)])
      for (const { process } of before) expect(process.exitCode).toBeNull()
    })

    test('nothing acknowledged is lost, and nothing is there twice', async () => {
      const ids = await writers.stop()
      const leads = await now.query<{ id: string }>(`select id from leads where source = 'failover'`)
      expect(leads.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      const events = await now.query(
        `select from events where type = 'lead.created' and lead_id in (select id from leads where source = 'failover')`,
      )
      expect(events).toHaveLength(ids.length)
    })

    test('workers go on: each event from outside had its effect once', async () => {
      const told = await provider.stop()
      const effects = `select data ->> 'eventId' as id from events where type = 'webhook:call_ended'`
      await eventually(async () => {
        const ids = (await now.query<{ id: string }>(effects)).map(({ id }) => id)
        expect(ids.toSorted()).toEqual(told.toSorted())
      }, 60_000)
    })

    test('a scheduled job that is due runs once, whoever of the workers sees it first', async () => {
      const runs = `select outcome from schedule_runs where name = 'housekeeping'`
      const before = (await now.query(runs)).length
      await now.query(`update schedules set next_at = now() where name = 'housekeeping'`)
      await eventually(async () => {
        const outcomes = await now.query<{ outcome: string }>(`${runs} order by started_at desc limit 1`)
        expect(outcomes).toEqual([{ outcome: 'done' }])
        expect((await now.query(runs)).length).toBe(before + 1)
      })
      // Every scheduler looks once a second: each has had its chance.
      await sleep(2_500)
      expect(await now.query(runs)).toHaveLength(before + 1)
    })

    test('a process that starts now finds the new primary, though the old one is named first', async () => {
      const late = await startRapport(env, { role: 'api' })
      expect((await fetch(`${late.url}/readyz`)).status).toBe(200)
      late.process.kill('SIGTERM')
      expect((await late.ended).code).toBe(0)
    })
  })
})

type Writers = {
  acknowledge(more: number): Promise<void>
  stop(): Promise<string[]>
}

/** They ask again, with the same key, until they are answered with success. */
function startWriters(prefix: string, insist: (name: string) => Promise<string>): Writers {
  const ids: string[] = []
  let stopping = false
  let asked = 0
  const write = async () => {
    while (!stopping) ids.push(await insist(`${prefix}-${++asked}`))
  }
  const running = Promise.all(Array.from({ length: WRITERS }, write))
  running.catch(() => {})
  return {
    async acknowledge(more) {
      const wanted = ids.length + more
      const enough = async () => {
        while (ids.length < wanted) await sleep(PAUSE_MS)
      }
      await Promise.race([enough(), running])
    },
    async stop() {
      stopping = true
      await running
      return ids
    },
  }
}

async function insist(caller: Client, name: string): Promise<string> {
  for (;;) {
    const lead = { first_name: name, source: 'failover' }
    const reply = await caller
      .post(LEADS, lead, { 'idempotency-key': name })
      .catch((): undefined => undefined)
    if (reply?.status === 201) return reply.body.id as string
    // 502 and 504 are the proxy's, while no process is ready.
    if (reply && ![409, 502, 503, 504].includes(reply.status))
      throw new Error(`a writer was told ${reply.status} ${reply.text}`)
    await sleep(20)
  }
}

async function insistOnEvent(url: string, eventId: string): Promise<string> {
  for (;;) {
    const event = { eventId, type: 'call_ended', data: { durationSec: 200 } }
    const reply = await tell(url, 'voice', event).catch((): undefined => undefined)
    if (reply?.status === 200) return eventId
    if (reply && ![502, 503, 504].includes(reply.status))
      throw new Error(`a provider was told ${reply.status} ${reply.text}`)
    await sleep(20)
  }
}
