/**
 * A file of leads into the product, by HTTP and in the background as people do it, beside a bare COPY of the same rows
 * into an equal table: same columns, same indexes, no events, no checks, no row security. Prints the ratio: machines
 * differ, ratios less so. Run it with `npm run bench:import`.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { fillLeads, firstNames, lastNames } from './support/leads.ts'
import type { Result } from './support/result.ts'
import { onStage, type Stage } from './support/stage.ts'

const ROWS = 50_000
const ROWS_PER_SECOND_MIN = 5_000
const COLUMNS = ['first_name', 'last_name', 'email', 'phone', 'company', 'title', 'website', 'source']
const POLL_MS = 100

if (import.meta.main) await onStage(benchImport)

export async function benchImport({ databaseUrl, serve, judge }: Stage): Promise<Result[]> {
  const { key } = await fillLeads(databaseUrl, 1_000)
  const { url, headers } = await serve('product', { key })
  const lines = Array.from({ length: ROWS }, (_, n) => line(n))
  const file = [COLUMNS.join(','), ...lines, ''].join('\n')
  console.log(`${ROWS} leads of ${COLUMNS.length} columns, ${(file.length / 1024 / 1024).toFixed(1)} MiB\n`)

  const uploading = performance.now()
  const { id } = await call('POST', '/api/crm/imports?file_name=bench.csv', file)
  tell('upload', performance.now() - uploading)

  const starting = performance.now()
  await call('POST', `/api/crm/imports/${id}/start`)
  const done = await untilEnded(id)
  const importMs = performance.now() - starting
  if (done.status !== 'DONE' || done.created !== ROWS) throw new Error(JSON.stringify(done))
  tell('import', importMs)

  const copyMs = await copyRows(databaseUrl, lines)
  tell('bare COPY', copyMs)
  const rate = (ROWS / importMs) * 1000
  console.log(`\nimport against COPY: ${(copyMs / importMs).toFixed(2)} of its speed`)
  judge(
    'import',
    `${Math.round(rate)} rows/s`,
    rate >= ROWS_PER_SECOND_MIN,
    `at least ${ROWS_PER_SECOND_MIN}`,
  )

  const what = 'a bare COPY into an equal table'
  const bareRate = (ROWS / copyMs) * 1000
  return [
    {
      job: 'Import rows of CSV',
      value: rate,
      unit: '/s',
      beside: { what, value: bareRate, ratio: rate / bareRate },
    },
  ]

  async function call(method: string, path: string, body?: string): Promise<Record<string, any>> {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'text/csv' }) },
      ...(body && { body }),
    })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as Record<string, any>
  }

  async function untilEnded(id: string) {
    for (;;) {
      const found = await call('GET', `/api/crm/imports/${id}`)
      if (found.status !== 'RUNNING') return found
      await pause(POLL_MS)
    }
  }
}

/** Names that repeat and words that do not, as in a real list. */
function line(n: number): string {
  const [first, last] = [firstNames[n % firstNames.length]!, lastNames[(n * 7) % lastNames.length]!]
  const company = `${lastNames[(n * 13) % lastNames.length]} ${['Ltd', 'GmbH', 'Inc', 'SA'][n % 4]} ${n % 997}`
  const site = `${company.toLowerCase().replaceAll(' ', '')}.example`
  const mail = `${first}.${last}.${n}@${site}`.toLowerCase()
  const phone = `+4930${String(n).padStart(8, '0')}`
  return [first, last, mail, phone, company, 'Head of Sales', `https://${site}`, 'Fair 2026'].join(',')
}

/** Into an equal table, with everything a lead has that the file does not say. */
async function copyRows(databaseUrl: string, lines: string[]): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  await client.query('create table copied (like leads including all)')
  const rest = [
    'team_id',
    'id',
    'status',
    'call_status',
    'pipeline_stage',
    'utm',
    'custom',
    'created_at',
    'updated_at',
  ]
  const at = new Date().toISOString()
  const rows = lines.map((line, n) => {
    const id = n.toString(16).padStart(24, '0')
    return `${line},${'a'.repeat(24)},${id},NEW,NONE,New,{},{},${at},${at}\n`
  })
  const began = performance.now()
  const copying = client.query(
    copyFrom(`copy copied (${[...COLUMNS, ...rest].join(', ')}) from stdin (format csv)`),
  )
  await pipeline(Readable.from(rows), copying)
  const ms = performance.now() - began
  await client.end()
  return ms
}

function tell(what: string, ms: number): void {
  console.log(`${what}: ${(ms / 1000).toFixed(2)} s, ${Math.round((ROWS / ms) * 1000)} rows/s`)
}
