import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Flush, type Statement } from '#platform/database/flush.ts'
import { prepareValue } from '#platform/database/pg-internals.ts'

/** A statement as the product sent it: its text, the team it ran for, and samples of its parameters. */
export type SentStatement = {
  text: string
  /** `*` is the whole installation, an empty text a connection that never named a team. */
  team: string
  /** Planned for its values each time it is sent. */
  fresh: boolean
  samples: (string | null)[][]
}

/** With more of them, other values would seldom lead to another plan. */
const SAMPLES_MAX = 4
const TEAM_SETTING = /^set local app\.team = '(.*)'$/
/** These have no plan. */
const NO_PLAN =
  /^\s*(set|begin|commit|rollback|savepoint|release|listen|lock|declare|copy|create|drop|alter|truncate|vacuum|explain)\b/i

/** Calls `take` with each distinct statement that any pool of this process sends, and with further samples of its values. */
export function recordStatements(take: (sent: SentStatement) => void): () => void {
  const sampled = new Map<string, Set<string>>()
  const teams = new WeakMap<object, string>()
  const submit = Flush.prototype.submit
  Flush.prototype.submit = function (connection) {
    const { statements } = this as unknown as { statements: readonly Statement[] }
    for (const statement of statements) {
      const team = TEAM_SETTING.exec(statement.text)?.[1]
      if (team !== undefined) teams.set(connection, team)
      else note(statement, teams.get(connection) ?? '')
    }
    return submit.call(this, connection)
  }
  return () => {
    Flush.prototype.submit = submit
  }

  function note({ text, values, fresh }: Statement, team: string): void {
    if (NO_PLAN.test(text)) return
    const isWide = team === '*'
    const key = `${isWide} ${Boolean(fresh)} ${text}`
    let samples = sampled.get(key)
    if (!samples) sampled.set(key, (samples = new Set()))
    if (samples.size >= SAMPLES_MAX) return
    const sample = values.map(asText)
    // Which team asks makes no other plan.
    const known = JSON.stringify(sample).replaceAll(team || '-', 'team')
    if (samples.has(known)) return
    samples.add(known)
    take({ text, team, fresh: Boolean(fresh), samples: [sample] })
  }
}

/** Each process of a test run appends to a file of its own, for all the test files that it runs. */
export function recordInto(folder: string): void {
  const process_ = globalThis as { isRecording?: true }
  if (process_.isRecording) return
  process_.isRecording = true
  const file = join(folder, `${process.pid}.jsonl`)
  recordStatements(sent => appendFileSync(file, `${JSON.stringify(sent)}\n`))
}

export function readRecorded(folder: string): SentStatement[] {
  const lines = readdirSync(folder)
    .filter(name => name.endsWith('.jsonl'))
    .flatMap(name => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
  return merged(lines.map(line => JSON.parse(line) as SentStatement))
}

/** One of each text, with a few samples. */
export function merged(sent: readonly SentStatement[]): SentStatement[] {
  const byText = Map.groupBy(sent, ({ text, team, fresh }) => `${team === '*'} ${fresh} ${text}`)
  return [...byText.values()].map(same => {
    const { text, fresh, team } = same[0]!
    // The samples name the team they were sent for, which becomes another one when they are planned.
    const samples = same.flatMap(({ samples, team: own }) =>
      samples.map(values => values.map(value => value?.replaceAll(own || '-', team || '-') ?? null)),
    )
    return { text, team, fresh, samples: samples.slice(0, SAMPLES_MAX) }
  })
}

function asText(value: unknown): string | null {
  const sent = prepareValue(value)
  if (sent === null || sent === undefined) return null
  return Buffer.isBuffer(sent) ? `\\x${sent.toString('hex')}` : String(sent)
}
