/**
 * Webhook → condition → two actions (a task, a field), durably: how many runs a worker process finishes each second, how
 * long it takes from the answer to the end of the run, beside the bare engine in memory, and beside n8n where it is
 * present (`N8N_FOLDER`: a folder with n8n in its node_modules). Once by an event of which the product keeps one line, once
 * by one of which it keeps a whole call with what follows for its lead. Then a million runs that sleep. Run it with
 * `npm run bench:workflows`.
 */
import { setTimeout as pause } from 'node:timers/promises'
import autocannon from 'autocannon'
import pg from 'pg'
import { begin } from '#domains/workflows/state.ts'
import { newId } from '#platform/ids.ts'
import { signedHeaders, signingKey } from '#platform/signature.ts'
import { runInMemory } from './support/bare-engine.ts'
import { fillLeads } from './support/leads.ts'
import { startN8n } from './support/n8n.ts'
import type { Result } from './support/result.ts'
import { median, onStage, percentile, type Stage, type Target } from './support/stage.ts'

const LEADS = 20_000
const WHOLE = { rounds: 3, backlog: 10_000, pacedS: 8, sleeping: 1_000_000 }
const RUNS_PER_S_MIN = 1_000
const N8N_RATIO_MIN = 10
const PACED_PER_S = 200
const CONNECTIONS = 32
const DUE = 10_000
const SLOWDOWN_MAX = 0.1
const LINE = { type: 'response.completed', path: '/api/realtime/webhook' }
const CALL = { type: 'call_ended', path: '/api/voice/engage/webhook' }
const NODES = [
  { type: 'condition', field: 'durationSec', op: '>', value: 120 },
  { type: 'action', action: 'create_task', due: '2d', title: 'Follow up with {{fullName}}' },
  { type: 'action', action: 'update_field', field: 'pipeline_stage', value: '{{event.stage}}' },
]
const STAGES = ['New', 'Contacted', 'Engage_AI', 'Engage_Human', 'Qualified']

const secret = `whsec_${Buffer.from('the secret of the benchmark').toString('base64')}`
const key = signingKey(secret)
let added = 0

if (import.meta.main) await onStage(benchWorkflows)

