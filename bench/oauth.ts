/**
 * The authorization server beside `oidc-provider` with everything in memory: how many codes a second become tokens,
 * where ours are on disk before they are answered. And what a bearer costs: the same read with an access token, and by
 * a product whose doors were taken out. In turns, in one run. Run it with `npm run bench:oauth`.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import autocannon from 'autocannon'
import { fillGrants, REDIRECT_URI, VERIFIER } from './support/codes.ts'
import { fillLeads } from './support/leads.ts'
import type { Result } from './support/result.ts'
import { median, onStage, type Stage } from './support/stage.ts'

const LEADS = 10_000
const CONNECTIONS = 64
const WHOLE = { rounds: 7, codes: 5_000, readS: 4 }
const TOKEN_RATIO_MIN = 1
const BEARER_RATIO_MIN = 0.9

if (import.meta.main) await onStage(benchOauth)

export async function benchOauth(stage: Stage, size = WHOLE): Promise<Result[]> {
  const { databaseUrl, serve } = stage
  const { team_id, key } = await fillLeads(databaseUrl, LEADS)
  const grants = await fillGrants(databaseUrl, team_id)
  const product = await serve('product', { key })
  const oidc = await serve('oidc', {})
  const open = await serve('open-product', { team_id })

  console.log(`${size.rounds} rounds of ${size.codes} codes by ${CONNECTIONS} connections, in turns`)
  const tokens = await compare(stage, 'codes exchanged', TOKEN_RATIO_MIN, size.rounds, {
    ours: async () =>
      exchange(`${product.url}/api/oauth/token`, grants.client_id, await grants.codes(size.codes)),
    theirs: async () => exchange(`${oidc.url}/token`, 'bench', await codesOf(oidc.child, size.codes)),
    names: ['Rapport, on disk', 'oidc-provider, in memory'],
  })

  console.log(`\n${size.rounds} rounds of ${size.readS} s of GET /api/crm/leads?limit=50, in turns`)
  const authorization = `Bearer ${grants.access_token}`
  const reads = await compare(stage, 'reads', BEARER_RATIO_MIN, size.rounds, {
    ours: () => read(`${open.url}/api/crm/leads?limit=50`, { authorization }, size.readS),
    theirs: () => read(`${open.url}/open/api/crm/leads?limit=50`, {}, size.readS),
    names: ['with an access token', 'without anybody being looked up'],
  })
  await grants.close()
  return [
    { job: 'Exchange an OAuth code for tokens', ...tokens },
    { job: 'Read with an access token', ...reads },
  ]
}

type Pair = { ours(): Promise<number>; theirs(): Promise<number>; names: [string, string] }

/** Each value is a rate. The first round of both warms up. */
async function compare(
  { judge }: Stage,
  what: string,
  ratioMin: number,
  rounds: number,
  { ours, theirs, names }: Pair,
): Promise<Omit<Result, 'job'>> {
  const all: [number, number][] = []
  for (let round = 0; round <= rounds; round++) all.push([await ours(), await theirs()])
  const counted = all.slice(1)
  const rates = [0, 1].map(side => median(counted.map(round => round[side]!)))
  const ratio = median(counted.map(([mine, other]) => mine / other))
  console.log(`${what} a second: ${names.map((name, at) => `${Math.round(rates[at]!)} ${name}`).join(', ')}`)
  judge('  ratio', ratio.toFixed(2), ratio >= ratioMin, `at least ${ratioMin}`)
  return { value: rates[0]!, unit: '/s', beside: { what: names[1], value: rates[1]!, ratio } }
}

async function exchange(url: string, client_id: string, codes: string[]): Promise<number> {
  const count = codes.length
  const bodies = codes.map(code =>
    new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      client_id,
      code_verifier: VERIFIER,
    }).toString(),
  )
  const options: autocannon.Options = {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    connections: CONNECTIONS,
    amount: count,
    requests: [{ setupRequest: request => ({ ...request, body: bodies.pop()! }) }],
  }
  const begun = performance.now()
  let ended = begun
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const load = autocannon(options, (error, result) => (error ? reject(error as Error) : resolve(result)))
    // The result itself comes only at the next full second.
    load.on('response', () => (ended = performance.now()))
  })
  refuseFailures(result)
  return count / ((ended - begun) / 1000)
}

async function read(url: string, headers: Record<string, string>, duration: number): Promise<number> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration })
  refuseFailures(result)
  return result.requests.total / result.duration
}

function refuseFailures({ non2xx, errors }: autocannon.Result): void {
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed`)
}

async function codesOf(child: ChildProcess, count: number): Promise<string[]> {
  child.send({ codes: count })
  const [{ codes }] = (await once(child, 'message')) as [{ codes: string[] }]
  return codes
}
