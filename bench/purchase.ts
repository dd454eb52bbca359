/**
 * The 402 of an agent that is for sale beside a bare Fastify handler that answers the same four fields, in turns. What is
 * to be paid is asked by every client that looks around: it must cost no database and no chain. Run it with
 * `npm run bench:purchase`.
 */
import { fillLeads } from './support/leads.ts'
import { askPlainly, type Asked as Measured } from './support/plain-client.ts'
import type { Result } from './support/result.ts'
import { median, onStage, type Stage, type Target } from './support/stage.ts'

const CONNECTIONS = 32
const WHOLE = { rounds: 15, roundS: 1.5 }
const WARM_UP_S = 3
const RATIO_MIN = 0.8

if (import.meta.main) await onStage(benchPurchase)

export async function benchPurchase({ databaseUrl, serve, judge }: Stage, size = WHOLE): Promise<Result[]> {
  const { key } = await fillLeads(databaseUrl, 1)
  const product = await serve('purchase-product', { key })
  const path = await listedAgent(product)
  const bare = await serve('purchase-bare', { answer: await answerOf(product.url + path) })
  console.log(`${CONNECTIONS} connections, ${size.rounds} rounds of ${size.roundS} s in turns\n`)
  const runs = {
    product: (seconds: number) => run(product.url + path, seconds),
    bare: (seconds: number) => run(bare.url + path, seconds),
    alike: (seconds: number) => run(`${bare.url}/alike`, seconds),
  }
  for (const each of Object.values(runs)) await each(WARM_UP_S)
  const rounds: Record<keyof typeof runs, Measured>[] = []
  for (let round = 0; round < size.rounds; round++)
    rounds.push({
      product: await runs.product(size.roundS),
      bare: await runs.bare(size.roundS),
      alike: await runs.alike(size.roundS),
    })
  const middle = (of: keyof typeof runs, what: keyof Measured) => median(rounds.map(round => round[of][what]))
  const ratioTo = (of: 'bare' | 'alike') =>
    median(rounds.map(round => round.product.perSecond / round[of].perSecond))
  console.log(
    `402 challenge: ${Math.round(middle('product', 'perSecond'))}/s against ${Math.round(middle('bare', 'perSecond'))}/s, p99 ${middle('product', 'p99Ms').toFixed(1)} ms against ${middle('bare', 'p99Ms').toFixed(1)} ms`,
  )
  console.log(
    `     beside a handler that sends the same headers, ready-made: ${ratioTo('alike').toFixed(2)} (for information)`,
  )
  const ratio = ratioTo('bare')
  judge('  throughput ratio', ratio.toFixed(2), ratio >= RATIO_MIN, `at least ${RATIO_MIN}`)
  const what = 'a bare Fastify handler that sends a fixed body'
  return [
    {
      job: 'Answer a purchase with its payment challenge (402)',
      value: middle('product', 'perSecond'),
      unit: '/s',
      beside: { what, value: middle('bare', 'perSecond'), ratio },
    },
  ]
}

/** As strangers get it: what a handler would have to send to say the same. */
async function answerOf(url: string): Promise<string> {
  const reply = await fetch(url)
  const left = ['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']
  const headers = Object.fromEntries([...reply.headers].filter(([name]) => !left.includes(name)))
  return JSON.stringify({ headers, body: await reply.json() })
}

async function listedAgent({ url, headers }: Target): Promise<string> {
  const reply = await fetch(`${url}/api/voice/agents`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Front desk',
      instructions: 'Answer kindly.',
      price: { amount: '25.00', currency: 'USD' },
      listed: true,
    }),
  })
  if (reply.status !== 201) throw new Error(await reply.text())
  return `/api/v1/agent/purchase/${((await reply.json()) as { id: string }).id}`
}

function run(url: string, seconds: number): Promise<Measured> {
  return askPlainly(url, CONNECTIONS, seconds, 402)
}
