/**
 * What people wait for once an installation has grown: 1,000 teams, a million leads, half of them in one team, their tasks,
 * messages, calls and other records, and five million events over two years. Prints the time of every page of the large team. Run it with `npm run bench:growth`;
 * smaller with `-- --leads 100000 --events 500000`, and again on what a run with `--in <folder>` has left there.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '#config'
import { sessionCookie } from '#domains/identity/cookie.ts'
import { startSession } from '#domains/identity/sessions.ts'
import { tokensOf } from '#domains/identity/tokens.ts'
import { systemContext } from '#platform/context.ts'
import { openPorts } from '../src/commands/ports.ts'
import { startProcess } from '../src/process.ts'
import { openGrown } from './support/grown.ts'
import type { Grown } from './support/growth-data.ts'
import { pagesOfLeads, pagesOfRecords, type Entry } from './support/growth-pages.ts'
import { percentile } from './support/stage.ts'

const PAGE_MS_MAX = 100
const EXPORT_ROWS_PER_SECOND = 100_000
const ROUNDS = 20

const { values: flags } = parseArgs({
  options: {
    teams: { type: 'string', default: '1000' },
    leads: { type: 'string', default: '1000000' },
    events: { type: 'string', default: '5000000' },
    in: { type: 'string' },
    only: { type: 'string', multiple: true, default: [''] },
  },
})
const folder = flags.in ?? (await mkdtemp(join(tmpdir(), 'rapport-bench-')))
const grown = await openGrown(folder, {
  teams: Number(flags.teams),
  leads: Number(flags.leads),
  events: Number(flags.events),
})
const config = readConfig({
  PORT: '0',
  DATA_DIR: folder,
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'error',
  SESSION_SECRET: randomBytes(32).toString('hex'),
  SCHEDULER: 'off',
})
let failed = false
try {
  const running = await startProcess({ config, databaseUrl: grown.url, ports: openPorts(config) })
  try {
    await measure(running.url, await signIn(running.runtime, grown))
  } finally {
    await running.stop()
  }
} catch (error) {
  failed = true
  console.error(error)
} finally {
  await grown.stop()
  if (!flags.in) await rm(folder, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

async function signIn(runtime: Parameters<typeof systemContext>[0], { user_id }: Grown): Promise<string> {
  const ctx = systemContext(runtime)
  const session = await startSession(ctx, user_id, { method: 'link', ip: null, user_agent: null })
  return sessionCookie(ctx.runtime.settings, await tokensOf(ctx.runtime.settings).seal(session)).split(
    ';',
  )[0]!
}

async function measure(url: string, cookie: string): Promise<void> {
  const get = async (path: string): Promise<Response> => {
    const response = await fetch(url + path, { headers: { cookie } })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response
  }
  const json = async (path: string) => (await get(path)).json() as Promise<any>
  const [lead] = (await json('/api/crm/leads?limit=1&sort=-last_name')).data as {
    id: string
    owner_id: string
  }[]
  const { data } = await json('/api/team/audit?limit=200')
  const event = data.find((entry: { lead_id: string | null }) => entry.lead_id) as Entry
  const deep = (await json('/api/crm/leads?sort=last_name&limit=200')).next_cursor as string

  const pages = [
    ...pagesOfLeads({ lead: lead!, event, furtherOn: deep }),
    ...pagesOfRecords({ owner_id: lead!.owner_id, lead_id: event.lead_id }),
  ]
  for (const [name, path, max = PAGE_MS_MAX] of pages) {
    if (!isAsked(name)) continue
    const times: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const began = performance.now()
      await (await get(path)).arrayBuffer()
      // The first one fills what is remembered, as somebody's first click of the day does.
      if (round > 0) times.push(performance.now() - began)
      if (times.length >= 3 && percentile(times, 50) > 10 * max) break
    }
    const p95 = percentile(times, 95)
    const [fastest, median] = [Math.min(...times), percentile(times, 50)]
    // On a busy machine the fastest says most about the work that is done.
    const value = `${median.toFixed(1)} ms, fastest ${fastest.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`
    judge(name, value, p95 <= max, `${max} ms`)
  }
  if (isAsked('export')) await measureExport(get)
}

async function measureExport(get: (path: string) => Promise<Response>): Promise<void> {
  const began = performance.now()
  let rows = -1
  let bytes = 0
  for await (const chunk of (await get('/api/crm/leads/export')).body!) {
    bytes += chunk.length
    for (const byte of chunk) if (byte === 10) rows++
  }
  const seconds = (performance.now() - began) / 1_000
  const rate = rows / seconds
  judge(
    'export',
    `${rows} rows, ${Math.round(bytes / 1e6)} MB in ${seconds.toFixed(1)} s: ${Math.round(rate)} rows/s`,
    rate >= EXPORT_ROWS_PER_SECOND,
    `${EXPORT_ROWS_PER_SECOND} rows/s`,
  )
}

function isAsked(name: string): boolean {
  return flags.only.some(part => name.includes(part))
}

function judge(what: string, value: string, good: boolean, wanted: string): void {
  if (!good) failed = true
  console.log(`${good ? 'PASS' : 'FAIL'} ${what}: ${value} (${wanted})`)
}
