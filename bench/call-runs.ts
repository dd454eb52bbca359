/**
 * `call_ended` with all it keeps (the call, the lead, a task, a workflow's run), on one worker process: a backlog of ten
 * thousand, one of a hundred thousand, and how long each takes at 200 a second from the answer to the end of its run. Prints what
 * a thousand of them cost in processor time on both sides. Run it with `npm run bench:call-runs`.
 */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { signingKey } from '#platform/signature.ts'
import { fillLeads } from './support/leads.ts'
import { addCallWorkflow, isBusy, sendCalls, sendCallsEvenly } from './support/call-events.ts'
import { cpuOfServer, cpuOfProcess } from './support/cpu.ts'
import { median, onStage, percentile } from './support/stage.ts'

const LEADS = 20_000
const ROUNDS = 3
const BACKLOG = 10_000
const LARGE_BACKLOG = 100_000
const RUNS_PER_S_MIN = 1_000
const PACED_PER_S = 200
const PACED_S = 10
const P99_MS_MAX = 500

const secret = `whsec_${Buffer.from('the secret of the benchmark').toString('base64')}`
const key = signingKey(secret)

await onStage(async ({ databaseUrl, serve, judge }) => {
  const { key: apiKey } = await fillLeads(databaseUrl, LEADS)
  const db = new pg.Client(databaseUrl)
  db.on('error', () => {})
  await db.connect()
  const leads = (await db.query('select id from leads')).rows.map(({ id }) => id as string)
  const count = async (text: string) => Number((await db.query(text)).rows[0].count)
  const ended = () => count(`select count(*) from workflow_runs where status = 'DONE'`)

  const api = await serve('webhook-product', { role: 'api', secret })
  await addCallWorkflow(api.url, apiKey)
  const startWorker = () => serve('webhook-product', { role: 'worker', secret })
  const drained = async () => {
    while (await isBusy(db)) await pause(50)
  }
  const warm = await startWorker()
  await sendCalls(api.url, key, leads, 2_000)
  await drained()
  warm.child.kill('SIGKILL')

  /** How many runs one worker process finishes each second, when so many events have piled up. */
  async function drain(backlog: number): Promise<number> {
    // What the server does by itself every minute: a round is shorter.
    await db.query('vacuum analyze')
    const before = await ended()
    await sendCalls(api.url, key, leads, backlog)
    const worker = await startWorker()
    const server = await cpuOfServer(db)
    const node = await cpuOfProcess(worker.child.pid!)
    const began = performance.now()
    await drained()
    const seconds = (performance.now() - began) / 1000
    const cost = (
      [
        ['worker', (await cpuOfProcess(worker.child.pid!)) - node],
        ['PostgreSQL', (await cpuOfServer(db)) - server],
      ] as const
    ).map(([who, used]) => `${who} ${((used / backlog) * 1000).toFixed(2)} s`)
    worker.child.kill('SIGKILL')
    const finished = (await ended()) - before
    if (finished !== backlog) throw new Error(`${finished} runs of ${backlog} events are done`)
    console.log(
      `  ${backlog}: ${Math.round(backlog / seconds)}/s; processor time of a thousand: ${cost.join(', ')}`,
    )
    return backlog / seconds
  }

  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await drain(BACKLOG))
  const perSecond = median(rounds)
  judge(
    'calls with their runs, one worker process',
    `${Math.round(perSecond)}/s`,
    perSecond >= RUNS_PER_S_MIN,
    `at least ${RUNS_PER_S_MIN}/s`,
  )

  const worker = await startWorker()
  const since = new Date()
  await sendCallsEvenly(api.url, key, leads, { perSecond: PACED_PER_S, seconds: PACED_S })
  await drained()
  worker.child.kill('SIGKILL')
  const { rows } = await db.query<{ ms: number }>(
    `select extract(epoch from runs.ended_at - inbound.received_at)::float * 1000 as ms from workflow_runs as runs
     join events on events.team_id = runs.team_id and events.id = runs.event_id
     join inbound_events as inbound on inbound.id = events.subject_id where runs.created_at > $1`,
    [since],
  )
  const waits = rows.map(({ ms }) => Number(ms))
  const p99 = percentile(waits, 99)
  judge(
    `from the answer to the end of the run at ${PACED_PER_S}/s, p99`,
    `${p99.toFixed(0)} ms, median ${median(waits).toFixed(0)} ms (${waits.length} runs)`,
    p99 < P99_MS_MAX,
    `below ${P99_MS_MAX} ms`,
  )

  const drains = await drain(LARGE_BACKLOG)
  judge(
    `a backlog of ${LARGE_BACKLOG} drains at`,
    `${Math.round(drains)}/s`,
    drains >= RUNS_PER_S_MIN,
    `at least ${RUNS_PER_S_MIN}/s`,
  )
  await db.end()
})
