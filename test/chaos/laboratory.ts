import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { check, fingerprintOf, type Findings } from './checker.ts'
import { openCluster, type Cluster } from './cluster.ts'
import { Faults, type Outcome } from './faults.ts'
import { openLedger, type Ledger } from './ledger.ts'
import { untilQuiet } from './quiet.ts'
import { faultLine, isBad } from './report.ts'
import type { PlannedFault } from './schedule.ts'
import { prepare, startWorkload, type Workload } from './workload.ts'

/** After everything is healed, so long for the requests that were under way. */
const ANSWERS_WITHIN_MS = 120_000
const PROGRESS_MS = 30_000

export type LaboratoryOptions = {
  seed: number
  api: number
  workers: number
  writers: number
  pauseMs: number
  stories?: number
  smallDisk: boolean
  programs: (postgresUrl: string) => Promise<string>
  say?: (line: string) => void
}

export type Laboratory = {
  cluster: Cluster
  ledger: Ledger
  faults: Faults
  workload: Workload
  /** Carries out a plan in its time, which may be longer than until the last fault. */
  follow(plan: readonly PlannedFault[], lengthMs?: number): Promise<void>
  /** Heals everything, waits until it is quiet, and compares. */
  conclude(): Promise<Result>
  close(options: { keep: boolean }): Promise<void>
}

export type Result = {
  findings: Findings
  outcomes: readonly Outcome[]
  unclean: readonly string[]
  bad: boolean
}

/** A cluster at work, with a plan of what happens to it. */
export async function openLaboratory(options: LaboratoryOptions): Promise<Laboratory> {
  const { seed, say = () => {} } = options
  const ledger = openLedger()
  const cluster = await openCluster({ ...options, ledger })
  try {
    return await equip(cluster, ledger, options, say)
  } catch (error) {
    await cluster.stop({ keep: true })
    say(`The laboratory did not start with seed ${seed}; its logs are in ${cluster.folder}.`)
    throw error
  }
}

async function equip(
  cluster: Cluster,
  ledger: Ledger,
  options: LaboratoryOptions,
  say: (line: string) => void,
): Promise<Laboratory> {
  const { seed } = options
  for (let n = 0; n < options.api; n++) await cluster.start('api')
  for (let n = 0; n < options.workers; n++) await cluster.start('worker')
  await Promise.all(cluster.members.map(member => member.ready()))
  const props = await prepare(cluster, ledger)
  const otherTeam = await teamOf(cluster, 'eve@chaos.example.test')
  const before = await fingerprintOf(cluster.query, otherTeam)
  const faults = new Faults(cluster, outcome => say(faultLine(outcome, seed)))
  const workload = startWorkload(props, { ...options, cluster, ledger })

  return {
    cluster,
    ledger,
    faults,
    workload,
    async follow(plan, lengthMs = 0) {
      const began = performance.now()
      const progress = setInterval(() => say(progressLine(ledger, faults, workload)), PROGRESS_MS)
      try {
        for (const fault of plan) {
          await sleep(Math.max(0, fault.at_ms - (performance.now() - began)))
          await faults.begin(fault)
        }
        await sleep(Math.max(0, lengthMs - (performance.now() - began)))
      } finally {
        clearInterval(progress)
      }
    },
    async conclude() {
      await faults.healAll()
      const finished = await workload.finish(ANSWERS_WITHIN_MS)
      if (!finished) say('Some requests were never acknowledged.')
      const restless = await untilQuiet(cluster, workload, say)
      workload.giveUp()
      const findings = await check({
        query: cluster.query,
        ledger,
        outcomes: faults.outcomes,
        other: { before, after: await fingerprintOf(cluster.query, otherTeam) },
        restless,
        correctedCounts: await isLogged(cluster.folder, 'the counts of leads were off'),
      })
      return { findings, outcomes: faults.outcomes, unclean: faults.unclean, bad: isBad(findings) }
    },
    close: how => cluster.stop(how),
  }
}

export async function teamOf(cluster: Cluster, email: string): Promise<string> {
  const [row] = await cluster.query<{ team_id: string }>(
    `select team_id from memberships join users on users.id = user_id where email = $1`,
    [email],
  )
  return row!.team_id
}

function progressLine(ledger: Ledger, { outcomes }: Faults, workload: Workload): string {
  const { leads, events, mails, texts } = ledger
  return `… ${outcomes.length} faults, ${workload.told()} stories, ${leads.length} leads, ${events.length} events, ${mails.length} emails, ${texts.length} texts, ${ledger.open.size} requests under way`
}

async function isLogged(folder: string, words: string): Promise<boolean> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.log'))
  const texts = await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')))
  return texts.some(text => text.includes(words))
}
