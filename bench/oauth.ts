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
import { median, onStage, type Stage } from './support/stage.ts'

const LEADS = 10_000
const CONNECTIONS = 64
const ROUNDS = 7
const CODES_PER_ROUND = 5_000
const READ_ROUND_S = 4
const TOKEN_RATIO_MIN = 1
const BEARER_RATIO_MIN = 0.9

await onStage(async stage => {
  const { databaseUrl, serve } = stage
  const { team_id, key } = await fillLeads(databaseUrl, LEADS)
  const grants = await fillGrants(databaseUrl, team_id)
  const product = await serve('product', { key })
  const oidc = await serve('oidc', {})
  const open = await serve('open-product', { team_id })

  console.log(`${ROUNDS} rounds of ${CODES_PER_ROUND} codes by ${CONNECTIONS} connections, in turns`)
  await compare(stage, 'codes exchanged', TOKEN_RATIO_MIN, {
    ours: async () =>
      exchange(`${product.url}/api/oauth/token`, grants.client_id, await grants.codes(CODES_PER_ROUND)),
    theirs: async () => exchange(`${oidc.url}/token`, 'bench', await codesOf(oidc.child)),
    names: ['Rapport, on disk', 'oidc-provider, in memory'],
  })

  console.log(`\n${ROUNDS} rounds of ${READ_ROUND_S} s of GET /api/crm/leads?limit=50, in turns`)
  const authorization = `Bearer ${grants.access_token}`
  await compare(stage, 'reads', BEARER_RATIO_MIN, {
    ours: () => read(`${open.url}/api/crm/leads?limit=50`, { authorization }),
    theirs: () => read(`${open.url}/open/api/crm/leads?limit=50`, {}),
    names: ['with an access token', 'without anybody being looked up'],
  })
  await grants.close()
})

type Pair = { ours(): Promise<number>; theirs(): Promise<number>; names: [string, string] }

/** Each value is a rate. The first round of both warms up. */
async function compare(
  { judge }: Stage,
  what: string,
  ratioMin: number,
  { ours, theirs, names }: Pair,
): Promise<void> {
  const rounds: [number, number][] = []
  for (let round = 0; round <= ROUNDS; round++) rounds.push([await ours(), await theirs()])
  const counted = rounds.slice(1)
  const rates = [0, 1].map(side => median(counted.map(round => round[side]!)))
  const ratio = median(counted.map(([mine, other]) => mine / other))
  console.log(`${what} a second: ${names.map((name, at) => `${Math.round(rates[at]!)} ${name}`).join(', ')}`)
  judge('  ratio', ratio.toFixed(2), ratio >= ratioMin, `at least ${ratioMin}`)
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

async function read(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: READ_ROUND_S })
  refuseFailures(result)
  return result.requests.total / result.duration
}

function refuseFailures({ non2xx, errors }: autocannon.Result): void {
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed`)
}

async function codesOf(child: ChildProcess): Promise<string[]> {
  child.send({ codes: CODES_PER_ROUND })
  const [{ codes }] = (await once(child, 'message')) as [{ codes: string[] }]
  return codes
}
