/**
 * Five hundred calls that begin in the same moment, on one process that takes signed events of other calls meanwhile: how
 * fast these are acknowledged, whether everything that was said is there at the end, and what it leaves in memory. Run it
 * with `npm run bench:calls`.
 */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '#platform/ids.ts'
import { signedHeaders, signingKey } from '#platform/signature.ts'
import { fillLeads } from './support/leads.ts'
import { onStage, percentile, type Target } from './support/stage.ts'
import { steady, type Call } from './support/steady.ts'

const CALLS = 500
const LEADS = 2_000
/** From one thing that happens in a call to the next: all of them speak at the same time. */
const PACE_MS = 1_000
const EVENTS_PER_S = 20
const ACK_P99_MS_MAX = 250
const HEAP_GROWTH_MIB_MAX = 32
const RSS_GROWTH_MIB_MAX = 256
const ENDED_WITHIN_MS = 300_000
const STARTS_AT_ONCE = 8
const PATH = '/api/voice/engage/webhook'
const MIB = 1024 * 1024

const secret = `whsec_${Buffer.from('the secret of the benchmark').toString('base64')}`
const signing = signingKey(secret)

await onStage(async ({ databaseUrl, serve, judge }) => {
  const { key } = await fillLeads(databaseUrl, LEADS)
  const client = new pg.Client(databaseUrl)
  client.on('error', () => {})
  await client.connect()
  const one = async <Row>(text: string) => (await client.query(text)).rows[0] as Row
  // The last two digits of a number say how a call goes: these talk to the end.
  const { rows } = await client.query<{ id: string }>(
    `select id from leads where right(phone, 2)::int > 5 order by id`,
  )
  const leads = rows.map(({ id }) => id)
  const product = await serve('call-product', { secret, key, pace_ms: String(PACE_MS) })
  const agent_id = await makeAgent(product)

  await callAll(product, agent_id, leads.slice(CALLS, CALLS + 20), client)
  await ended(client, 20)
  const linesOf = async () =>
    (await one<{ lines: number }>('select count(*)::int as lines from call_lines')).lines
  const linesBefore = await linesOf()
  const before = await memoryOf(product)
  await callAll(product, agent_id, leads.slice(0, CALLS), client)
  const began = performance.now()
  let going = true
  const acks: number[] = []
  const posting = (async () => {
    while (going)
      acks.push(...(await steady(product.url, { perSecond: EVENTS_PER_S, seconds: 2 }, () => event(leads))))
  })()
  let most = 0
  let peakRss = before.rss
  const watching = (async () => {
    while (going) {
      const { live, rss } = await memoryOf(product, 'as it is')
      most = Math.max(most, live)
      peakRss = Math.max(peakRss, rss)
      await pause(500)
    }
  })()
  const whole = await ended(client, CALLS + 20)
  const seconds = (performance.now() - began) / 1000
  going = false
  await Promise.all([posting, watching])
  await drained(client)
  const after = await memoryOf(product)

  const lines = (await linesOf()) - linesBefore
  const p99 = percentile(acks, 99)
  console.log(
    `${most} calls at once, ${lines} lines in ${seconds.toFixed(1)} s (${Math.round(lines / seconds)}/s), ${acks.length} events of others`,
  )
  console.log(
    `rss ${mib(before.rss)} MiB before, ${mib(peakRss)} at most, ${mib(after.rss)} after; heap ${mib(before.heapUsed)} MiB before, ${mib(after.heapUsed)} after`,
  )
  judge('calls that went on at once', String(most), most >= CALLS, `${CALLS}`)
  const good = `${p99.toFixed(0)} ms, median ${percentile(acks, 50).toFixed(0)} ms`
  judge('events are acknowledged, p99', good, p99 < ACK_P99_MS_MAX, `below ${ACK_P99_MS_MAX} ms`)
  judge('calls that ended with all that was said', String(whole), whole === CALLS + 20, `${CALLS + 20}`)
  const heap = (after.heapUsed - before.heapUsed) / MIB
  judge(
    'heap growth',
    `${heap.toFixed(1)} MiB`,
    heap < HEAP_GROWTH_MIB_MAX,
    `below ${HEAP_GROWTH_MIB_MAX} MiB`,
  )
  const rss = (peakRss - before.rss) / MIB
  judge('rss growth', `${rss.toFixed(0)} MiB`, rss < RSS_GROWTH_MIB_MAX, `below ${RSS_GROWTH_MIB_MAX} MiB`)
  await client.end()
})

async function makeAgent({ url, headers }: Target): Promise<string> {
  const outbound = { consent: 'not_required', quiet_hours: null, attempts_max: 1, retry_after_min: 60 }
  const body = { name: 'Caller', kind: 'voice', instructions: 'Talk.', tools: ['end_call'], outbound }
  return ((await post(url, headers, '/api/voice/agents', body)) as { id: string }).id
}

/** All of them are asked for while outgoing work is held, so that they begin together. */
async function callAll(target: Target, agent_id: string, leads: readonly string[], client: pg.Client) {
  await client.query(`insert into installation (key, value) values ('hold_outgoing', 'on')`)
  const left = [...leads]
  const begin = async () => {
    for (let lead_id = left.pop(); lead_id; lead_id = left.pop())
      await post(target.url, target.headers, '/api/softphone/sessions', { lead_id, agent_id })
  }
  await Promise.all(Array.from({ length: STARTS_AT_ONCE }, begin))
  await client.query(`delete from installation where key = 'hold_outgoing'`)
}

async function post(url: string, headers: Record<string, string>, path: string, body: object) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 201)
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

/** Of a call that we only hear of. */
function event(leads: readonly string[]): Call {
  const eventId = newId()
  const leadId = leads[CALLS + 100 + Math.floor(Math.random() * (leads.length - CALLS - 100))]
  const data = { callId: `other_${eventId}`, leadId, durationSec: 200, outcome: 'completed' }
  const body = JSON.stringify({ eventId, type: 'call_ended', data })
  const headers = {
    'content-type': 'application/json',
    ...signedHeaders([signing], eventId, Date.now(), body),
  }
  return { method: 'POST', path: PATH, headers, body }
}

/** Waits until so many of our calls have ended; answers of how many nothing that was said is missing. */
async function ended(client: pg.Client, count: number): Promise<number> {
  const ours = `from calls where provider = 'simulator'`
  for (const end = performance.now() + ENDED_WITHIN_MS; ; await pause(200)) {
    const { rows } = await client.query(`select count(*)::int as count ${ours} and status = 'ENDED'`)
    if (rows[0].count >= count) break
    if (performance.now() > end) throw new Error(`only ${rows[0].count} of ${count} calls ended`)
  }
  // Each line is named by its number: the last number is the number of lines.
  const { rows } = await client.query(
    `select count(*)::int as whole from (select count(*) as lines, max(substr(ref, 5)::int) as last,
       bool_or(text like 'Thank you for your time%') as farewell
     from call_lines where call_id in (select id ${ours}) group by call_id) as calls
     where lines = last and farewell`,
  )
  return rows[0].whole
}

async function drained(client: pg.Client): Promise<void> {
  const due = `select 1 from jobs where state = 'ready' and run_at < now() + interval '1 minute' limit 1`
  while ((await client.query(due)).rows.length > 0) await pause(100)
}

type Memory = { rss: number; heapUsed: number; live: number }

async function memoryOf({ child }: Target, word: 'as it is' | 'collected' = 'collected'): Promise<Memory> {
  child.send(word)
  return (await once(child, 'message'))[0] as Memory
}

function mib(bytes: number): number {
  return Math.round(bytes / MIB)
}
