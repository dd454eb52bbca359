/**
 * Every headline job beside its bare limit, and what growth costs, in one run of less than ten minutes on two idle cores:
 * `npm run bench` writes docs/benchmarks.md and its picture. The single benchmarks take longer and judge. With
 * `-- --n8n <folder>`, n8n of that folder runs the same workflow.
 */
import { writeFile } from 'node:fs/promises'
import { arch, cpus, platform, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { benchHttp } from './http.ts'
import { benchImport } from './import.ts'
import { benchJobs } from './jobs.ts'
import { benchOauth } from './oauth.ts'
import { benchOutreach } from './outreach.ts'
import { benchPurchase } from './purchase.ts'
import { benchScale, SIZES, type Growth } from './scale.ts'
import { plotOf, rounded, sizeName } from './support/plot.ts'
import type { Result } from './support/result.ts'
import { onStage, type Stage } from './support/stage.ts'
import { benchWebhooks } from './webhooks.ts'
import { benchWorkflows } from './workflows.ts'

const { values: flags } = parseArgs({ options: { n8n: { type: 'string' } } })
if (flags.n8n) process.env.N8N_FOLDER = flags.n8n

const results: Result[] = []
let growth: Growth = []
let version = ''

const benches: ((stage: Stage) => Promise<unknown>)[] = [
  of(stage => benchHttp(stage, { leads: 20_000, rounds: 3, roundS: 2 })),
  of(stage => benchWebhooks(stage, { rounds: 3, roundS: 2, backlog: 20_000, calls: 5_000 })),
  of(stage => benchJobs(stage, { rounds: 1 })),
  of(stage => benchOutreach(stage, { rounds: 2, mails: 2_000, warmUp: 2_000, sleeping: 0 })),
  of(stage => benchWorkflows(stage, { rounds: 1, backlog: 5_000, pacedS: 4, sleeping: 0 })),
  of(stage => benchImport(stage)),
  of(stage => benchPurchase(stage, { rounds: 5, roundS: 1 })),
  of(stage => benchOauth(stage, { rounds: 3, codes: 2_000, readS: 2 })),
  async stage => {
    const measured = await benchScale(stage)
    growth = measured.growth
    results.push(...measured.results)
    version = await versionOf(stage)
  },
]
const began = performance.now()
for (const bench of benches) await onStage(bench)
const minutes = (performance.now() - began) / 60_000
if (process.exitCode) console.error('A benchmark failed or missed its goal: see above.')
if (growth.length === 0) throw new Error('nothing is written: growth was not measured')
const docs = new URL('../docs/', import.meta.url)
await writeFile(new URL('images/benchmarks.svg', docs), plotOf(results, { sizes: SIZES, lines: growth }))
await writeFile(new URL('benchmarks.md', docs), document())
console.log(`docs/benchmarks.md is written, after ${minutes.toFixed(1)} minutes`)

function of(bench: (stage: Stage) => Promise<Result[]>): (stage: Stage) => Promise<void> {
  return async stage => void results.push(...(await bench(stage)))
}

function document(): string {
  const [{ model = '' } = {}] = cpus()
  const machine = `${cpus().length} cores (${model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ${arch()}`
  const rows = results.map(({ job, value, unit, beside }) => [
    job,
    valueOf(value, unit),
    beside ? valueOf(beside.value, unit) : '',
    beside ? rounded(beside.ratio) : '',
    beside?.what ?? '',
  ])
  const sizes = growth.map(({ name, times }) => [name, ...times.map(ms => `${rounded(ms)} ms`)])
  return `# Benchmarks

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${machine}; Node ${process.versions.node}, PostgreSQL ${version}
with \`fsync\` on, everything on this one machine. It took ${minutes.toFixed(1)} minutes.

**Ratios count.** Each job runs in turns with a bare implementation that does the same without a product around it: no rights,
no checks, no row security, no events. Both share the machine, so their ratio says more than either figure.

![Shares of the bare limit, and times as a team grows](images/benchmarks.svg)

${table(['Job', 'Rapport', 'Bare limit', 'Ratio', 'Beside'], rows)}

The median time of one request over HTTP, for one team as it grows:

${table(['Leads', ...SIZES.map(sizeName)], sizes)}

The benchmarks for each path (\`npm run bench:http\`, \`bench:jobs\` …) take longer, have goals and fail when they miss one.
\`npm run bench:growth\` times every page in an installation with 1,000 teams, a million leads and five million events.
`
}

function valueOf(value: number, unit: Result['unit']): string {
  return unit === 'ms' ? `${rounded(value)} ms` : `${rounded(value)}/s`
}

function table(head: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

async function versionOf({ databaseUrl }: Stage): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  await client.end()
  return rows[0]!.server_version
}