export async function benchWorkflows({ databaseUrl, serve, judge }: Stage, size = WHOLE): Promise<Result[]> {
  const { team_id, key: apiKey } = await fillLeads(databaseUrl, LEADS)
  const db = new pg.Client(databaseUrl)
  db.on('error', () => {})
  await db.connect()
  const leads = (await db.query('select id from leads')).rows.map(({ id }) => id as string)
  const count = async (text: string) => Number((await db.query(text)).rows[0].count)

  const api = await serve('webhook-product', { role: 'api', secret })
  const received = () => count('select count(*) from inbound_events')
  const ended = () => count(`select count(*) from workflow_runs where status = 'DONE'`)
  for (const { type } of [LINE, CALL]) await addWorkflow(api, apiKey, NODES, { trigger: `webhook:${type}` })

  const first = await serve('webhook-product', { role: 'worker', secret })
  for (const kind of [LINE, CALL]) await sendEvents(api, kind, leads, 2)
  await until(async () => !(await isBusy(db)))
  first.child.kill('SIGKILL')

  async function measure(kind: Kind): Promise<number> {
    // What the server does by itself every minute: a round is shorter.
    await db.query('vacuum analyze')
    const before = { ended: await ended(), events: await received() }
    await fill(db, size.backlog, () => sendEvents(api, kind, leads, 1))
    const worker = await serve('webhook-product', { role: 'worker', secret })
    const began = performance.now()
    await until(async () => !(await isBusy(db)))
    const tookMs = performance.now() - began
    worker.child.kill('SIGKILL')
    const events = (await received()) - before.events
    const finished = (await ended()) - before.ended
    if (finished !== events) throw new Error(`${finished} runs of ${events} events are done`)
    return events / (tookMs / 1000)
  }

  console.log(`${size.rounds} rounds: a backlog of about ${size.backlog} events, then one worker process\n`)
  const rounds: { line: number; call: number; memory: number }[] = []
  for (let round = 0; round < size.rounds; round++) {
    const [line, call, memory] = [await measure(LINE), await measure(CALL), await runInMemory(NODES)]
    console.log(
      `  ${Math.round(line)}/s; ${Math.round(call)}/s beside calls; in memory ${Math.round(memory)}/s`,
    )
    rounds.push({ line, call, memory })
  }
  const perSecond = median(rounds.map(({ line }) => line))
  judge(
    'durable runs of one worker process',
    `${Math.round(perSecond)}/s, ${(perSecond / median(rounds.map(({ memory }) => memory))).toFixed(3)} of the bare engine in memory`,
    perSecond >= RUNS_PER_S_MIN,
    `at least ${RUNS_PER_S_MIN}/s`,
  )
  console.log(
    `with a call kept for each of them: ${Math.round(median(rounds.map(({ call }) => call)))} runs and calls/s`,
  )

  const memory = median(rounds.map(round => round.memory))
  const results: Result[] = [
    {
      job: 'Run a durable workflow of three steps',
      value: perSecond,
      unit: '/s',
      beside: { what: 'the engine alone, in memory', value: memory, ratio: perSecond / memory },
    },
    {
      job: 'Run a workflow on call_ended, with call and lead',
      value: median(rounds.map(({ call }) => call)),
      unit: '/s',
    },
  ]
  for (const kind of [LINE, CALL]) {
    const worker = await serve('webhook-product', { role: 'worker', secret })
    const since = new Date()
    await sendEvenly(api, kind, leads, size.pacedS, PACED_PER_S)
    await until(async () => !(await isBusy(db)))
    const { rows } = await db.query<{ ms: number }>(
      `select extract(epoch from runs.ended_at - inbound.received_at)::float * 1000 as ms from workflow_runs as runs
       join events on events.team_id = runs.team_id and events.id = runs.event_id
       join inbound_events as inbound on inbound.id = events.subject_id where runs.created_at > $1`,
      [since],
    )
    const waits = rows.map(({ ms }) => Number(ms))
    console.log(
      `from the answer to the end of the run at ${PACED_PER_S}/s of ${kind.type}: median ${median(waits).toFixed(0)} ms, p99 ${percentile(waits, 99).toFixed(0)} ms (${waits.length} runs)`,
    )
    worker.child.kill('SIGKILL')
    const job = `Answer a ${kind.type} webhook until its workflow run ended, median at ${PACED_PER_S}/s`
    results.push({ job, value: median(waits), unit: 'ms' })
  }

  if (process.env.N8N_FOLDER) {
    const n8n = await startN8n(process.env.N8N_FOLDER)
    try {
      const theirs = await n8n.measure()
      console.log(`n8n ${n8n.version}: ${Math.round(theirs.perSecond)}/s, p99 ${theirs.p99Ms} ms`)
      const ratio = perSecond / theirs.perSecond
      const what = `n8n ${n8n.version} with three nodes, saving nothing`
      results.push({
        job: 'Run a durable workflow of three steps',
        value: perSecond,
        unit: '/s',
        beside: { what, value: theirs.perSecond, ratio },
      })
      judge('ratio to n8n', ratio.toFixed(1), ratio >= N8N_RATIO_MIN, `at least ${N8N_RATIO_MIN}`)
    } finally {
      await n8n.stop()
    }
  } else console.log('n8n is not measured: N8N_FOLDER names no folder with it')

  if (size.sleeping === 0) {
    await db.end()
    return results
  }

  const sleeping = [{ type: 'delay', delay: '30d' }, ...NODES.slice(1)]
  const sleeper = await addWorkflow(api, apiKey, sleeping, { trigger: 'webhook:none', status: 'PAUSED' })
  const drain = async () => {
    await addRuns(db, team_id, sleeper, DUE, 'now()')
    await db.query('checkpoint')
    const worker = await serve('webhook-product', { role: 'worker', secret })
    const began = performance.now()
    await until(async () => !(await isBusy(db)))
    const perSecond = DUE / ((performance.now() - began) / 1000)
    worker.child.kill('SIGKILL')
    return perSecond
  }
  await drain()
  const alone = [await drain(), await drain(), await drain()]
  for (let done = 0; done < size.sleeping; done += LEADS)
    await addRuns(db, team_id, sleeper, LEADS, `now() + interval '30 days'`)
  await db.query('vacuum analyze workflow_runs, jobs')
  await drain()
  const beside = [await drain(), await drain(), await drain()]
  const slowdown = 1 - median(beside) / median(alone)
  judge(
    `${DUE} due beside ${size.sleeping} that sleep`,
    `${Math.round(median(beside))}/s against ${Math.round(median(alone))}/s alone, ${(slowdown * 100).toFixed(1)} % slower`,
    slowdown <= SLOWDOWN_MAX,
    `at most ${SLOWDOWN_MAX * 100} % slower`,
  )
  await db.end()
  return results
}

