import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

const PORT = 5_679
const CONNECTIONS = 16
const SECONDS = 10
const START_MS_MAX = 120_000
const run = promisify(execFile)

/** Webhook → IF → Set, as n8n has it, saving nothing: its fastest. */
const workflow = {
  id: 'benchbenchbench1',
  name: 'Bench',
  active: true,
  settings: {
    executionOrder: 'v1',
    saveDataSuccessExecution: 'none',
    saveDataErrorExecution: 'none',
    saveManualExecutions: false,
  },
  nodes: [
    {
      id: '1',
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      position: [0, 0],
      webhookId: 'bench',
      parameters: { httpMethod: 'POST', path: 'bench', responseMode: 'lastNode' },
    },
    {
      id: '2',
      name: 'IF',
      type: 'n8n-nodes-base.if',
      typeVersion: 1,
      position: [200, 0],
      parameters: {
        conditions: { number: [{ value1: '={{$json.body.durationSec}}', operation: 'larger', value2: 120 }] },
      },
    },
    {
      id: '3',
      name: 'Set',
      type: 'n8n-nodes-base.set',
      typeVersion: 2,
      position: [400, 0],
      parameters: { values: { string: [{ name: 'stage', value: 'Engage_Human' }] }, options: {} },
    },
  ],
  connections: {
    Webhook: { main: [[{ node: 'IF', type: 'main', index: 0 }]] },
    IF: { main: [[{ node: 'Set', type: 'main', index: 0 }], []] },
  },
}

/** n8n of this folder, on a home of its own, with that workflow active. */
export async function startN8n(folder: string) {
  const home = await mkdtemp(join(tmpdir(), 'rapport-n8n-'))
  const program = join(folder, 'node_modules', '.bin', 'n8n')
  const { version } = JSON.parse(
    await readFile(join(folder, 'node_modules', 'n8n', 'package.json'), 'utf8'),
  ) as {
    version: string
  }
  const env = {
    ...process.env,
    N8N_USER_FOLDER: home,
    N8N_PORT: String(PORT),
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_RUNNERS_ENABLED: 'false',
    EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
    EXECUTIONS_DATA_SAVE_ON_ERROR: 'none',
    N8N_LOG_LEVEL: 'error',
  }
  const file = join(home, 'workflow.json')
  await writeFile(file, JSON.stringify([workflow]))
  await run(program, ['import:workflow', `--input=${file}`], { env })
  await run(program, ['publish:workflow', `--id=${workflow.id}`], { env }).catch(() =>
    run(program, ['update:workflow', `--id=${workflow.id}`, '--active=true'], { env }),
  )
  const child = spawn(program, ['start'], { env, stdio: 'ignore' })
  const url = `http://127.0.0.1:${PORT}/webhook/bench`
  const call = () =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"durationSec":200}',
    }).then(
      ({ status }) => status === 200,
      () => false,
    )
  for (const end = Date.now() + START_MS_MAX; !(await call());) {
    if (Date.now() > end) throw new Error('n8n does not answer')
    await pause(500)
  }
  return {
    version,
    async measure() {
      const options = {
        url,
        method: 'POST' as const,
        headers: { 'content-type': 'application/json' },
        body: '{"durationSec":200}',
        connections: CONNECTIONS,
      }
      await autocannon({ ...options, duration: 3 })
      const result = await autocannon({ ...options, duration: SECONDS })
      if (result.non2xx + result.errors > 0)
        throw new Error(`${result.non2xx + result.errors} requests to n8n failed`)
      return { perSecond: result.requests.total / result.duration, p99Ms: result.latency.p99 }
    },
    async stop() {
      child.kill('SIGKILL')
      await rm(home, { recursive: true, force: true })
    },
  }
}
