import { setTimeout as sleep } from 'node:timers/promises'
import type { Compilable, CompiledQuery } from 'kysely'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import { isoAt } from './clock.ts'
import { newId } from './ids.ts'
import { Problem } from './problem.ts'
import type { Statement, StatementResult } from './database/flush.ts'
import type { Pool } from './database/pool.ts'
import { INSTALLATION_SETTING, teamSetting } from './database/team-setting.ts'
import { Transaction } from './database/transaction.ts'
import type { Role, Scope } from './scopes.ts'
import type { Ports } from './ports/ports.ts'
import type { Settings } from './settings.ts'

const TRANSACTION_TRIES_MAX = 3
/** The server may end both sides of a deadlock: each comes back at a moment of its own, or they meet again. */
const TRANSACTION_PAUSE_MS = 100

export const actorKinds = [
  'person',
  'app',
  'key',
  'workflow',
  'sequence',
  'agent',
  'provider',
  'form',
  'system',
] as const

/** Who does it: recorded in every event, and so shown in the timeline and the audit log. */
export type Actor = { kind: (typeof actorKinds)[number]; id: string | null; name: string | null }

export type Principal = {
  actor: Actor
  team_id: string
  user_id: string | null
  role: Role | null
  scopes: ReadonlySet<Scope>
  session_id?: string
  /** Where an access token may be used: the address its client asked for (RFC 8707), or everywhere here. */
  audience?: string
}

/**
 * What the process as a whole has: made once by the composition root. Parts that take a context themselves add their
 * field from their own file (`registry.ts`, `changes.ts`), so that this file does not depend on them.
 */
export interface Runtime {
  pool: Pool
  clock: Clock
  log: Logger
  settings: Settings
  ports: Ports
  /** Tells the worker of this process that there is work; other processes find it by polling. */
  wakeWorker: () => void
  /** How often each part looks for work that other processes left; by default as it sees fit. */
  lookEveryMs?: number
}

/**
 * A statement that fails when what this request was admitted on no longer holds. It travels with the first statement
 * the request sends, so that being sure costs no round trip: see `identity/authenticate.ts`.
 */
export type Guard = { statement: Statement; passed: boolean }

type Request = { id: string; ip: string | null; user_agent?: string | null }

/**
 * The first argument of every use case: who asks, for which team, and the way to the database. Inside
 * `transaction` the same use case runs on the transaction's context, so that changes and events commit together.
 */
export class Context {
  readonly runtime: Runtime
  readonly actor: Actor
  readonly principal: Principal | undefined
  readonly request: Request | undefined
  /** The event whose reaction this is: whatever is recorded came of it. */
  readonly cause: string | undefined
  private readonly team: string | undefined
  private readonly guard: Guard | undefined
  /** Whether it sees the rows of every team in the tables that are for all of them. */
  private readonly wide: boolean
  /** The transaction that is open, if one is. */
  readonly tx: Transaction | undefined

  constructor(
    runtime: Runtime,
    who: {
      actor: Actor
      team?: string
      principal?: Principal
      request?: Request
      cause?: string
      guard?: Guard
    },
    tx?: Transaction,
    wide = false,
  ) {
    this.runtime = runtime
    this.actor = who.actor
    this.team = who.team
    this.principal = who.principal
    this.request = who.request
    this.cause = who.cause
    this.guard = who.guard
    this.tx = tx
    this.wide = wide
  }

  get team_id(): string {
    if (!this.team) throw new Error('this context has no team')
    return this.team
  }

  get hasTeam(): boolean {
    return this.team !== undefined
  }

  get log(): Logger {
    return this.runtime.log
  }

  now(): string {
    return isoAt(this.runtime.clock.now())
  }

  /** The instant so many milliseconds from now; before now when negative. */
  in(ms: number): string {
    return isoAt(this.runtime.clock.now() + ms)
  }

  newId(): string {
    return newId(this.runtime.clock.now(), this.team)
  }

  async all<Row>(query: Compilable<Row>): Promise<Row[]> {
    return (await this.execute(statementOf(query))).rows as Row[]
  }

  async first<Row>(query: Compilable<Row>): Promise<Row | undefined> {
    return (await this.all(query))[0]
  }

  /** How many rows were touched. */
  async run(query: Compilable<unknown>): Promise<number> {
    return (await this.execute(statementOf(query))).rowCount
  }

  /** A write nobody waits for: it travels with the next statement or the commit. */
  later(query: Compilable<unknown>): void {
    const tx = this.transactionOrThrow()
    for (const statement of this.reaching(statementOf(query))) tx.later(statement)
  }

