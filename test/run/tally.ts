import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Git ignores it, and `npm ci` removes it: for weeks, name a file elsewhere. */
export const TALLY_FILE = join(ROOT, 'node_modules', '.cache', 'rapport', 'rounds.jsonl')
const FAILURES_SHOWN = 3

/** One run of shaken tests, as a line of the file. */
export type Round = {
  /** The commit, ending in `-dirty` where files differ from it. */
  commit: string
  /** The files that were named; none means all of them. */
  files: string[]
  /** Whether only the order was shuffled. */
  calm: boolean
  seed: number
  at: string
  failed: string[]
}

/** How many rounds in a row were clean, and the failed one before them. */
export type Tally = Pick<Round, 'commit' | 'files' | 'calm'> & { clean: number; reset?: Round }

export function currentCommit(): string {
  const words = ['describe', '--always', '--dirty', '--exclude=*', '--abbrev=12']
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim()
}

export function addRound(file: string, round: Round): void {
  mkdirSync(dirname(file), { recursive: true })
  // The line before it may have been cut by a kill.
  appendFileSync(file, `\n${JSON.stringify(round)}`)
}

export function readRounds(file: string): Round[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8').split('\n').flatMap(parsed)
}

/** Rounds count together when they ran the same files of the same commit under the same conditions. The latest comes last. */
export function talliesOf(rounds: readonly Round[]): Tally[] {
  const tallies = new Map<string, Tally>()
  for (const round of rounds) {
    const { commit, calm } = round
    const files = round.files.toSorted()
    const key = JSON.stringify([commit, files, calm])
    const known = tallies.get(key) ?? { commit, files, calm, clean: 0 }
    tallies.delete(key)
    tallies.set(
      key,
      round.failed.length > 0 ? { ...known, clean: 0, reset: round } : { ...known, clean: known.clean + 1 },
    )
  }
  return [...tallies.values()]
}

export function linesOf({ commit, files, calm, clean, reset }: Tally): string[] {
  const what = files.length === 0 ? 'all tests' : `${files.length} files`
  const count = `${clean} clean ${clean === 1 ? 'round' : 'rounds'} in a row`
  const line = `${commit}, ${what}${calm ? ', calm' : ''}: ${count}`
  if (!reset) return [line]
  const { seed, at, failed } = reset
  const more = failed.length > FAILURES_SHOWN ? [`  … and ${failed.length - FAILURES_SHOWN} more`] : []
  return [
    line,
    `  reset on ${at.slice(0, 16)}, seed ${seed}, by`,
    ...failed.slice(0, FAILURES_SHOWN).map(name => `  ✗ ${name}`),
    ...more,
  ]
}

/** Nothing where the line is empty or was cut. */
function parsed(line: string): Round[] {
  try {
    return [JSON.parse(line) as Round]
  } catch {
    return []
  }
}
