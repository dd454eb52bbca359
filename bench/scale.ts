/**
 * What a page and a change take as a team grows: 1,000, 10,000, 100,000 and a million leads, one after the other in one
 * database; then the export of all of them, beside a bare COPY of the same rows. A part of `npm run bench`.
 */
import { once } from 'node:events'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { leadColumns } from '#domains/leads/store.ts'
import { addLeads, fillLeads } from './support/leads.ts'
import type { Result } from './support/result.ts'
import { median, type Stage, type Target } from './support/stage.ts'

export const SIZES = [1_000, 10_000, 100_000, 1_000_000]
const ROUNDS = 30
const WARM_UP = 5

const pages: [name: string, path: string][] = [
  ['List 50 leads', '/api/crm/leads?limit=50'],
  ['Board', '/api/crm/leads/board'],
  ['Search', '/api/crm/search?q=ada+lov'],
]

/** The median milliseconds of each, size after size. */
export type Growth = { name: string; times: number[] }[]

export async function benchScale(stage: Stage): Promise<{ growth: Growth; results: Result[] }> {
  const growth: Growth = [...pages.map(([name]) => name), 'Create a lead'].map(name => ({ name, times: [] }))
  const { team_id, key } = await fillLeads(stage.databaseUrl, SIZES[0]!)
  const product = await stage.serve('product', { key })
  for (const [at, size] of SIZES.entries()) {
    if (at > 0) await addLeads(stage.databaseUrl, team_id, SIZES[at - 1]!, size)
    const measured = [
      ...pages.map(
        ([, path]) =>
          () =>
            ask(product, path),
      ),
      () => ask(product, '/api/crm/leads', { first_name: 'Bench', last_name: 'Mark' }),
    ]
    for (const [which, once] of measured.entries()) {
      const times: number[] = []
      for (let round = 0; round < WARM_UP + ROUNDS; round++) times.push(await once())
      growth[which]!.times.push(median(times.slice(WARM_UP)))
    }
    console.log(
      `${size} leads: ${growth.map(({ name, times }) => `${name} ${times.at(-1)!.toFixed(1)} ms`).join(', ')}`,
    )
  }
  return { growth, results: [await compareExport(stage, product, team_id)] }
}

async function compareExport({ databaseUrl }: Stage, product: Target, team_id: string): Promise<Result> {
  const ours = await rowsPerSecond(async count => {
    const response = await fetch(`${product.url}/api/crm/leads/export`, { headers: product.headers })
    for await (const chunk of response.body!) count(chunk)
  })
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  const bare = await rowsPerSecond(async count => {
    const rows = `select ${leadColumns.join(', ')} from leads where team_id = '${team_id}' order by created_at desc, id desc`
    const copying = client.query(copyTo(`copy (${rows}) to stdout (format csv)`))
    copying.on('data', count)
    await once(copying, 'end')
  })
  await client.end()
  console.log(`export: ${Math.round(ours)} rows/s against ${Math.round(bare)}/s`)
  const beside = { what: 'a bare COPY of the same rows', value: bare, ratio: ours / bare }
  return { job: 'Export leads as CSV, rows', value: ours, unit: '/s', beside }
}

async function rowsPerSecond(read: (count: (chunk: Uint8Array) => void) => Promise<void>): Promise<number> {
  const began = performance.now()
  let lines = 0
  await read(chunk => {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++
  })
  return lines / ((performance.now() - began) / 1_000)
}
const NEWLINE = 10

async function ask({ url, headers }: Target, path: string, body?: object): Promise<number> {
  const began = performance.now()
  const response = await fetch(url + path, {
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return performance.now() - began
}
