/**
 * Whether those who work are held up by somebody who sends the hardest bodies there are: forty at once, again and again,
 * beside fifty honest requests a second, with the rate limits off. Run it with `npm run bench:attack`.
 */
import { once } from 'node:events'
import { fillLeads } from './support/leads.ts'
import { onStage, percentile, type Target } from './support/stage.ts'
import { steady, type Call } from './support/steady.ts'

const LEADS = 10_000
const HONEST_PER_S = 50
const ATTACKS = 40
const QUIET_S = 10
const ATTACKED_S = 30
const P99_MS_MAX = 250

await onStage(async ({ databaseUrl, serve, judge }) => {
  const { key } = await fillLeads(databaseUrl, LEADS)
  const product = await serve('product', { key })
  console.log(`${LEADS} leads, ${HONEST_PER_S} honest requests/s, ${ATTACKS} attacks at once\n`)
  const next = await honestCalls(product)
  await steady(product.url, { perSecond: HONEST_PER_S, seconds: 3 }, next)
  const quiet = await steady(product.url, { perSecond: HONEST_PER_S, seconds: QUIET_S }, next)

  const attacker = await serve('attacker', { url: product.url, key: key!, at_once: String(ATTACKS) })
  const failures: string[] = []
  const attacked = await steady(
    product.url,
    { perSecond: HONEST_PER_S, seconds: ATTACKED_S },
    next,
    ({ message }) => failures.push(message),
  )
  attacker.child.send('enough')
  const [{ answered, failed }] = (await once(attacker.child, 'message')) as [
    { answered: number; failed: string[] },
  ]

  const shown = (times: number[], part: number) => percentile(times, part).toFixed(1)
  console.log(`quiet: p50 ${shown(quiet, 50)} ms, p99 ${shown(quiet, 99)} ms`)
  console.log(
    `beside ${(answered / ATTACKED_S).toFixed(0)} attacks/s: p50 ${shown(attacked, 50)} ms, slowest ${Math.max(...attacked).toFixed(0)} ms`,
  )
  if (percentile(quiet, 99) > P99_MS_MAX)
    console.log('This machine is busy with something else: the numbers say nothing.')
  judge(
    'honest p99',
    `${shown(attacked, 99)} ms`,
    percentile(attacked, 99) <= P99_MS_MAX,
    `at most ${P99_MS_MAX} ms`,
  )
  judge(
    'honest requests that failed',
    `${failures.length} ${failures[0] ?? ''}`,
    failures.length === 0,
    'none',
  )
  judge('attacks that were answered with 5xx', failed.join(', ') || 'none', failed.length === 0, 'none')
})

/** By turns: a list, a search, a record, and a new one. */
async function honestCalls({ url, headers }: Target): Promise<() => Call> {
  const list = await fetch(`${url}/api/crm/leads?limit=1`, { headers })
  const { data } = (await list.json()) as { data: { id: string }[] }
  const body = JSON.stringify({ first_name: 'Grace', last_name: 'Hopper', company: 'Navy' })
  const calls: Call[] = [
    { method: 'GET', path: '/api/crm/leads?limit=50', headers },
    { method: 'GET', path: `/api/crm/leads/${data[0]!.id}`, headers },
    {
      method: 'POST',
      path: '/api/crm/leads',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    },
    { method: 'GET', path: '/api/crm/leads?q=hopper', headers },
  ]
  let number = 0
  return () => calls[number++ % calls.length]!
}
