/**
 * What the hourly enrichment costs when very much is due: 100,000 candidates of several teams, with the facts of a real
 * site each. Prints how long a team's batch takes to be claimed, and the ratio to the same claim where nothing else is due.
 * Run it with `npm run bench:enrichment`.
 */
import pg from 'pg'
import { readConfig } from '#config'
import {
  CLAIMED_PER_RUN_MAX,
  CLAIMED_PER_TEAM_MAX,
  claimFor,
  enrichStale,
} from '#domains/candidates/enrichment.ts'
import { systemContext } from '#platform/context.ts'
import { newId } from '#platform/ids.ts'
import { openPorts } from '../src/commands/ports.ts'
import { openBase } from '../src/process.ts'
import { median, onStage, percentile } from './support/stage.ts'

const CANDIDATES = 100_000
const TEAMS = 20
const FACTS = 40
const ROUNDS = 40
const CLAIM_MS_MAX = 100

await onStage(async ({ databaseUrl, dataDir, judge }) => {
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  const teams = Array.from({ length: TEAMS }, () => newId())
  const small = Array.from({ length: ROUNDS }, () => newId())
  for (const id of teams) await fill(owner, id, CANDIDATES / TEAMS)
  for (const id of small) await fill(owner, id, CLAIMED_PER_TEAM_MAX)
  await owner.query('vacuum analyze candidates')
  await owner.query('checkpoint')
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
  const { runtime, close } = openBase({ config, databaseUrl, ports: openPorts(config) })
  try {
    const ctx = systemContext(runtime)
    console.log(`${CANDIDATES} candidates due in ${TEAMS} teams, ${FACTS} facts each\n`)

    const [crowded, alone]: [number[], number[]] = [[], []]
    const counts = new Set<number>()
    const timed = async (team_id: string) => {
      const began = performance.now()
      counts.add(await claimFor(ctx.forTeam(team_id), CLAIMED_PER_TEAM_MAX))
      return performance.now() - began
    }
    // The first one opens a connection, and is planned.
    await timed(teams[0]!)
    for (const [round, team_id] of small.entries()) {
      crowded.push(await timed(teams[round % TEAMS]!))
      alone.push(await timed(team_id))
      // What a claim leaves to be merged, the crawls that follow it have merged before the next.
      await owner.query(`select gin_clean_pending_list('candidates_search')`)
    }
    tell(`claiming ${CLAIMED_PER_TEAM_MAX} of ${CANDIDATES / TEAMS} due`, crowded)
    tell(`claiming ${CLAIMED_PER_TEAM_MAX} where no more are due`, alone)
    console.log(`ratio, at the median: ${(median(crowded) / median(alone)).toFixed(2)}\n`)

    const before = await queued(owner)
    const began = performance.now()
    const { claimed } = await enrichStale(ctx)
    const tickMs = performance.now() - began
    const made = (await queued(owner)) - before
    const p95 = percentile(crowded, 95)
    judge(
      "p95 of claiming a team's batch, with its jobs",
      `${p95.toFixed(1)} ms`,
      p95 < CLAIM_MS_MAX,
      `below ${CLAIM_MS_MAX} ms`,
    )
    judge(
      'what a claim takes',
      `${[...counts].join(', ')} candidates`,
      counts.size === 1 && counts.has(CLAIMED_PER_TEAM_MAX),
      `${CLAIMED_PER_TEAM_MAX}`,
    )
    judge(
      `what a whole tick takes, in ${tickMs.toFixed(0)} ms`,
      `${claimed} candidates, ${made} jobs`,
      claimed === CLAIMED_PER_RUN_MAX && made === claimed,
      `${CLAIMED_PER_RUN_MAX} of each`,
    )
  } finally {
    await close()
    await owner.end()
  }
})

/** A team whose candidates were all read more than 90 days ago, with what a site says. */
async function fill(owner: pg.Client, team_id: string, count: number): Promise<void> {
  await owner.query(`insert into teams values ($1, 'Bench', false, now(), now())`, [team_id])
  await owner.query(
    `insert into candidates (team_id, id, url, domain, status, name, email, phone, description, data, facts_count, score,
       crawled_at, changed_at, next_crawl_at, crawls, failures, origin, created_at, updated_at)
     select $1, lpad(to_hex(1700000000 + i), 8, '0') || lpad(to_hex(i), 16, '0'), 'https://site' || i || '.example/',
       'site' || i || '.example', 'CRAWLED', 'Company ' || i, 'hello@site' || i || '.example', '+4930' || i,
       'Makes things of all kinds for everybody who needs some, and has done so since ' || i || '; asks what is wanted, and sends it to wherever that is',
       jsonb_build_object('score', '[]'::jsonb, 'facts', (select jsonb_agg(jsonb_build_object('kind', 'person', 'label', 'CEO',
         'value', md5(i::text || n::text), 'url', 'https://site' || i || '.example/team', 'at', '2026-01-01T00:00:00.000Z'))
         from generate_series(1, ${FACTS}) as n)),
       ${FACTS}, 50, now() - interval '100 days', now() - interval '100 days',
       now() - interval '10 days' - i * interval '1 second', 1, 0, 'list', now(), now()
     from generate_series(1, $2::int) as i`,
    [team_id, count],
  )
}

async function queued(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ count: string }>('select count(*) from jobs')
  return Number(rows[0]!.count)
}

function tell(what: string, times: number[]): void {
  const at = [50, 95].map(part => `p${part} ${percentile(times, part).toFixed(1)} ms`)
  console.log(`${what}: ${at.join(', ')}, slowest ${Math.max(...times).toFixed(1)} ms`)
}