  beforeCommit(make: () => Compilable<unknown>[]): void {
    this.transactionOrThrow().beforeCommit.push(() => make().map(statementOf))
  }

  afterCommit(run: () => void): void {
    this.transactionOrThrow().afterCommit.push(run)
  }

  transactionOrThrow(): Transaction {
    if (!this.tx) throw new Error('this needs ctx.transaction: the change and its event commit together')
    return this.tx
  }

  /** Joins the transaction that is open, or opens one; deadlocks are tried again. */
  async transaction<Result>(work: (ctx: Context) => Promise<Result>): Promise<Result> {
    if (this.tx) return work(this)
    for (let attempt = 1; ; attempt++) {
      const tx = new Transaction(this.runtime.pool, this.preamble())
      try {
        const result = await work(new Context(this.runtime, this.who(), tx))
        await tx.commit()
        if (this.guard && tx.sent) this.guard.passed = true
        return result
      } catch (error) {
        await tx.rollback()
        if (!isRetryable(error) || attempt === TRANSACTION_TRIES_MAX) throw error
        await sleep(Math.random() * attempt * TRANSACTION_PAUSE_MS)
      }
    }
  }

  /** The same request seen from one team, for work that goes through all of them. */
  forTeam(team: string): Context {
    if (this.tx) throw new Error('a transaction belongs to one team')
    return new Context(this.runtime, { ...this.who(), team })
  }

  /**
   * The same request, also in its transaction, with the reach of the installation: for the tables that lead to a team and
   * those of a person who is in several. Without it, a team sees its own rows of them.
   */
  acrossTeams(): Context {
    return new Context(this.runtime, this.who(), this.tx, true)
  }

  /** The same seen from another doer, and as what came of another event where one is named. */
  as(actor: Actor, cause = this.cause): Context {
    const who = { ...this.who(), actor, ...(cause !== undefined && { cause }) }
    return new Context(this.runtime, who, this.tx, this.wide)
  }

  /**
   * Work that is rolled back when it fails, while the transaction continues. Its failure is thrown as always.
   */
  async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.transactionOrThrow().attempt(work)
  }

  requirePerson(): Principal & { user_id: string } {
    if (!this.principal?.user_id) throw new Problem('forbidden', 'Only a signed-in user can do this.')
    return this.principal as Principal & { user_id: string }
  }

  /** Makes sure the guard has passed; after any other statement of this request it has. */
  async confirm(): Promise<void> {
    if (!this.guard || this.guard.passed) return
    await this.runtime.pool.flush(this.preamble())
    this.guard.passed = true
  }

  private async execute(statement: Statement): Promise<StatementResult> {
    if (this.tx) return this.inTransaction(this.tx, statement)
    const results = await this.runtime.pool.flush([...this.preamble(), statement])
    if (this.guard) this.guard.passed = true
    return results.at(-1)!
  }

  private async inTransaction(tx: Transaction, statement: Statement): Promise<StatementResult> {
    const sent = this.reaching(statement)
    const results = await Promise.all(sent.map(each => tx.query(each)))
    return results[sent.indexOf(statement)]!
  }

  /** In a team's transaction, what reaches further says so before, and takes it back after. */
  private reaching(statement: Statement): Statement[] {
    return this.wide && this.team ? [INSTALLATION_SETTING, statement, teamSetting(this.team)] : [statement]
  }

  private preamble(): Statement[] {
    const reach = this.team && !this.wide ? teamSetting(this.team) : INSTALLATION_SETTING
    return this.guard && !this.guard.passed ? [reach, this.guard.statement] : [reach]
  }

  private who() {
    return {
      actor: this.actor,
      ...(this.team !== undefined && { team: this.team }),
      ...(this.principal && { principal: this.principal }),
      ...(this.request && { request: this.request }),
      ...(this.cause !== undefined && { cause: this.cause }),
      ...(this.guard && { guard: this.guard }),
    }
  }
}

export const systemActor: Actor = { kind: 'system', id: null, name: 'Rapport' }

export function systemContext(runtime: Runtime, team?: string): Context {
  return new Context(runtime, { actor: systemActor, ...(team !== undefined && { team }) })
}

function statementOf(query: Compilable<unknown>): Statement {
  const compiled = query.compile() as CompiledQuery & Pick<Statement, 'counted' | 'fresh' | 'sink'>
  const { sql, parameters, counted, fresh, sink } = compiled
  return {
    text: sql,
    values: parameters,
    ...(counted && { counted }),
    ...(fresh && { fresh }),
    ...(sink && { sink }),
  }
}

function isRetryable(error: unknown): boolean {
  const code = (error as { code?: string }).code
  return code === '40001' || code === '40P01'
}