async function addWorkflow(
  api: Target,
  apiKey: string,
  nodes: object[],
  { trigger, status = 'ACTIVE' }: { trigger: string; status?: 'ACTIVE' | 'PAUSED' },
): Promise<string> {
  const response = await fetch(`${api.url}/api/crm/workflows`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', trigger, nodes, status }),
  })
  if (response.status !== 201) throw new Error(await response.text())
  return ((await response.json()) as { id: string }).id
}

/** Whether anything is due now or soon, asked of the indexes: counting what sleeps would take the time that is measured. */
async function isBusy(db: pg.Client): Promise<boolean> {
  const due = (lane: string) =>
    `exists (select from jobs where state = 'ready' and ${lane} and run_at < now() + interval '1 hour')`
  return (await db.query(`select ${due('not outgoing')} or ${due('outgoing')} as busy`)).rows[0].busy
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(50)
}

/** Events without a worker, until there are enough of them. */
async function fill(db: pg.Client, backlog: number, send: () => Promise<void>): Promise<void> {
  const open = async () =>
    Number((await db.query(`select count(*) from inbound_events where recorded_id is null`)).rows[0].count)
  while ((await open()) < backlog) await send()
}

type Kind = { type: string; path: string }

function event({ type }: Kind, leads: readonly string[]) {
  const eventId = newId()
  const leadId = leads[Math.floor(Math.random() * leads.length)]
  const stage = STAGES[Math.floor(Math.random() * STAGES.length)]
  const body = JSON.stringify({
    eventId,
    type,
    data: { id: eventId, callId: eventId, leadId, durationSec: 200, stage },
  })
  const signature = signedHeaders([key], eventId, Date.now(), body)
  return { body, headers: { 'content-type': 'application/json', ...signature } }
}

/** As many as it takes. */
async function sendEvents(api: Target, kind: Kind, leads: readonly string[], seconds: number): Promise<void> {
  const result = await autocannon({
    url: api.url + kind.path,
    method: 'POST',
    connections: CONNECTIONS,
    duration: seconds,
    requests: [
      { method: 'POST', path: kind.path, setupRequest: request => ({ ...request, ...event(kind, leads) }) },
    ],
  })
  const wrong = result.non2xx + result.errors
  if (wrong > 0) throw new Error(`${wrong} requests failed`)
}

/** One after the other at an even pace, as they come in life. */
async function sendEvenly(
  api: Target,
  kind: Kind,
  leads: readonly string[],
  seconds: number,
  perSecond: number,
): Promise<void> {
  const sent: Promise<Response>[] = []
  const began = performance.now()
  for (let n = 0; n < seconds * perSecond; n++) {
    await pause(Math.max(0, began + (n * 1000) / perSecond - performance.now()))
    sent.push(fetch(api.url + kind.path, { method: 'POST', ...event(kind, leads) }))
  }
  for (const { status } of await Promise.all(sent))
    if (status !== 200) throw new Error(`it answered ${status}`)
}

/** Straight into the tables, in the middle of their delay. */
async function addRuns(
  db: pg.Client,
  team_id: string,
  workflow_id: string,
  rows: number,
  at: string,
): Promise<void> {
  // Of one second, they have the same beginning.
  const from = added
  added += rows
  const base = newId()
  const state = begin()
  const asleep = { ...state, steps: 1, threads: [{ ...state.threads[0], waited: true, until: 0 }] }
  await db.query(
    `with chosen as (select id as lead_id, ${from} + row_number() over () as n from leads limit $1),
      made as (select lead_id, substr($2, 1, 16) || lpad(to_hex(n), 8, '0') as id,
        substr($2, 1, 15) || 'f' || lpad(to_hex(n), 8, '0') as job_id from chosen),
      waiting as (insert into jobs (id, kind, team_id, data, run_at, outgoing)
        select job_id, 'workflows.wake', $3, jsonb_build_object('run_id', id), ${at}, false from made)
    insert into workflow_runs (team_id, id, workflow_id, version, status, lead_id, event_key, event, state, wait_id, next_at,
        chain, parts, created_at, updated_at)
      select $3, id, $4, 1, 'RUNNING', lead_id, id, '{"stage": "Won"}', $5, job_id, ${at}, 0, 1, now(), now() from made`,
    [rows, base, team_id, workflow_id, JSON.stringify(asleep)],
  )
}
