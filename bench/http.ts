/**
 * The product against a bare Fastify handler that runs the same one SQL statement on a pool of the same size, on the
 * same server, in turns. Prints ratios: machines differ, ratios less so. Run it with `npm run bench:http`.
 */
import autocannon from 'autocannon'
import { fillLeads } from './support/leads.ts'
import type { Result } from './support/result.ts'
import { median, onStage, type Stage, type Target } from './support/stage.ts'

const CONNECTIONS = 32
const WHOLE = { leads: 100_000, rounds: 5, roundS: 4 }
const RATIO_MIN = 0.8
const P99_RATIO_MAX = 3
const IDLE_MEMORY_MIB_MAX = 170

if (import.meta.main) await onStage(benchHttp)

export async function benchHttp(stage: Stage, size = WHOLE): Promise<Result[]> {
  const { databaseUrl, serve, judge } = stage
  const { team_id, key } = await fillLeads(databaseUrl, size.leads)
  console.log(
    `${size.leads} leads, ${CONNECTIONS} connections, ${size.rounds} rounds of ${size.roundS} s in turns\n`,
  )
  const product = await serve('product', { key })
  const bare = await serve('bare', { team_id })
  judge(
    'idle memory',
    `${product.memoryMiB} MiB`,
    product.memoryMiB <= IDLE_MEMORY_MIB_MAX,
    `at most ${IDLE_MEMORY_MIB_MAX} MiB`,
  )

  const list = { path: '/api/crm/leads?limit=50' }
  const body = JSON.stringify({
    first_name: 'Bench',
    last_name: 'Mark',
    email: 'bench@mark.example',
    company: 'Bench Co',
  })
  const create = { path: '/api/crm/leads', method: 'POST' as const, body }
  const both = { product, bare, size }
  const listed = await compare(stage, 'GET  /api/crm/leads?limit=50', list, list, both)
  const created = await compare(stage, 'POST /api/crm/leads', create, create, both)
  if (size === WHOLE) {
    const alone = { ...create, path: '/lead-alone' }
    const name = 'POST /api/crm/leads, beside a handler that writes the lead alone'
    await compare(stage, name, create, alone, both, 'for information')
  }
  return [
    { job: 'List 50 leads over HTTP', ...listed },
    { job: 'Create a lead over HTTP, with its event', ...created },
  ]
}

type Load = { path: string; method?: 'GET' | 'POST'; body?: string }
type Both = { product: Target; bare: Target; size: typeof WHOLE }
type Measured = { perSecond: number; p99Ms: number }

async function compare(
  { judge }: Stage,
  name: string,
  load: Load,
  bareLoad: Load,
  { product, bare, size }: Both,
  informal?: string,
): Promise<Omit<Result, 'job'>> {
  await run(product, load, 2)
  await run(bare, bareLoad, 2)
  const rounds: { product: Measured; bare: Measured }[] = []
  for (let round = 0; round < size.rounds; round++) {
    rounds.push({
      product: await run(product, load, size.roundS),
      bare: await run(bare, bareLoad, size.roundS),
    })
  }
  const rate = (of: 'product' | 'bare') => median(rounds.map(round => round[of].perSecond))
  const p99 = (of: 'product' | 'bare') => median(rounds.map(round => round[of].p99Ms))
  const ratio = median(rounds.map(round => round.product.perSecond / round.bare.perSecond))
  console.log(
    `${name}: ${Math.round(rate('product'))}/s against ${Math.round(rate('bare'))}/s, p99 ${p99('product')} ms against ${p99('bare')} ms`,
  )
  const what = 'a bare Fastify handler with the same SQL'
  const result: Omit<Result, 'job'> = {
    value: rate('product'),
    unit: '/s',
    beside: { what, value: rate('bare'), ratio },
  }
  if (informal) {
    console.log(`     throughput ratio: ${ratio.toFixed(2)} (${informal})`)
    return result
  }
  judge('  throughput ratio', ratio.toFixed(2), ratio >= RATIO_MIN, `at least ${RATIO_MIN}`)
  if (load.method === 'POST') return result
  const p99Ratio = median(rounds.map(round => round.product.p99Ms / Math.max(1, round.bare.p99Ms)))
  judge('  p99 ratio', p99Ratio.toFixed(2), p99Ratio <= P99_RATIO_MAX, `at most ${P99_RATIO_MAX}`)
  return result
}

async function run(target: Target, { path, method = 'GET', body }: Load, seconds: number): Promise<Measured> {
  const headers = { ...target.headers, ...(body && { 'content-type': 'application/json' }) }
  const result = await autocannon({
    url: target.url + path,
    method,
    headers,
    connections: CONNECTIONS,
    duration: seconds,
    ...(body && { body }),
  })
  const wrong = result.non2xx + result.errors
  if (wrong > 0) throw new Error(`${wrong} requests to ${target.url} failed`)
  return { perSecond: result.requests.total / result.duration, p99Ms: result.latency.p99 }
}
