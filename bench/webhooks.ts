/**
 * Taking events in, beside a bare Fastify server that verifies the same signature and runs one INSERT per request, in
 * turns; then how fast one worker process works off what has piled up. Run it with `npm run bench:webhooks`.
 */
import autocannon from 'autocannon'
import pg from 'pg'
import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '#platform/ids.ts'
import { signedHeaders, signingKey } from '#platform/signature.ts'
import { fillLeads } from './support/leads.ts'
import type { Result } from './support/result.ts'
import { median, onStage, type Stage, type Target } from './support/stage.ts'

const CONNECTIONS = 64
const RATIO_MIN = 1
const P99_RATIO_MAX = 1
const LEADS = 20_000
const DRAINED_PER_S_MIN = 2_000
const WHOLE = { rounds: 5, roundS: 4, backlog: 100_000, calls: 20_000 }

/** Of an answer of a model the product keeps a line, of a call the call itself and what follows for its lead. */
type Kind = { type: string; path: string; kept: string }
const LINE = { type: 'response.completed', path: '/api/realtime/webhook', kept: 'model_responses' }
const CALL = { type: 'call_ended', path: '/api/voice/engage/webhook', kept: 'calls' }

const secret = `whsec_${Buffer.from('the secret of the benchmark').toString('base64')}`
const key = signingKey(secret)

if (import.meta.main) await onStage(benchWebhooks)

export async function benchWebhooks({ databaseUrl, serve, judge }: Stage, size = WHOLE): Promise<Result[]> {
  const { team_id } = await fillLeads(databaseUrl, LEADS)
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const leads = (await client.query('select id from leads')).rows.map(({ id }) => id as string)
  const count = async (text: string) => Number((await client.query(text)).rows[0].count)

  const product = await serve('webhook-product', { role: 'api', secret })
  const bare = await serve('webhook-bare', { secret })
  console.log(
    `${CONNECTIONS} connections, ${size.rounds} rounds of ${size.roundS} s in turns, team ${team_id}\n`,
  )
  await run(product, leads, 2)
  await run(bare, leads, 2)
  const rounds: { product: Measured; bare: Measured }[] = []
  for (let round = 0; round < size.rounds; round++)
    rounds.push({
      product: await run(product, leads, size.roundS),
      bare: await run(bare, leads, size.roundS),
    })
  const of = (who: 'product' | 'bare', what: keyof Measured) => median(rounds.map(round => round[who][what]))
  const ratio = median(rounds.map(round => round.product.perSecond / round.bare.perSecond))
  const p99Ratio = median(rounds.map(round => round.product.p99Ms / Math.max(1, round.bare.p99Ms)))
  console.log(
    `accepting: ${Math.round(of('product', 'perSecond'))}/s against ${Math.round(of('bare', 'perSecond'))}/s, p99 ${of('product', 'p99Ms')} ms against ${of('bare', 'p99Ms')} ms`,
  )
  judge('  throughput ratio', ratio.toFixed(2), ratio >= RATIO_MIN, `at least ${RATIO_MIN}`)
  judge('  p99 ratio', p99Ratio.toFixed(2), p99Ratio <= P99_RATIO_MAX, `at most ${P99_RATIO_MAX}`)
  bare.child.kill('SIGKILL')

  /** How many of so many that have piled up one worker process works off each second. */
  async function drain(kind: Kind, backlog: number): Promise<number> {
    await client.query('truncate inbound_events, jobs')
    while ((await count('select count(*) from inbound_events')) < backlog) await run(product, leads, 2, kind)
    await client.query('vacuum analyze')
    const events = await count('select count(*) from inbound_events')
    const before = await count(`select count(*) from ${kind.kept}`)
    const began = performance.now()
    const worker = await serve('webhook-product', { role: 'worker', secret })
    const left = async () =>
      (await count('select count(*) from jobs where run_at < now() + interval $$1 hour$$')) > 0
    while (await left()) await pause(100)
    const perSecond = events / ((performance.now() - began) / 1000)
    worker.child.kill('SIGKILL')
    const ended = await count(`select count(*) from inbound_events where status = 'processed'`)
    const kept = (await count(`select count(*) from ${kind.kept}`)) - before
    if (ended !== events || kept !== events)
      throw new Error(`${ended} of ${events} events are done, and ${kept} of ${kind.kept} kept`)
    return perSecond
  }

  const perSecond = await drain(LINE, size.backlog)
  judge(
    `a backlog of ${size.backlog} drains at`,
    `${Math.round(perSecond)}/s`,
    perSecond >= DRAINED_PER_S_MIN,
    `at least ${DRAINED_PER_S_MIN}/s`,
  )
  const calls = await drain(CALL, size.calls)
  console.log(
    `one of ${size.calls} calls, each with its lead and a task for what follows, at ${Math.round(calls)}/s`,
  )
  await client.end()
  const what = 'a bare Fastify handler with one INSERT'
  return [
    {
      job: 'Accept a signed webhook',
      value: of('product', 'perSecond'),
      unit: '/s',
      beside: { what, value: of('bare', 'perSecond'), ratio },
    },
    { job: 'Process accepted webhooks, one worker process', value: perSecond, unit: '/s' },
    { job: 'Process call_ended, with call, lead and task', value: calls, unit: '/s' },
  ]
}

type Measured = { perSecond: number; p99Ms: number }

async function run(
  target: Target,
  leads: readonly string[],
  seconds: number,
  { type, path }: Kind = CALL,
): Promise<Measured> {
  const result = await autocannon({
    url: target.url + path,
    method: 'POST',
    connections: CONNECTIONS,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        path,
        setupRequest: request => {
          const eventId = newId()
          const leadId = leads[Math.floor(Math.random() * leads.length)]
          const data = { id: eventId, callId: eventId, leadId, durationSec: 200, outcome: 'connected' }
          const body = JSON.stringify({ eventId, type, data })
          const signature = signedHeaders([key], eventId, Date.now(), body)
          return { ...request, body, headers: { 'content-type': 'application/json', ...signature } }
        },
      },
    ],
  })
  const wrong = result.non2xx + result.errors
  if (wrong > 0) throw new Error(`${wrong} requests to ${target.url} failed`)
  return { perSecond: result.requests.total / result.duration, p99Ms: result.latency.p99 }
}
