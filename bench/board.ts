/**
 * Scrolls boards of 2,000 cards in Chromium and times every frame: the board of a project and the pipeline, beside an
 * empty page that only waits for its frames, in the same browser. Machines differ, so a ratio is printed too. Run it with
 * `npm run bench:board`, after `npm run build`.
 */
import { findChromium } from '../scripts/chromium.mjs'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import pg from 'pg'
import { startEmbeddedPostgres } from '#adapters/postgres/embedded.ts'
import { readConfig } from '#config'
import { sessionCookie } from '#domains/identity/cookie.ts'
import { ensureUser, homeTeam } from '#domains/identity/people.ts'
import { startSession } from '#domains/identity/sessions.ts'
import { tokensOf } from '#domains/identity/tokens.ts'
import { systemContext } from '#platform/context.ts'
import { migrate } from '#platform/database/migrate.ts'
import { newId } from '#platform/ids.ts'
import { openPorts } from '../src/commands/ports.ts'
import { startProcess } from '../src/process.ts'

const CARDS = 2_000
const ROUNDS = 3
const ROUND_S = 4
const STEP_PX = 90
const P95_MS_MAX = 33

const dataDir = await mkdtemp(join(tmpdir(), 'rapport-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
await migrate(postgres.url, new URL('../migrations/', import.meta.url).pathname)
const config = readConfig({
  PORT: '0',
  DATA_DIR: dataDir,
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'error',
  SESSION_SECRET: randomBytes(32).toString('hex'),
})
const webFolder = new URL('../dist/web', import.meta.url).pathname
const running = await startProcess({
  config,
  databaseUrl: postgres.url,
  ports: openPorts(config),
  webFolder,
})
const browser = await chromium.launch({
  executablePath: findChromium()!,
  args: ['--no-sandbox', '--disable-gpu'],
})
let failed = false
try {
  const { cookie, team_id } = await signIn()
  const project_id = await fillBoards(team_id)
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const [name = '', value = ''] = cookie.split(/=(.*)/s)
  await context.addCookies([{ name, value, url: running.url }])
  const page = await context.newPage()
  console.log(
    `${CARDS} cards on each board, ${ROUNDS} rounds of ${ROUND_S} s in turns, column after column\n`,
  )
  const scenes: [name: string, path: string][] = [
    ['empty page', '/healthz'],
    ['board of a project', `/projects/${project_id}`],
    ['pipeline of opportunities', '/pipeline?of=opportunities'],
  ]
  const rounds: number[][][] = []
  for (let round = 0; round < ROUNDS; round++) {
    const times: number[][] = []
    for (const [, path] of scenes) times.push(await framesOf(page, path))
    rounds.push(times)
  }
  for (const [at, [name]] of scenes.entries()) {
    const own = rounds.map(times => times[at]!)
    const [p50, p95, max] = [0.5, 0.95, 1].map(share => median(own.map(times => quantile(times, share))))
    console.log(`${name}: p50 ${ms(p50)}, p95 ${ms(p95)}, max ${ms(max)}`)
    if (at === 0) continue
    const ratio = median(rounds.map(times => quantile(times[at]!, 0.95) / quantile(times[0]!, 0.95)))
    const good = p95! < P95_MS_MAX
    if (!good) failed = true
    console.log(`${good ? 'PASS' : 'FAIL'}   p95: ${ms(p95)} (below ${P95_MS_MAX} ms)`)
    console.log(`     p95 ratio to the empty page: ${ratio.toFixed(2)}`)
  }
} catch (error) {
  failed = true
  console.error(error)
} finally {
  await browser.close()
  await running.stop()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

async function framesOf(page: Page, path: string): Promise<number[]> {
  await page.goto(running.url + path)
  if (path !== '/healthz') await page.locator('[data-card]').first().waitFor()
  // The page first comes to rest: it is the scrolling that is timed, not the loading.
  await page.waitForTimeout(1_500)
  return frames(page)
}

/** How long each frame took while the columns were scrolled one by one, down and up again; an empty page only waits. */
async function frames(page: Page): Promise<number[]> {
  return page.evaluate(`(async () => {
    const columns = [...document.querySelectorAll('section[data-column] > div')]
    const times = []
    for (const column of columns.length ? columns : [null]) {
      let direction = 1
      let last = await new Promise(requestAnimationFrame)
      const end = last + ${ROUND_S * 1_000} / Math.max(1, columns.length)
      while (last < end) {
        if (column) {
          column.scrollTop += ${STEP_PX} * direction
          if (column.scrollTop + column.clientHeight >= column.scrollHeight - 2) direction = -1
          if (column.scrollTop === 0) direction = 1
        }
        const now = await new Promise(requestAnimationFrame)
        times.push(now - last)
        last = now
      }
    }
    return times
  })()`)
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

function median(values: number[]): number {
  return quantile(values, 0.5)
}

function ms(value: number | undefined): string {
  return `${value!.toFixed(1)} ms`
}

async function signIn(): Promise<{ cookie: string; team_id: string }> {
  const ctx = systemContext(running.runtime)
  const user = await ensureUser(ctx, 'bench@example.test')
  const team_id = await homeTeam(ctx, user.id)
  const session = await startSession(ctx, user.id, { method: 'link', ip: null, user_agent: null })
  const { settings } = ctx.runtime
  return { cookie: sessionCookie(settings, await tokensOf(settings).seal(session)).split(';')[0]!, team_id }
}

/** Written straight into the tables: a board of a project, and as many opportunities over all stages. */
async function fillBoards(team_id: string): Promise<string> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const project_id = newId()
  const columns = ['todo', 'doing', 'done'].map((key, at) => ({
    key,
    name: key,
    status: ['TODO', 'DOING', 'DONE'][at],
  }))
  await client.query(
    `insert into projects (team_id, id, name, columns, status, created_at, updated_at)
     values ($1, $2, 'Bench', $3, 'ACTIVE', now(), now())`,
    [team_id, project_id, JSON.stringify(columns)],
  )
  await client.query(
    `insert into tasks (team_id, id, title, project_id, "column", position, status, due_at, created_at, updated_at)
     select $1, lpad(to_hex(i), 24, '0'), 'Task number ' || i || case when i % 3 = 0 then ' with a title that needs two lines' else '' end,
       $2, (array['todo', 'doing', 'done'])[1 + i % 3], 'a' || lpad(i::text, 6, '0') || 'V', (array['TODO', 'DOING', 'DONE'])[1 + i % 3],
       case when i % 2 = 0 then now() + i * interval '1 hour' end, now(), now()
     from generate_series(1, $3::int) as i`,
    [team_id, project_id, CARDS],
  )
  await client.query(
    `insert into opportunities (team_id, id, name, amount, currency, stage, close_date, created_at, updated_at)
     select $1, lpad(to_hex(i), 24, '0'), 'Deal number ' || i, i * 10, 'EUR',
       (array['prospecting', 'qualification', 'proposal', 'negotiation', 'closed_won', 'closed_lost'])[1 + i % 6],
       current_date + i % 90, now() - i * interval '1 minute', now() - i * interval '1 minute'
     from generate_series(1, $2::int) as i`,
    [team_id, CARDS],
  )
  await client.end()
  return project_id
}
