import type { Checkout, Pool } from './pool.ts'
import { isConnectionLoss } from './pool.ts'
import type { Statement, StatementResult } from './flush.ts'
import { isId } from '../ids.ts'

const BEGIN: Statement = { text: 'begin', values: [], quiet: true }
const COMMIT: Statement = { text: 'commit', values: [], quiet: true }
const ROLLBACK: Statement = { text: 'rollback', values: [], quiet: true }

/**
 * A transaction that talks to the server as little as it can: it begins with its first read, writes that nobody
 * waits for travel with the next statement, and what is left travels with the commit.
 */
export class Transaction {
  readonly afterCommit: (() => void)[] = []
  /** Turned into statements when the transaction commits: events and the jobs they cause. */
  readonly beforeCommit: (() => Statement[])[] = []
  private readonly pool: Pool
  /** What goes right after BEGIN: the team, and what must still hold. */
  private readonly preamble: readonly Statement[]
  /** Whether anything, and with it the preamble, has reached the server. */
  sent = false
  private checkout: Promise<Checkout> | undefined
  private pending: Statement[] = []
  private ended = false

  constructor(pool: Pool, preamble: readonly Statement[]) {
    this.pool = pool
    this.preamble = preamble
  }

  async query(statement: Statement): Promise<StatementResult> {
    const results = await this.send([statement])
    return results.at(-1)!
  }

  /** A write whose result nobody needs; its failure surfaces at the next read or at the commit. */
  later(statement: Statement): void {
    this.refuseIfEnded()
    this.pending.push({ ...statement, quiet: true })
  }

  async commit(): Promise<void> {
    for (const make of this.beforeCommit) this.pending.push(...make())
    if (this.checkout || this.pending.length > 0) {
      const results = await this.send([COMMIT])
      // To a transaction in which a statement failed, the server answers COMMIT with a rollback.
      if (results.at(-1)!.command !== 'COMMIT')
        throw new Error('a statement failed, and its error was passed over')
      await this.letGo()
    }
    this.ended = true
    for (const run of this.afterCommit) run()
  }

  async rollback(): Promise<void> {
    this.ended = true
    const checkout = await this.checkout?.catch(() => undefined)
    this.checkout = undefined
    if (!checkout) return
    try {
      await checkout.flush([ROLLBACK])
      checkout.release()
    } catch {
      checkout.release(true)
    }
  }

  /** The connection itself, for COPY: begun, and with everything pending sent. */
  async connection(): Promise<Checkout['client']> {
    await this.send([])
    return (await this.checkout!).client
  }

  private async send(statements: Statement[]): Promise<StatementResult[]> {
    this.refuseIfEnded()
    const opening = this.checkout ? [] : [BEGIN, ...this.preamble]
    const batch = [...opening, ...this.pending, ...statements]
    this.pending = []
    // Taken once, also when two statements are sent at the same time: they follow each other on one connection.
    this.checkout ??= this.pool.checkOut()
    const checkout = await this.checkout
    try {
      const results = await checkout.flush(batch)
      this.sent = true
      return results
    } catch (error) {
      if (isConnectionLoss(error)) await this.letGo(true)
      throw error
    }
  }

  private async letGo(broken = false): Promise<void> {
    const checkout = this.checkout
    this.checkout = undefined
    this.ended = true
    const taken = await checkout
    taken?.release(broken)
  }

  private refuseIfEnded(): void {
    if (this.ended) throw new Error('this transaction has ended')
  }
}

/** Checked text in the statement itself: on a sharded database only SET LOCAL reaches the shards. */
export function teamSetting(team: string): Statement {
  if (!isId(team)) throw new Error('a team is 24 lower-case hex characters')
  return { text: `set local app.team = '${team}'`, values: [], quiet: true }
}
